/* SPDX-License-Identifier: Apache-2.0 */
/*
 * operand.h - the numbers of a step, which may depend on counts: they become formulas then.
 */
#ifndef TUNE_JOB_OPERAND_H
#define TUNE_JOB_OPERAND_H

#include "tuner/job/unrolling.h"

/* A whole number. If it is known only late, the formula is added to the step, and the result is the `absent` value.
 */
bool operand_integer(const struct unrolling *unrolling, const struct statement *statement, struct job_step *step,
                     struct job_formula formula, const struct expr *expr, int64_t absent, int64_t *result);

/* Add the formula of an expression, which may be known now; or of a number. */
bool operand_late(const struct unrolling *unrolling, const struct statement *statement, struct job_step *step,
                  struct job_formula formula, const struct expr *expr);
bool operand_number(const struct unrolling *unrolling, const struct statement *statement, struct job_step *step,
                    struct job_formula formula, uint64_t number);

/* Add the extent of a buffer. */
bool operand_extent(const struct unrolling *unrolling, struct place place, struct job_step *step,
                    struct job_formula formula, size_t buffer);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * formula.h - expressions of a job that are evaluated when its steps run, since they depend on counts.
 *
 * They travel as text in the language of templates and are read by its parser, so that they mean there what they mean
 * in the template. All they can read are the names of the job; slot i is the value of name i.
 */
#ifndef TUNE_JOB_FORMULA_H
#define TUNE_JOB_FORMULA_H

#include "tuner/job/job.h"

enum { FORMULA_TEXT_LIMIT = 1 << 16, FORMULA_NAMES_LIMIT = 1 << 16 };

/* The slot of a name, which is added if it is new. False: out of memory, or too many. */
bool formula_name(struct job *job, const char *name, enum name_kind kind, size_t *slot, struct error *error);

/* Parse formula->text. ERROR_INPUT: it is no expression over the job's names. */
bool formula_parse(struct job *job, struct job_formula *formula, struct error *error);

void formulas_free(struct formulas *formulas);

/* The formula for a use; NULL: none. */
const struct job_formula *formula_in(const struct job_late *late, enum formula_use use);
const struct job_formula *formula_of(const struct job_step *step, enum formula_use use);

void job_late_free(struct job_late *late);

#endif

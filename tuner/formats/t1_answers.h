/* SPDX-License-Identifier: Apache-2.0 */
/*
 * t1_answers.h - what the ReferenceArguments of a T1 kernel say about expected values, and the data files it names.
 *
 * SideBySideComparison bounds the absolute error, SideBySideRelativeComparison the relative one. Two members are not
 * in the schema: TargetArgument, an index in place of TargetName, and the method AllClose, numpy's, which is Kernel
 * Tuner's: |result - expected| <= threshold + 1e-5 |expected|.
 */
#ifndef TUNE_FORMATS_T1_ANSWERS_H
#define TUNE_FORMATS_T1_ANSWERS_H

#include "tuner/formats/t1_members.h"

/* After the arguments. */
bool t1_read_answers(struct t1 *t1, const json_t *arguments, const json_t *references, struct error *error);

/* Another kernel that computes expected values: ReferenceKernel, which is not in the schema. */
bool t1_read_reference_kernel(struct t1 *t1, const json_t *kernel, struct error *error);

/* Have a data file copied beside the template: `*name` there, or NULL if it is not beside the T1 file. */
bool t1_take_file(struct t1 *t1, const char *source, const char **name, struct error *error);

#endif

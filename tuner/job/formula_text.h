/* SPDX-License-Identifier: Apache-2.0 */
/*
 * formula_text.h - an expression of a template as the text of a formula: as it is written, with values for names.
 */
#ifndef TUNE_JOB_FORMULA_TEXT_H
#define TUNE_JOB_FORMULA_TEXT_H

#include "tuner/job/late.h"

/*
 * Write the expression, or an item of it unless that is NULL, in parentheses. A name that is known beforehand becomes
 * its value, and a let that is not what it stands for, in parentheses. What remains are names without a value, which
 * are added to those of the job.
 */
bool formula_text_write(const struct lowering *lowering, const struct expr *expr, const struct node *item, FILE *out);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * draft_parts.h - pieces of text that a draft's template, space and reference share.
 */
#ifndef TUNE_FORMATS_DRAFT_PARTS_H
#define TUNE_FORMATS_DRAFT_PARTS_H

#include "tuner/formats/draft_plan.h"

/* Where parameters stand for themselves, or each for the value that it begins with. */
enum draft_spelling { DRAFT_BY_NAME, DRAFT_BY_VALUE };

/* The number of elements of every buffer: the product of all sizes, or a power of the only one. */
void draft_write_extent(FILE *out, const struct draft_plan *plan);

/* The value that a parameter begins with. */
void draft_write_first(FILE *out, const struct draft_parameter *parameter);

void draft_write_block(FILE *out, const struct draft_plan *plan, unsigned axis, enum draft_spelling spelling);
void draft_write_argument(FILE *out, const struct draft_plan *plan, const struct draft_argument *argument);
void draft_write_launch(FILE *out, const struct draft_plan *plan, enum draft_spelling spelling);

/* Is it a buffer that the kernel writes, and is there any such? */
bool draft_is_output(const struct draft_argument *argument);
bool draft_has_outputs(const struct draft_plan *plan);

#endif

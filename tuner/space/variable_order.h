/* SPDX-License-Identifier: Apache-2.0 */
/*
 * variable_order.h - in which order the variables of a model become the levels of its diagram.
 *
 * Variables that share no requirement, not even through others, form groups that follow each other, so that the
 * diagram is their product. In a group the order is searched for that makes the least work by an estimate: for each
 * level, the number of different situations that the variables so far can leave, times the values of the next. A
 * situation is what the open requirements need of the variables so far (a product of two, say, and not both). How
 * many a requirement lets pass is found by trying a few dozen random assignments, the same ones every time.
 */
#ifndef TUNE_SPACE_VARIABLE_ORDER_H
#define TUNE_SPACE_VARIABLE_ORDER_H

#include "tuner/space/model.h"

/*
 * Fill in `order` (variables by level) and `group_of` (by level: the number of the variable's group). False when out
 * of memory.
 */
bool variable_order(const struct model *model, size_t *order, size_t *group_of);

#endif

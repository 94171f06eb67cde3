/* SPDX-License-Identifier: Apache-2.0 */
/*
 * variable_order.h - the order in which the variables of a model become the levels of its diagram.
 *
 * Variables that requirements connect, directly or through other variables, form a group; groups follow one another,
 * so the diagram is their product. Within a group, a beam search looks for the order with the least estimated work:
 * for each level, the number of distinct states that the variables so far can leave, times the values of the next
 * one. A state is what open requirements need to know of the variables so far (the product of two, say, rather than
 * both). The fraction that a requirement lets pass is estimated from a few dozen random assignments, always the same
 * ones.
 */
#ifndef TUNE_SPACE_VARIABLE_ORDER_H
#define TUNE_SPACE_VARIABLE_ORDER_H

#include "tuner/space/model.h"

/*
 * Fill in `order` (the variable of each level) and `group_of` (the group of each level). False when out of memory.
 */
bool variable_order(const struct model *model, size_t *order, size_t *group_of);

#endif

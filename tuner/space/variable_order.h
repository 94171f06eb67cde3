/* SPDX-License-Identifier: Apache-2.0 */
/*
 * variable_order.h - the order in which the variables of a model become the levels of its diagram.
 *
 * Variables that requirements connect, directly or through other variables, form a group; groups follow one another,
 * so the diagram is their product. Within a group, a beam search looks for the order with the least estimated work
 * (order_cost.h); the declared order stays unless another gains enough. Groups of more than ORDER_COST_MEMBERS
 * variables stay as declared.
 */
#ifndef TUNE_SPACE_VARIABLE_ORDER_H
#define TUNE_SPACE_VARIABLE_ORDER_H

#include "tuner/space/model.h"

/*
 * Fill in `order` (the variable of each level) and `group_of` (the group of each level). False when out of memory.
 */
bool variable_order(const struct model *model, size_t *order, size_t *group_of);

#endif

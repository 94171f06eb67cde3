/* SPDX-License-Identifier: Apache-2.0 */
/*
 * planner.h - the plan of a model: for each level its steps, their trends (plan_trends.h) and its key (plan_keys.h).
 */
#ifndef TUNE_SPACE_PLANNER_H
#define TUNE_SPACE_PLANNER_H

#include "tuner/space/plan.h"

/* `order` has the variable of each level; levels with the same `group_of` share requirements (variable_order.h). The
 * model must outlive the plan. False when out of memory. */
bool plan_create(struct plan *plan, const struct model *model, const size_t *order, const size_t *group_of);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * plan_fixture.h - the plan of a space whose variables become levels in the order in which they are declared.
 */
#ifndef TUNE_TESTS_PLAN_FIXTURE_H
#define TUNE_TESTS_PLAN_FIXTURE_H

#include "tests/unit/space/space_fixture.h"

#include "tuner/space/planner.h"

struct plan_fixture {
    struct space_fixture space;
    struct model model;
    struct plan plan;
};

static inline void plan_fixture_create(struct plan_fixture *fixture, const char *text)
{
    static const size_t order[] = {0, 1, 2, 3, 4}, group_of[] = {0, 0, 0, 0, 0};
    space_fixture_create(&fixture->space, text);
    const struct domain *domain = &fixture->space.domain;
    assert_true(model_create(&fixture->model, domain, domain->space->constraint_count, NULL, 0, false));
    assert_true(plan_create(&fixture->plan, &fixture->model, order, group_of));
}

static inline void plan_fixture_free(struct plan_fixture *fixture)
{
    plan_clear(&fixture->plan);
    model_clear(&fixture->model);
    space_fixture_free(&fixture->space);
}

/* The step of that kind on a level, which has one at most; NULL if there is none. */
static inline const struct plan_step *plan_fixture_step(const struct plan_fixture *fixture, size_t level,
                                                        enum step_kind kind)
{
    const struct plan_step *found = NULL;
    const struct plan_level *l = &fixture->plan.levels[level];
    for (size_t s = l->steps; s < l->steps_end; s++) {
        if (fixture->plan.steps[s].kind != kind)
            continue;
        assert_null(found);
        found = &fixture->plan.steps[s];
    }
    return found;
}

#endif

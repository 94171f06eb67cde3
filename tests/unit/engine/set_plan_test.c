/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tuner/engine/set_plan.h"

#include <math.h>

enum { POINTS = 7 };

/* Points on a line: the middle one first, then an end, the other end, and what lies between. */
static void sizes_are_visited_farthest_first(void **state)
{
    (void)state;
    static const double at[POINTS] = {0, 1, 2, 3, 4.5, 6, 7.25};
    double nearness[POINTS * POINTS];
    size_t order[POINTS];
    for (size_t a = 0; a < POINTS; a++) {
        for (size_t b = 0; b < POINTS; b++)
            nearness[a * POINTS + b] = exp(-fabs(at[a] - at[b]));
    }
    assert_true(set_plan_order(nearness, POINTS, order));
    static const size_t begin[] = {2, 6, 4};
    for (size_t i = 0; i < 3; i++)
        assert_int_equal(order[i], begin[i]);
    bool seen[POINTS] = {false};
    for (size_t i = 0; i < POINTS; i++) {
        assert_false(seen[order[i]]);
        seen[order[i]] = true;
    }
}

static void one_size_is_an_anchor(void **state)
{
    (void)state;
    static const double nearness[] = {1};
    size_t order[1];
    assert_true(set_plan_order(nearness, 1, order));
    assert_int_equal(order[0], 0);
    assert_int_equal(set_plan_anchors(1), 1);
    assert_true(set_plan_shares(1).anchors == set_plan_shares(1).others);
}

static void budgets_grow_with_the_set(void **state)
{
    (void)state;
    uint64_t former = 0;
    for (size_t count = 1; count < 300; count++) {
        size_t anchors = set_plan_anchors(count);
        const struct set_shares shares = set_plan_shares(count);
        assert_in_range(anchors, 1, count < SET_ANCHORS_MOST ? count : SET_ANCHORS_MOST);
        assert_true(set_plan_default_budget(count) > former);
        assert_true(shares.anchors > 0 && shares.anchors <= shares.others && shares.others < 1);
        former = set_plan_default_budget(count);
    }
    assert_int_equal(set_plan_anchors(100), 16);
    assert_int_equal(set_plan_anchors(9), 5);
}

static void a_pass_is_worth_the_visit(void **state)
{
    (void)state;
    assert_int_equal(set_plan_passes(0), 6);
    assert_int_equal(set_plan_passes(1), 1);
    assert_int_equal(set_plan_passes(11), 2);
    assert_int_equal(set_plan_passes(UINT64_MAX), 6);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sizes_are_visited_farthest_first),
        cmocka_unit_test(one_size_is_an_anchor),
        cmocka_unit_test(budgets_grow_with_the_set),
        cmocka_unit_test(a_pass_is_worth_the_visit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

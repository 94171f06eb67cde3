/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/unit/space/solution_fixture.h"

/* Pruning precedes the search, which then tries only the 13 divisors among 4096 block sizes. */
static void test_prunes(void **state)
{
    (void)state;
    struct solution_fixture fixture;
    size_t effort = 100;
    solution_fixture_create(&fixture, "param A = range(1, 4097)\nparam B = [1, 2, 4]\nwhere 4096 % (A * B) == 0\n",
                            false);
    assert_int_equal(fixture.solution.model.variables[0].alive_count, 13);
    assert_int_equal(solution_find(&fixture.solution, &effort), CONSTRUCT_DONE);
    assert_true(diagram_builder_count(fixture.solution.builder, fixture.solution.root) == 13 + 12 + 11);
    solution_fixture_free(&fixture);
}

/* Filtering, pruning or ranges find a space empty without trying a value. */
static void test_impossible(void **state)
{
    (void)state;
    static const char *const spaces[] = {
        "param A = [1, 2]\nwhere A > 2\n",
        "param A = range(20, 60)\nparam B = [2, 3]\nwhere A * B < 30\n",
        "param A = range(1, 100)\nparam B = [1, 2, 4]\nwhere A <= 4\nwhere A > 3 + B * 2\n",
        "param A = [1, 2]\nwhere n < 6\n",
    };
    for (size_t i = 0; i < sizeof spaces / sizeof *spaces; i++) {
        struct solution_fixture fixture;
        size_t effort = 0;
        solution_fixture_create(&fixture, spaces[i], false);
        assert_true(fixture.solution.model.impossible);
        assert_int_equal(solution_find(&fixture.solution, &effort), CONSTRUCT_DONE);
        assert_true(fixture.solution.root == DIAGRAM_DEAD);
        solution_fixture_free(&fixture);
    }
}

/* The builder has a level per variable, in the order found, as wide as the variable has values. */
static void test_levels(void **state)
{
    (void)state;
    struct solution_fixture fixture;
    bool seen[3] = {false};
    solution_fixture_create(&fixture,
                            "param A = range(7)\nparam B = range(300)\nparam C = range(2)\nwhere A * B > C\n", false);
    const struct solution *solution = &fixture.solution;
    assert_int_equal(solution->builder->level_count, 3);
    for (size_t l = 0; l < 3; l++) {
        static const size_t widths[] = {7, 300, 2};
        assert_int_equal(solution->builder->levels[l].width, widths[solution->order[l]]);
        assert_int_equal(solution->plan.levels[l].variable, solution->order[l]);
        assert_false(seen[solution->order[l]]);
        seen[solution->order[l]] = true;
    }
    solution_fixture_free(&fixture);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_prunes),
        cmocka_unit_test(test_impossible),
        cmocka_unit_test(test_levels),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

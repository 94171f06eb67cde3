/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/unit/space/solution_fixture.h"

/* The diagrams of spaces with every kind of step, trend and key, point by point against brute force. */
static void test_against_brute_force(void **state)
{
    (void)state;
    static const char *const spaces[] = {
        "param A = range(1, 20)\nparam B = range(1, 20)\nparam C = range(1, 20)\nwhere A * B <= C * 5\n",
        "param A = range(20, 0, -1)\nparam B = range(1, 20)\nparam C = range(19, 0, -1)\nwhere A + B == C + 3\nwhere "
        "A * C >= 40\n",
        "param A = range(1, 25)\nparam B = range(1, 25)\nparam C = [1, 2, 3]\nwhere A % B == 0\nwhere 48 % (A * C) "
        "== 0\n",
        "param A = [8, 1, 4]\nparam B = [0.5, 2, 1]\nparam C = [\"x\", 1, 8]\nwhere A * B == C or C == \"x\" and A < "
        "5\n",
        "param A = range(6)\nparam B = range(6)\nparam C = range(6)\nparam D = range(6)\nwhere (B if A > 2 else C) * "
        "D == 4\n",
        "param A = range(1, 9)\nparam B = range(1, 9)\nparam C = range(1, 9)\nwhere A in [i * B for i in range(C)]\n",
        "param A = range(-9, 9)\nparam B = range(-9, 9)\nparam C = [-2, 0, 3]\nwhere A * C == B\nwhere A * A + B * B "
        "< 50\n",
        "param A = range(5)\nparam B = range(5)\nwhere A > 7 or B > 7\n",
        "param A = range(5)\nparam B = range(5)\n",
        "set A = 3\n",
    };
    for (size_t s = 0; s < sizeof spaces / sizeof *spaces; s++) {
        struct solution_fixture fixture;
        uint16_t point[8] = {0};
        size_t effort = 1000000, count = 0;
        solution_fixture_create(&fixture, spaces[s], false);
        const struct domain *domain = &fixture.space.domain;
        assert_int_equal(solution_find(&fixture.solution, &effort), CONSTRUCT_DONE);
        do {
            bool valid = judge_point(domain, domain->space->constraint_count, point) == VERDICT_PASSED;
            assert_int_equal(has_point(&fixture.solution, point), valid);
            count += valid;
        } while (next_point(domain, point));
        assert_true(diagram_builder_count(fixture.solution.builder, fixture.solution.root) == (double)count);
        solution_fixture_free(&fixture);
    }
}

/* A failed value rules out others: few of 60,000 by 60,000 pairs are tried. */
static void test_skips(void **state)
{
    (void)state;
    static const char *const conditions[] = {"A + B <= 60", "A == B + 59990", "A * 50000 == B"};
    static const double counts[] = {1770, 10, 1}; /* 1 + 2 + ... + 59 = 1770 */
    for (size_t i = 0; i < 3; i++) {
        struct solution_fixture fixture;
        char text[200];
        size_t effort = 3000000;
        snprintf(text, sizeof text, "param A = range(1, 60001)\nparam B = range(1, 60001)\nwhere %s\n",
                 conditions[i]);
        solution_fixture_create(&fixture, text, false);
        assert_int_equal(solution_find(&fixture.solution, &effort), CONSTRUCT_DONE);
        assert_true(diagram_builder_count(fixture.solution.builder, fixture.solution.root) == counts[i]);
        solution_fixture_free(&fixture);
    }
}

/* Only sums matter, so about 10 values are tried for each of at most 37 sums per level, not 10^5 in all. */
static void test_memo(void **state)
{
    (void)state;
    struct solution_fixture fixture;
    size_t effort = 1000;
    solution_fixture_create(&fixture,
                            "param A = range(10)\nparam B = range(10)\nparam C = range(10)\nparam D = range(10)\n"
                            "param E = range(10)\nwhere (A + B + C + D + E) % 7 == 3\n",
                            false);
    assert_int_equal(solution_find(&fixture.solution, &effort), CONSTRUCT_DONE);
    size_t expected = 0;
    for (int i = 0; i < 100000; i++)
        expected += (i / 10000 + i / 1000 % 10 + i / 100 % 10 + i / 10 % 10 + i % 10) % 7 == 3;
    assert_true(diagram_builder_count(fixture.solution.builder, fixture.solution.root) == (double)expected);
    solution_fixture_free(&fixture);
}

/* Exactly the effort that it takes is enough; one less is not. */
static void test_effort(void **state)
{
    (void)state;
    static const char text[] =
        "param A = range(1, 9)\nparam B = range(1, 9)\nparam C = range(1, 9)\nwhere A ^ B ^ C < 3\n";
    struct solution_fixture fixture;
    size_t effort = 100000;
    solution_fixture_create(&fixture, text, false);
    assert_int_equal(solution_find(&fixture.solution, &effort), CONSTRUCT_DONE);
    size_t taken = 100000 - effort;
    solution_fixture_free(&fixture);
    for (size_t less = 0; less < 2; less++) {
        effort = taken - less;
        solution_fixture_create(&fixture, text, false);
        assert_int_equal(solution_find(&fixture.solution, &effort), less ? CONSTRUCT_EFFORT : CONSTRUCT_DONE);
        assert_int_equal(effort, 0);
        solution_fixture_free(&fixture);
    }
}

/* A configuration that one constraint cannot decide and no other removes ends the search, unless the model is
 * lenient. */
static void test_undecided(void **state)
{
    (void)state;
    static const char text[] = "param A = [0, 1, 2]\nparam B = [0, 4, 5]\nwhere B // A > 1\nwhere A > 0 or B == 4\n";
    struct solution_fixture fixture;
    size_t effort = 1000;
    solution_fixture_create(&fixture, text, false);
    assert_int_equal(solution_find(&fixture.solution, &effort), CONSTRUCT_UNDECIDED);
    assert_int_equal(judge_point(&fixture.space.domain, 2, fixture.solution.undecided), VERDICT_UNDECIDED);
    solution_fixture_free(&fixture);
    effort = 1000;
    solution_fixture_create(&fixture, text, true);
    assert_int_equal(solution_find(&fixture.solution, &effort), CONSTRUCT_DONE);
    assert_true(diagram_builder_count(fixture.solution.builder, fixture.solution.root) ==
                (double)count_points(&fixture.space.domain, 2));
    solution_fixture_free(&fixture);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_against_brute_force),
        cmocka_unit_test(test_skips),
        cmocka_unit_test(test_memo),
        cmocka_unit_test(test_effort),
        cmocka_unit_test(test_undecided),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

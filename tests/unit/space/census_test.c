/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/unit/space/solution_fixture.h"

#include "tuner/space/census.h"

/* Brute force: count points with and without each constraint. One that cannot be evaluated removes nothing. */
static void test_against_brute_force(void **state)
{
    (void)state;
    static const char *const spaces[] = {
        ("param A = range(1, 30)\nparam B = range(1, 20)\nparam C = [1, 2, 4]\n"
         "where A * B <= 100\nwhere A > 0\nwhere A % C == 0\nwhere B >= C\nwhere A != 7\n"),
        "param A = range(4)\nparam B = range(5)\nwhere B // A >= 1\nwhere A == 0 or A % 2 == 1\nwhere 1 // (n - n) > "
        "0\n",
        "param A = range(4)\nwhere A > 9\nwhere A > 2\n",
        "param A = range(4)\n",
    };
    for (size_t s = 0; s < sizeof spaces / sizeof *spaces; s++) {
        struct space_fixture fixture;
        space_fixture_create(&fixture, spaces[s]);
        assert_true(census(&fixture.domain, 1000000));
        for (size_t i = 0; i < fixture.domain.space->constraint_count; i++) {
            double expected = (double)count_points(&fixture.domain, i) - (double)count_points(&fixture.domain, i + 1);
            assert_true(fixture.domain.removed[i] == expected);
        }
        space_fixture_free(&fixture);
    }
}

/* Counts end where the effort does. */
static void test_effort(void **state)
{
    (void)state;
    struct space_fixture fixture;
    space_fixture_create(&fixture, "param A = range(500)\nparam B = range(500)\nwhere A > 249\nwhere A ^ B != 77\n"
                                   "where B > 3\n");
    assert_true(census(&fixture.domain, 2000));
    assert_true(fixture.domain.removed[0] == 250 * 500);
    assert_true(fixture.domain.removed[1] == -1);
    assert_true(fixture.domain.removed[2] == -1);
    space_fixture_free(&fixture);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_against_brute_force),
        cmocka_unit_test(test_effort),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

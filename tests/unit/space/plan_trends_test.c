/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/unit/space/plan_fixture.h"

struct known {
    const char *values, *condition; /* of C, which comes last; with A and B in {1, 2, 3} */
    enum step_trend trend;
};

/* By hand: what a failed test of C says about the other values of C. */
static void test_last_level(void **state)
{
    (void)state;
    static const struct known cases[] = {
        {"[1, 2, 4, 8]", "A + B + C <= 9", TREND_ENDS},
        {"[1, 2, 4, 8]", "A + B + C >= 5", TREND_BEGINS},
        {"[8, 4, 2, 1]", "A + B + C <= 9", TREND_BEGINS},
        {"[8, 4, 2, 1]", "A + B + C >= 5", TREND_ENDS},
        {"[1, 2, 4, 8]", "A * C == B * 4", TREND_RISES},
        {"[1, 2, 4, 8]", "B * 4 == A * C", TREND_FALLS},
        {"[8, 4, 2, 1]", "A * C == B * 4", TREND_FALLS},
        {"[1, 2, 4, 8]", "C % (A * B) == 0", TREND_MULTIPLES},
        {"[1, 2, 4, 8]", "(A * B * 4) % C == 0", TREND_DIVISORS},
        {"[8, 4, 2, 1]", "C % (A * B) == 0", TREND_NONE},
        {"[0, 2, 4, 8]", "C % (A * B) == 0", TREND_NONE},
        {"[1, 2, 4, 8]", "C % (A * B) == 1", TREND_NONE},
        {"[1, 2, 4, 8]", "(C + 1) % (A * B) == 0", TREND_NONE},
        {"[1, 2, 4, 8]", "(A + C) % (B + C) == 0", TREND_NONE},
        {"[1, 8, 2, 4]", "A + B + C <= 9", TREND_NONE},
        {"[1, 2, \"x\"]", "A != C or B > 2", TREND_NONE},
        {"[1, 2, 4, 8]", "A ^ B ^ C < 4", TREND_NONE},
        {"[0, 1, 2, 4]", "A * B // C <= 3", TREND_NONE}, /* it may fail */
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct plan_fixture fixture;
        char text[200];
        snprintf(text, sizeof text, "param A = [1, 2, 3]\nparam B = [1, 2, 3]\nparam C = %s\nwhere %s\n",
                 cases[i].values, cases[i].condition);
        plan_fixture_create(&fixture, text);
        const struct plan_step *step = plan_fixture_step(&fixture, 2, STEP_REQUIRE);
        assert_non_null(step);
        if (step->trend != cases[i].trend)
            fail_msg("%s with %s: %d", cases[i].condition, cases[i].values, step->trend);
        plan_fixture_free(&fixture);
    }
}

/* Tests of ranges have trends, too, except for divisibility. */
static void test_first_level(void **state)
{
    (void)state;
    static const struct known cases[] = {
        {"", "A * B <= 40", TREND_ENDS},
        {"", "B * 6 <= A", TREND_BEGINS},
        {"", "A * 3 == B + 2", TREND_RISES},
        {"", "A % B == 0", TREND_NONE},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct plan_fixture fixture;
        char text[200];
        snprintf(text, sizeof text, "param A = range(1, 30)\nparam B = range(1, 10)\nwhere %s\n", cases[i].condition);
        plan_fixture_create(&fixture, text);
        const struct plan_step *step = plan_fixture_step(&fixture, 0, STEP_EXPECT);
        assert_non_null(step);
        assert_int_equal(step->trend, cases[i].trend);
        plan_fixture_free(&fixture);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_last_level),
        cmocka_unit_test(test_first_level),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

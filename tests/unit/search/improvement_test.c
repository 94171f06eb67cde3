/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/unit/search/landscape.h"

#include "tuner/search/improvement.h"

/* Expected values by Simpson's rule from the definition, E[max(0, best - x)]. */
static void test_values(void **state)
{
    (void)state;
    static const struct {
        double best, mean, deviation, expected;
    } cases[] = {
        {1, 1, 1, -0.9189385332},    {2, 1, 0.5, 0.0042363652},    {1, 2, 0.25, -13.2353559387},
        {0, 3, 0.5, -23.2720265727}, {0, 3, 0.2, -120.4576085965}, {0, 11, 1, -66.2388415539},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        double actual = log_expected_improvement(cases[i].best, cases[i].mean, cases[i].deviation);
        assert_true(fabs(actual - cases[i].expected) < 1e-3);
    }
}

/* E[max(0, best - x)] grows without bound as the mean falls: best - mean, far below. */
static void test_certain_improvement(void **state)
{
    (void)state;
    assert_true(fabs(log_expected_improvement(1000, 0, 1) - log(1000)) < 1e-9);
    assert_true(fabs(log_expected_improvement(3, 1, 1e-6) - log(2)) < 1e-9);
}

/* Finite and falling far beyond where the expected improvement underflows, and across the change of formula at z =
 * -10.
 */
static void test_monotone(void **state)
{
    (void)state;
    double last = INFINITY;
    for (double mean = 0; mean < 60; mean += 0.01) {
        double now = log_expected_improvement(0, mean, 1);
        assert_true(isfinite(now) && now < last);
        last = now;
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_values),
        cmocka_unit_test(test_certain_improvement),
        cmocka_unit_test(test_monotone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: Apache-2.0 */
/* The reference of reduction: the sum of x. */
#include "tests/unit/measure/references.h"

static void check_reduction(const struct fixture *fixture)
{
    int n = size_of(fixture, "n");
    float *x = fetch_input(fixture, "x", n);
    struct expected total = fetch_expected(fixture, "total", 1, false);
    struct sum sum = {0};
    for (int i = 0; i < n; i++)
        add(&sum, x[i], fabsl((long double)x[i]));
    assert_sum(&total, 0, sum, n);
    free_expected(&total);
    free(x);
}

static void reduction(void **state)
{
    static const int64_t counts[] = {1, 2, 333, 4095, 4096, 4097, 70001};
    (void)state;
    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++)
        check_template("reduction", &(struct size_setting){"n", counts[i]}, 1, check_reduction);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reduction),
    };
    return cmocka_run_group_tests_name("references of reduction", tests, open_kernels, close_kernels);
}

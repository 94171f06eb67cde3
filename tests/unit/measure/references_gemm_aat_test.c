/* SPDX-License-Identifier: Apache-2.0 */
/* The reference of gemm_aat: C = A Aᵀ. */
#include "tests/unit/measure/references.h"

static void check_gemm_aat(const struct fixture *fixture)
{
    int n = size_of(fixture, "N"), k = size_of(fixture, "K");
    float *a = fetch_input(fixture, "A", n * k);
    struct expected c = fetch_expected(fixture, "C", n * n, false);
    for (int i = 0; i < n; i++) {
        for (int j = 0; j <= i; j++) {
            struct sum sum = {0};
            for (int p = 0; p < k; p++) {
                long double term = (long double)a[i * k + p] * a[j * k + p];
                add(&sum, term, fabsl(term));
            }
            assert_sum(&c, i * n + j, sum, k);
            assert_sum(&c, j * n + i, sum, k);
        }
    }
    free_expected(&c);
    free(a);
}

static void gemm_aat(void **state)
{
    const struct size_setting odd[] = {{"N", 19}, {"K", 23}}, row[] = {{"K", 5}};
    (void)state;
    check_template("gemm_aat", NULL, 0, check_gemm_aat);
    check_template("gemm_aat", odd, 2, check_gemm_aat);
    check_template("gemm_aat", row, 1, check_gemm_aat);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(gemm_aat),
    };
    return cmocka_run_group_tests_name("references of gemm_aat", tests, open_kernels, close_kernels);
}

/* SPDX-License-Identifier: Apache-2.0 */
/* The reference of gemm: C = A B. */
#include "tests/unit/measure/references.h"

static void check_gemm(const struct fixture *fixture)
{
    int m = size_of(fixture, "M"), n = size_of(fixture, "N"), k = size_of(fixture, "K");
    float *a = fetch_input(fixture, "A", m * k), *b = fetch_input(fixture, "B", k * n);
    struct expected c = fetch_expected(fixture, "C", m * n, false);
    for (int i = 0; i < m; i++) {
        for (int j = 0; j < n; j++) {
            struct sum sum = {0};
            for (int p = 0; p < k; p++) {
                long double term = (long double)a[i * k + p] * b[p * n + j]; /* exact, also in double */
                add(&sum, term, fabsl(term));
            }
            assert_sum(&c, i * n + j, sum, k);
        }
    }
    free_expected(&c);
    free(a);
    free(b);
}

static void gemm(void **state)
{
    const struct size_setting odd[] = {{"M", 19}, {"N", 13}, {"K", 23}}, row[] = {{"N", 67}, {"K", 5}};
    (void)state;
    check_template("gemm", NULL, 0, check_gemm);
    check_template("gemm", odd, 3, check_gemm);
    check_template("gemm", row, 2, check_gemm);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(gemm),
    };
    return cmocka_run_group_tests_name("references of gemm", tests, open_kernels, close_kernels);
}

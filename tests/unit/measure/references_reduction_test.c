/* SPDX-License-Identifier: Apache-2.0 */
/* The reference of reduction: the sum of x, or its least or greatest number and where the first of them is. */
#include "tests/unit/measure/references.h"

enum { SUM = 1, MINIMUM, MAXIMUM, WHERE_MINIMUM, WHERE_MAXIMUM };

static void check_sum(const struct fixture *fixture, const float *x, int n)
{
    struct expected total = fetch_expected(fixture, "total", 1, false);
    struct sum sum = {0};
    for (int i = 0; i < n; i++)
        add(&sum, x[i], fabsl((long double)x[i]));
    assert_sum(&total, 0, sum, n);
    free_expected(&total);
}

/* By counting: how many numbers are beyond that, and how many as far before it. */
static void check_extreme(const struct fixture *fixture, const float *x, int n, bool least, int index)
{
    struct expected total = fetch_expected(fixture, "total", 1, true);
    double value = total.values[0];
    int beyond = 0, numbers = 0, first = -1;
    for (int i = 0; i < n; i++) {
        numbers += !isnan(x[i]);
        beyond += least ? x[i] < value : x[i] > value;
        if (first < 0 && (x[i] == value || (isnan(x[i]) && isnan(value))))
            first = i;
    }
    assert_int_equal(beyond, 0);
    assert_true(first >= 0);
    assert_true(isnan(value) == (numbers == 0));
    assert_int_equal(index, first);
    free_expected(&total);
}

static void check_reduction(const struct fixture *fixture)
{
    int n = size_of(fixture, "n"), operation = size_of(fixture, "OPERATION"), whole = size_of(fixture, "WHOLE");
    float *x = fetch_input(fixture, "x", n);
    struct expected index = fetch_expected(fixture, "index", 1, true);
    bool some_nan = false;
    for (int i = 0; i < n; i++) {
        some_nan = some_nan || isnan(x[i]);
        assert_true(whole == 1 || isnan(x[i]) ||
                    (x[i] == rintf(x[i]) && fabsf(x[i]) <= (float)(whole + (i == n - 1))));
    }
    assert_true(some_nan == (operation > SUM && whole > 1 && n > 1));
    if (operation == WHERE_MAXIMUM && whole > 1)
        assert_int_equal((int)index.values[0], n - 1);
    int found = (int)index.values[0];
    if (operation == SUM)
        check_sum(fixture, x, n);
    if (operation == WHERE_MINIMUM || operation == WHERE_MAXIMUM)
        check_extreme(fixture, x, n, operation == WHERE_MINIMUM, found);
    else
        assert_int_equal(found, -1);
    free_expected(&index);
    free(x);
}

/* Without an index it is that of the same values with one. */
static double total_of(int64_t n, int operation, int64_t whole)
{
    const struct size_setting sizes[] = {{"n", n}, {"OPERATION", operation}, {"WHOLE", whole}};
    struct shipped shipped;
    struct job *job;
    shipped_open(&shipped, "reduction", "full", &kernels.description, sizes, 3);
    must(job_lower(shipped.problem, 0, 1, &job, &error));
    struct fixture fixture = {.job = job, .sizes = &job->cases[JOB_TUNED]};
    must(instance_create(&kernels, programs, job, JOB_TUNED, &fixture.instance, &error));
    struct expected total = fetch_expected(&fixture, "total", 1, true);
    double value = total.values[0];
    free_expected(&total);
    instance_free(&kernels, fixture.instance);
    job_free(job);
    shipped_close(&shipped);
    return value;
}

static void reduction(void **state)
{
    static const int64_t counts[] = {1, 2, 333, 4095, 4096, 4097, 70001};
    (void)state;
    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++)
        for (int operation = SUM; operation <= WHERE_MAXIMUM; operation++) {
            const struct size_setting sizes[] = {
                {"n", counts[i]}, {"OPERATION", operation}, {"WHOLE", i % 2 ? 8 : 1}};
            check_template("reduction", sizes, 3, check_reduction);
        }
    for (int64_t whole = 1; whole <= 4; whole += 3) {
        assert_true(total_of(1001, MINIMUM, whole) == total_of(1001, WHERE_MINIMUM, whole));
        assert_true(total_of(1001, MAXIMUM, whole) == total_of(1001, WHERE_MAXIMUM, whole));
        assert_true(total_of(1001, MINIMUM, whole) < total_of(1001, MAXIMUM, whole));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reduction),
    };
    return cmocka_run_group_tests_name("references of reduction", tests, open_kernels, close_kernels);
}

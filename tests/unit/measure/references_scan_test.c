/* SPDX-License-Identifier: Apache-2.0 */
/* What verifies the results of scan: right ones have no error; one that is wrong or missing shows where it is. */
#include "tests/unit/measure/references.h"

enum { FLOATS = 1, INTEGERS = 2, EXCLUSIVE = 2 };

/* Bits, since the results may be integers. */
static uint32_t *right_results(const struct fixture *fixture, const float *x, int n)
{
    bool exclusive = size_of(fixture, "KIND") == EXCLUSIVE, integers = size_of(fixture, "NUMBERS") == INTEGERS;
    uint32_t *results = calloc((size_t)n, sizeof *results), whole = 0;
    long double sum = 0;
    assert_non_null(results);
    for (int i = 0; i < n; i++) {
        uint32_t bits;
        memcpy(&bits, &x[i], sizeof bits);
        float before = (float)sum;
        uint32_t whole_before = whole;
        sum += x[i];
        whole += bits;
        float upto = (float)sum;
        if (integers)
            results[i] = exclusive ? whole_before : whole;
        else
            memcpy(&results[i], exclusive ? &before : &upto, sizeof *results);
    }
    return results;
}

static double *errors_of(const struct fixture *fixture, const uint32_t *results, int n, int *parts)
{
    const struct instance_buffer *buffer = buffer_of(fixture, "errors");
    store_result(fixture, "y", results, (size_t)n * sizeof *results);
    run_verify(fixture);
    *parts = (int)buffer->extent;
    return fetch(buffer->memory.address, (size_t)buffer->extent * sizeof(double));
}

static void assert_no_errors(const struct fixture *fixture, const uint32_t *results, int n)
{
    bool exact = size_of(fixture, "NUMBERS") == INTEGERS || size_of(fixture, "WHOLE") > 1;
    int parts;
    double *errors = errors_of(fixture, results, n, &parts);
    for (int part = 0; part < parts; part++)
        assert_true(exact ? errors[part] == 0 : errors[part] <= 0x1p-24); /* a rounding of the result */
    free(errors);
}

/* In the part of result `at`, an error of at least that; elsewhere none. */
static void assert_error_at(const struct fixture *fixture, const uint32_t *results, int n, int at, double least)
{
    int parts;
    double *errors = errors_of(fixture, results, n, &parts);
    int length = parts > 1 ? 256 : n;
    for (int part = 0; part < parts; part++)
        assert_true(part == at / length ? errors[part] >= least : errors[part] <= 0x1p-24);
    free(errors);
}

static void check_wrong(const struct fixture *fixture, uint32_t *results, const float *x, int n, int at)
{
    bool exact = size_of(fixture, "NUMBERS") == INTEGERS || size_of(fixture, "WHOLE") > 1;
    uint32_t right = results[at];
    double absolute = 0;
    float value, wrong, nan = NAN;
    for (int i = 0; i <= at; i++)
        absolute += fabs((double)x[i]);
    memcpy(&value, &right, sizeof value);
    wrong = value + 1;
    results[at] ^= 1;
    if (exact && wrong != value)
        assert_error_at(fixture, results, n, at, 1);
    memcpy(&results[at], &wrong, sizeof wrong);
    if (!exact && absolute > 0)
        assert_error_at(fixture, results, n, at, fmin(1, 0.99 / absolute));
    memcpy(&results[at], &nan, sizeof nan);
    assert_error_at(fixture, results, n, at, 1);
    results[at] = right;
}

static void check_scan(const struct fixture *fixture)
{
    int n = size_of(fixture, "n"), whole = size_of(fixture, "WHOLE");
    float *x = fetch_input(fixture, "x", n);
    bool is_whole = true, varies = false;
    for (int i = 0; i < n; i++) {
        is_whole = is_whole && x[i] == rintf(x[i]);
        varies = varies || x[i] != x[0];
        assert_true(fabsf(x[i]) <= (float)whole);
    }
    assert_true(varies || n < 10);
    assert_true(is_whole == (whole > 1 && size_of(fixture, "NUMBERS") == FLOATS));
    uint32_t *results = right_results(fixture, x, n);
    assert_no_errors(fixture, results, n);
    for (int i = 0; i < 4; i++)
        check_wrong(fixture, results, x, n, (int)((int64_t)(n - 1) * i / 3));
    free(results);
    free(x);
}

static void scan(void **state)
{
    static const int64_t counts[] = {1, 2, 255, 256, 257, 70001};
    (void)state;
    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++)
        for (int kind = 1; kind <= 2; kind++)
            for (int numbers = 1; numbers <= 2; numbers++) {
                const struct size_setting sizes[] = {
                    {"n", counts[i]}, {"KIND", kind}, {"NUMBERS", numbers}, {"WHOLE", i % 2 ? 8 : 1}};
                check_template("scan", sizes, 4, check_scan);
            }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(scan),
    };
    return cmocka_run_group_tests_name("references of scan", tests, open_kernels, close_kernels);
}

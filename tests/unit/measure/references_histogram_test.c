/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The reference of histogram: how often each value occurs among the samples. The samples are what their shape
 * promises: about as many of each, many zeros, all the same, or rising.
 */
#include "tests/unit/measure/references.h"

static uint16_t *fetch_samples(const struct fixture *fixture, int n, int bits)
{
    const struct instance_buffer *buffer = buffer_of(fixture, "samples");
    assert_int_equal(buffer->extent, n * bits / 8);
    if (bits == 16)
        return fetch(buffer->memory.address, (size_t)n * 2);
    uint8_t *bytes = fetch(buffer->memory.address, (size_t)n);
    uint16_t *samples = malloc((size_t)n * sizeof *samples);
    assert_non_null(samples);
    for (int i = 0; i < n; i++)
        samples[i] = bytes[i];
    free(bytes);
    return samples;
}

enum { UNIFORM = 1, SKEWED, CONSTANT, RISING };

/* Of enough samples to tell. */
static void check_shape(const uint16_t *samples, int n, int bits, int shape)
{
    int zeros = 0, falls = 0, changes = 0;
    for (int i = 0; i < n; i++) {
        zeros += samples[i] == 0;
        falls += i > 0 && samples[i] < samples[i - 1];
        changes += i > 0 && samples[i] != samples[i - 1];
    }
    double skewed = pow(15.0 / 16, bits) * n; /* zeros to expect; 6 deviations are less than sqrt(9 n) */
    assert_true(shape != UNIFORM || (zeros < n / 64 && falls > n / 4 && falls < 3 * n / 4));
    assert_true(shape != SKEWED || fabs(zeros - skewed) < sqrt(9.0 * n));
    assert_true(shape != CONSTANT || changes == 0);
    assert_true(shape != RISING || (falls == 0 && changes == (1 << bits) - 1));
}

static void check_histogram(const struct fixture *fixture)
{
    int n = size_of(fixture, "n"), bits = size_of(fixture, "BITS"), bins = 1 << bits;
    uint16_t *samples = fetch_samples(fixture, n, bits);
    struct expected result = fetch_expected(fixture, "result", bins, true);
    int *counts = calloc((size_t)bins, sizeof *counts);
    assert_non_null(counts);
    for (int i = 0; i < n; i++)
        counts[samples[i]]++;
    for (int bin = 0; bin < bins; bin++)
        assert_within("value", &result, bin, result.values[bin], counts[bin], 0);
    if (n > 1 << 17)
        check_shape(samples, n, bits, size_of(fixture, "SHAPE"));
    free(counts);
    free_expected(&result);
    free(samples);
}

static void check_sizes(int bits, int n, int shape)
{
    const struct size_setting sizes[] = {{"BITS", bits}, {"n", n}, {"SHAPE", shape}};
    check_template("histogram", sizes, 3, check_histogram);
}

static void bytes(void **state)
{
    (void)state;
    check_sizes(8, 1, UNIFORM);
    check_sizes(8, 2, SKEWED);
    for (int shape = UNIFORM; shape <= RISING; shape++)
        check_sizes(8, 131077, shape);
}

static void shorts(void **state)
{
    (void)state;
    check_sizes(16, 333, CONSTANT);
    for (int shape = UNIFORM; shape <= RISING; shape++)
        check_sizes(16, 131077, shape);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bytes),
        cmocka_unit_test(shorts),
    };
    return cmocka_run_group_tests_name("references of histogram", tests, open_kernels, close_kernels);
}

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The recorded measurements in $TUNE_TEST_DATA/recorded, or ../shared/data/recorded beside the repository; the tests
 * are skipped without them. The expected numbers were counted with Python's json module.
 */
#include "tuner/formats/recording_file.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#define assert_near(a, b, tolerance) assert_true(fabs((a) - (b)) <= (tolerance))

static void path_of(const char *name, char *path, size_t size)
{
    const char *folder = getenv("TUNE_TEST_DATA");
    snprintf(path, size, "%s/recorded/%s", folder ? folder : TUNE_SOURCE_FOLDER "/../shared/data", name);
}

static struct recording *read_one(const char *name, struct recordings *recordings)
{
    char path[4096];
    struct error error;
    path_of(name, path, sizeof path);
    if (access(path, R_OK) != 0)
        skip();
    if (!recordings_read(path, recordings, &error))
        fail_msg("%s", error.text);
    assert_int_equal(recordings->count, 1);
    return recordings->items[0];
}

struct published {
    const char *file, *name;
    size_t parameters, count, compile, launch;
};

static void test_counts(void **state)
{
    const struct published *published = *state;
    struct recordings recordings = {0};
    const struct recording *recording = read_one(published->file, &recordings);
    assert_string_equal(recording->name, published->name);
    assert_int_equal(recording->parameter_count, published->parameters);
    assert_int_equal(recording->count, published->count);
    size_t of_outcome[OUTCOME_COUNT] = {0};
    for (size_t i = 0; i < recording->count; i++)
        of_outcome[recording->results[i].outcome]++;
    assert_int_equal(of_outcome[OUTCOME_COMPILE_ERROR], published->compile);
    assert_int_equal(of_outcome[OUTCOME_LAUNCH_ERROR], published->launch);
    assert_int_equal(of_outcome[OUTCOME_OK], published->count - published->compile - published->launch);
    assert_int_equal(recording_valid_count(recording), of_outcome[OUTCOME_OK]);
    recordings_clear(&recordings);
}

/* The first entry of the file. */
static void test_entry(void **state)
{
    (void)state;
    struct recordings recordings = {0};
    const struct recording *recording = read_one("dedispersion_A100_T4.json.gz", &recordings);
    static const char *const names[] = {
        "block_size_x", "block_size_y",  "block_size_z",  "tile_size_x",
        "tile_size_y",  "tile_stride_x", "tile_stride_y", "loop_unroll_factor_channel"};
    static const int64_t values[] = {1, 32, 1, 1, 1, 0, 0, 0};
    for (size_t i = 0; i < 8; i++) {
        assert_string_equal(recording->parameters[i].name, names[i]);
        assert_int_equal(recording->parameters[i].values[recording->rows[i]].integer, values[i]);
    }
    const struct recorded_result *result = &recording->results[0];
    assert_near(result->time_ns, 73.55395197868347e6, 1e-6);
    assert_near(result->compile_seconds, 0.49972650897689164, 1e-12);
    assert_near(result->validate_seconds, 0.3413007310591638, 1e-12);
    assert_near(result->framework_seconds, 0.24833483365364373, 1e-12);
    assert_int_equal(result->sample_count, 32);
    assert_near(result->samples_ns[0], 73.68498992919922e6, 1e-6);
    double sum = 0;
    for (size_t i = 0; i < result->sample_count; i++)
        sum += result->samples_ns[i] * 1e-9;
    assert_near(result->measure_seconds, sum, 1e-12);
    assert_near(result->time_ns * 32e-9, sum, 1e-9); /* Kernel Tuner's objective is the mean */
    assert_string_equal(result->timestamp, "2023-06-26 13:07:07.553168+00:00");
    recordings_clear(&recordings);
}

/* One run in two formats: the same configurations, times, failures and compile times. */
static void test_same_in_both_formats(void **state)
{
    (void)state;
    struct recordings both = {0};
    read_one("convolution_A100_T4.json.gz", &both);
    char path[4096];
    struct error error;
    path_of("convolution_A100_kerneltuner_cache.json.gz", path, sizeof path);
    assert_true(recordings_read(path, &both, &error));
    const struct recording *t4 = both.items[0], *cache = both.items[1];
    assert_string_equal(cache->kernel, "convolution_kernel");
    assert_string_equal(cache->device, "NVIDIA A100-PCIE-40GB");
    assert_string_equal(cache->size, "4096x4096");
    assert_int_equal(t4->count, cache->count);
    assert_int_equal(t4->parameter_count, cache->parameter_count);
    assert_memory_equal(t4->rows, cache->rows, t4->count * t4->parameter_count * sizeof *t4->rows);
    for (size_t i = 0; i < t4->count; i++) {
        const struct recorded_result *a = &t4->results[i], *b = &cache->results[i];
        assert_int_equal(a->outcome, b->outcome);
        assert_string_equal(a->message, b->message);
        assert_true(a->time_ns == b->time_ns && a->compile_seconds == b->compile_seconds);
        assert_string_equal(a->timestamp, b->timestamp);
    }
    /* of the first entry; T4 has only the sum of the samples, the cache the time spent on measuring */
    assert_near(cache->results[0].measure_seconds, 0.1263829180970788, 1e-12);
    recordings_clear(&both);
}

#define PUBLISHED(name, parameters, count, compile, launch)                                                          \
    {                                                                                                                \
        "recorded " name, test_counts, NULL, NULL, &(struct published)                                               \
        {                                                                                                            \
            name "_T4.json.gz", name, parameters, count, compile, launch                                             \
        }                                                                                                            \
    }

int main(void)
{
    const struct CMUnitTest tests[] = {
        PUBLISHED("convolution_A100", 10, 4362, 6, 155),
        PUBLISHED("convolution_A6000", 10, 4362, 252, 221),
        PUBLISHED("convolution_MI250X", 10, 4362, 0, 0),
        PUBLISHED("dedispersion_A100", 8, 11130, 0, 0),
        PUBLISHED("dedispersion_A4000", 8, 11130, 0, 0),
        PUBLISHED("dedispersion_MI250X", 8, 11130, 0, 0),
        cmocka_unit_test(test_entry),
        cmocka_unit_test(test_same_in_both_formats),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

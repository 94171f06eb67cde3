/* SPDX-License-Identifier: Apache-2.0 */
/* Timing on a fake device whose clock and state are what the test says. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tuner/measure/timing.h"

#include <stdlib.h>
#include <string.h>

static struct fake {
    char calls[4096]; /* a letter for each call */
    size_t call_count;
    double nanoseconds; /* of every launch sequence */
    const struct device_state *states;
    size_t state_count, states_told;
} fake;

static void note_call(char letter)
{
    if (fake.call_count < sizeof fake.calls - 1)
        fake.calls[fake.call_count++] = letter;
}

static bool flush_cache(struct device *device, struct error *error)
{
    (void)device, (void)error;
    note_call('f');
    return true;
}

static bool blocking_kernel(struct device *device, struct error *error)
{
    (void)device, (void)error;
    note_call('b');
    return true;
}

static bool start(struct device *device, struct error *error)
{
    (void)device, (void)error;
    note_call('<');
    return true;
}

static bool stop(struct device *device, double *nanoseconds, struct error *error)
{
    (void)device, (void)error;
    note_call('>');
    *nanoseconds = fake.nanoseconds;
    return true;
}

/* The states in turn, and the last one ever after. */
static void state_now(struct device *device, struct device_state *state)
{
    (void)device;
    note_call('s');
    size_t i = fake.states_told++;
    *state = fake.states[i < fake.state_count ? i : fake.state_count - 1];
}

static const struct device_driver driver = {
    .kind = "fake",
    .blocking_kernel = blocking_kernel,
    .start = start,
    .stop = stop,
    .flush_cache = flush_cache,
    .state = state_now,
};
static const struct device_state cool = {1900, 2600, 50, 300000, 0};
static const struct device_state hot = {1900, 2600, 95, 300000, REASON_SW_THERMAL};
static const struct job_steps no_steps;
static const struct instance no_buffers;
static const struct timed timed = {NULL, &no_steps, &no_buffers};

static struct validation_kernels open_kernels(const struct device_state *states, size_t state_count)
{
    fake = (struct fake){.nanoseconds = 1e6, .states = states, .state_count = state_count};
    struct validation_kernels kernels = {.driver = &driver};
    kernels.description.clock_khz = 1980000;
    return kernels;
}

static struct evaluation measure(struct validation_kernels *kernels, size_t samples)
{
    struct evaluation evaluation = {0};
    struct error error = {0};
    const struct evaluation_effort effort = {.samples = samples};
    assert_true(timing_run(kernels, &timed, &sampling_default, &effort, 0, &evaluation, &error));
    assert_true(evaluation.time_ns == fake.nanoseconds);
    return evaluation;
}

static void every_sample_is_flushed_and_held(void **state)
{
    (void)state;
    struct validation_kernels kernels = open_kernels(&cool, 1);
    struct evaluation evaluation = measure(&kernels, 3);
    assert_string_equal(fake.calls, "fb<>fb<>fb<>s");
    assert_int_equal(evaluation.sample_count, 3);
    assert_int_equal(evaluation.throttled, 0);
    assert_int_equal(evaluation.state.temperature_c, 50);
    evaluation_clear(&evaluation);
}

static void throttled_samples_are_taken_again(void **state)
{
    (void)state;
    const struct device_state states[] = {hot, hot, cool};
    struct validation_kernels kernels = open_kernels(states, 3);
    struct evaluation evaluation = measure(&kernels, 2);
    assert_string_equal(fake.calls, "fb<>fb<>fb<>sfb<>fb<>sfb<>fb<>s"); /* one more, for an even launch */
    assert_int_equal(evaluation.sample_count, 2);
    assert_int_equal(evaluation.throttled, 5);
    assert_int_equal(evaluation.state.throttle_reasons, 0);
    evaluation_clear(&evaluation);
}

static void throttling_without_end_is_kept_and_marked(void **state)
{
    (void)state;
    const struct device_state slow = {900, 2600, 50, 300000, 0};
    struct validation_kernels kernels = open_kernels(&slow, 1);
    /* No repeats any more after three in a row. The first try takes one sample more, for an even launch. */
    static const int64_t throttled[] = {9, 9, 9, 3, 3}, kept[] = {2, 2, 2, 3, 3};
    for (size_t i = 0; i < sizeof throttled / sizeof throttled[0]; i++) {
        struct evaluation evaluation = measure(&kernels, 2);
        assert_int_equal(evaluation.throttled, throttled[i]);
        assert_int_equal(evaluation.sample_count, kept[i]);
        assert_int_equal(evaluation.state.sm_clock_mhz, 900);
        evaluation_clear(&evaluation);
    }
    fake.states = &cool;
    fake.states_told = 0;
    struct evaluation evaluation = measure(&kernels, 2);
    assert_int_equal(evaluation.throttled, 0);
    evaluation_clear(&evaluation);
    fake.states = &slow;
    evaluation = measure(&kernels, 2);
    assert_int_equal(evaluation.throttled, 9);
    evaluation_clear(&evaluation);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_sample_is_flushed_and_held),
        cmocka_unit_test(throttled_samples_are_taken_again),
        cmocka_unit_test(throttling_without_end_is_kept_and_marked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

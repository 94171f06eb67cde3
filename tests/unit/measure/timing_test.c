/* SPDX-License-Identifier: Apache-2.0 */
/* Timing and energy on a device made up here: its clock, its state and its energy are what the test says. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tuner/measure/energy.h"
#include "tuner/measure/throttle.h"
#include "tuner/measure/timing.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static struct made_up {
    char calls[4096]; /* a letter for each call */
    size_t call_count;
    double nanoseconds; /* of every launch sequence */
    const struct device_state *states;
    size_t state_count, states_told;
    double watts, step_seconds; /* the counter moves this often; 0: it never does */
    long look_nanoseconds;      /* that the counter takes to answer */
    size_t looks, waits;
    struct timespec opened;
} made_up;

static void note_call(char letter)
{
    if (made_up.call_count < sizeof made_up.calls - 1)
        made_up.calls[made_up.call_count++] = letter;
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
    *nanoseconds = made_up.nanoseconds;
    return true;
}

/* The states in turn, and the last one ever after. */
static void state_now(struct device *device, struct device_state *state)
{
    (void)device;
    note_call('s');
    size_t i = made_up.states_told++;
    *state = made_up.states[i < made_up.state_count ? i : made_up.state_count - 1];
}

static double seconds_open(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)(now.tv_sec - made_up.opened.tv_sec) + 1e-9 * (double)(now.tv_nsec - made_up.opened.tv_nsec);
}

/* Steady power, told in steps. */
static bool energy(struct device *device, double *joules, struct error *error)
{
    (void)device, (void)error;
    const struct timespec look = {.tv_nsec = made_up.look_nanoseconds};
    made_up.looks++;
    if (look.tv_nsec > 0)
        nanosleep(&look, NULL);
    *joules = 1000;
    if (made_up.step_seconds > 0)
        *joules += made_up.watts * made_up.step_seconds * floor(seconds_open() / made_up.step_seconds);
    return true;
}

/* A device that is busy for as long as it says. */
static bool synchronize(struct device *device, struct error *error)
{
    (void)device, (void)error;
    const struct timespec rest = {.tv_nsec = 2000000};
    made_up.waits++;
    nanosleep(&rest, NULL);
    return true;
}

static const struct device_driver driver = {
    .kind = "made up",
    .synchronize = synchronize,
    .blocking_kernel = blocking_kernel,
    .start = start,
    .stop = stop,
    .flush_cache = flush_cache,
    .state = state_now,
    .energy = energy,
};
static const struct device_state cool = {1900, 2600, 50, 300000, 0};
static const struct device_state hot = {1900, 2600, 95, 300000, REASON_SW_THERMAL};
static const struct job_steps no_steps;
static const struct instance no_buffers;
static const struct timed timed = {NULL, &no_steps, &no_buffers};

static struct validation_kernels open_kernels(const struct device_state *states, size_t state_count)
{
    made_up = (struct made_up){.nanoseconds = 1e6, .states = states, .state_count = state_count, .watts = 400};
    clock_gettime(CLOCK_MONOTONIC, &made_up.opened);
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
    assert_true(evaluation.time_ns == made_up.nanoseconds);
    return evaluation;
}

static void every_sample_is_flushed_and_held(void **state)
{
    (void)state;
    struct validation_kernels kernels = open_kernels(&cool, 1);
    struct evaluation evaluation = measure(&kernels, 3);
    assert_string_equal(made_up.calls, "fb<>fb<>fb<>s");
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
    assert_string_equal(made_up.calls, "fb<>fb<>fb<>sfb<>fb<>sfb<>fb<>s"); /* one more, for an even launch */
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
    made_up.states = &cool;
    made_up.states_told = 0;
    struct evaluation evaluation = measure(&kernels, 2);
    assert_int_equal(evaluation.throttled, 0);
    evaluation_clear(&evaluation);
    made_up.states = &slow;
    evaluation = measure(&kernels, 2);
    assert_int_equal(evaluation.throttled, 9);
    evaluation_clear(&evaluation);
}

static void throttling_is_told_from_usual_states(void **state)
{
    (void)state;
    static const struct {
        int64_t mhz, reasons;
        enum throttle throttle;
    } table[] = {
        {1980, 0, THROTTLE_NONE},
        {1485, 0, THROTTLE_NONE}, /* 75 % of 1980 */
        {1484, 0, THROTTLE_CLOCK},
        {1484, REASON_IDLE, THROTTLE_CLOCK},
        {1600, REASON_POWER_CAP, THROTTLE_NONE},
        {1400, REASON_POWER_CAP, THROTTLE_HEAT},
        {1980, REASON_HW_SLOWDOWN, THROTTLE_HEAT},
        {1980, REASON_SW_THERMAL, THROTTLE_HEAT},
        {1980, REASON_HW_THERMAL, THROTTLE_HEAT},
        {1980, REASON_POWER_BRAKE | REASON_CLOCKS_SET, THROTTLE_HEAT},
        {600, REASON_CLOCKS_SET, THROTTLE_NONE},
        {-1, -1, THROTTLE_NONE},
        {-1, 0, THROTTLE_NONE},
        {1980, -1, THROTTLE_NONE},
    };
    const struct device_description description = {.clock_khz = 1980000}, unknown = {0};
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        const struct device_state now = {table[i].mhz, -1, -1, -1, table[i].reasons};
        assert_int_equal(throttle_of(&now, &description), table[i].throttle);
    }
    const struct device_state slow = {100, -1, -1, -1, 0};
    assert_int_equal(throttle_of(&slow, &unknown), THROTTLE_NONE);
}

/* 500 W: 50 J in steps of 0.1 s, each seen at most 1 ms late; a run of 2 ms takes 1 J. */
static void energy_is_power_times_time(void **state)
{
    (void)state;
    const struct energy_step steps[] = {
        {1.000, 0.001, 100}, {1.100, 0.001, 150}, {1.200, 0.001, 200}, {1.300, 0.001, 250}, {1.400, 0.001, 300}};
    double joules, error_joules;
    assert_true(energy_of_steps(steps, 5, 2e-3, &joules, &error_joules));
    assert_true(fabs(joules - 1) < 1e-9);
    assert_true(fabs(error_joules - 0.001 / 0.4) < 1e-9); /* half of 1 ms at both ends of 0.4 s */
    assert_false(energy_of_steps(steps, 2, 2e-3, &joules, &error_joules));

    /* 400 W, then 600 W: the mean is 500 W, and 100 W is how far each half is from it. */
    const struct energy_step rising[] = {{1.0, 0, 0}, {2.0, 0, 400}, {3.0, 0, 1000}};
    assert_true(energy_of_steps(rising, 3, 1e-2, &joules, &error_joules));
    assert_true(fabs(joules - 5) < 1e-9 && fabs(error_joules - 1) < 1e-9);
}

/* The time of a run is the machine's affair, the power is not: their quotient must be the power within the error. */
static void energy_of_a_steady_device_is_found(void **state)
{
    (void)state;
    struct validation_kernels kernels = open_kernels(&cool, 1);
    made_up.step_seconds = 0.02;
    struct error error = {0};
    struct evaluation evaluation = {.time_ns = 1e6};
    assert_true(energy_run(&kernels, &timed, 0.2, &evaluation, &error));
    assert_true(evaluation.energy_j > 0 && evaluation.energy_error_j > 0);
    assert_true(evaluation.energy_error_j < evaluation.energy_j);
}

/* Steps of 0.1 s at a power that falls from 800 W towards 400 W, by half each second. */
static size_t falling(struct energy_step *steps, size_t count)
{
    double joules = 0;
    for (size_t i = 0; i < count; i++) {
        double seconds = 0.1 * (double)i;
        steps[i] = (struct energy_step){seconds, 0.001, joules};
        joules += 0.1 * (400 + 400 * exp2(-seconds));
    }
    return count;
}

static void power_that_still_falls_is_not_settled(void **state)
{
    (void)state;
    struct energy_step steps[80];
    assert_false(energy_settled(steps, falling(steps, 2)));
    assert_int_equal(energy_latest(steps, 0, 1), 0);
    assert_int_equal(energy_latest(steps, 2, 0.01), 0);
    size_t count = falling(steps, 12);
    assert_int_equal(energy_latest(steps, count, 0.75), 4); /* the last is at 1.1 s */
    assert_int_equal(energy_latest(steps, count, 0.05), 9); /* three at least */
    assert_int_equal(energy_latest(steps, count, 9), 0);
    assert_false(energy_settled(steps + 4, count - 4));

    /* After 7 s it is within 1 % of 400 W, and so is what the latest steps say. */
    count = falling(steps, 80);
    size_t first = energy_latest(steps, count, 0.75);
    double joules, error_joules;
    assert_true(energy_settled(steps + first, count - first));
    assert_true(energy_of_steps(steps + first, count - first, 1, &joules, &error_joules));
    assert_true(joules > 400 && joules < 404);
}

/* Where a look takes longer than what can be queued it is a rare thing, or the device would wait for it. */
static void dear_looks_are_rare(void **state)
{
    (void)state;
    struct validation_kernels kernels = open_kernels(&cool, 1);
    made_up.step_seconds = 0.02;
    made_up.look_nanoseconds = 5000000;
    struct error error = {0};
    struct evaluation evaluation = {.time_ns = 1000};
    assert_true(energy_run(&kernels, &timed, 0.3, &evaluation, &error));
    assert_true(made_up.looks >= 3);
    assert_true(3 * made_up.looks < made_up.waits);
}

static void devices_that_do_not_count_say_so(void **state)
{
    (void)state;
    struct error error = {0};
    struct validation_kernels kernels = open_kernels(&cool, 1);
    struct evaluation evaluation = {.time_ns = 1e6};
    assert_true(energy_run(&kernels, &timed, 0.02, &evaluation, &error)); /* the counter stands still */
    assert_true(evaluation.energy_j == -1 && evaluation.energy_error_j == -1);
    struct device_driver mute = driver;
    mute.energy = NULL;
    kernels.driver = &mute;
    evaluation.energy_j = 5;
    assert_true(energy_run(&kernels, &timed, 0.02, &evaluation, &error));
    assert_true(evaluation.energy_j == -1 && evaluation.energy_error_j == -1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_sample_is_flushed_and_held),
        cmocka_unit_test(throttled_samples_are_taken_again),
        cmocka_unit_test(throttling_without_end_is_kept_and_marked),
        cmocka_unit_test(throttling_is_told_from_usual_states),
        cmocka_unit_test(energy_is_power_times_time),
        cmocka_unit_test(energy_of_a_steady_device_is_found),
        cmocka_unit_test(power_that_still_falls_is_not_settled),
        cmocka_unit_test(dear_looks_are_rare),
        cmocka_unit_test(devices_that_do_not_count_say_so),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

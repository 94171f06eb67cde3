/* SPDX-License-Identifier: Apache-2.0 */
/* Energy from the steps of a counter, and on a fake device whose power is what the test says. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tuner/measure/energy.h"

#include <math.h>
#include <time.h>

static struct fake {
    double watts, step_seconds; /* the counter moves this often; 0: never */
    long poll_nanoseconds;      /* that the counter takes to answer */
    size_t polls, waits;
    struct timespec opened;
} fake;

static double seconds_open(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)(now.tv_sec - fake.opened.tv_sec) + 1e-9 * (double)(now.tv_nsec - fake.opened.tv_nsec);
}

/* Steady power, reported in steps. */
static bool energy(struct device *device, double *joules, struct error *error)
{
    (void)device, (void)error;
    const struct timespec poll = {.tv_nsec = fake.poll_nanoseconds};
    fake.polls++;
    if (poll.tv_nsec > 0)
        nanosleep(&poll, NULL);
    *joules = 1000;
    if (fake.step_seconds > 0)
        *joules += fake.watts * fake.step_seconds * floor(seconds_open() / fake.step_seconds);
    return true;
}

/* A device that is busy for as long as it says. */
static bool synchronize(struct device *device, struct error *error)
{
    (void)device, (void)error;
    const struct timespec rest = {.tv_nsec = 2000000};
    fake.waits++;
    nanosleep(&rest, NULL);
    return true;
}

static const struct device_driver driver = {.kind = "fake", .synchronize = synchronize, .energy = energy};
static const struct job_steps no_steps;
static const struct instance no_buffers;
static const struct timed timed = {NULL, &no_steps, &no_buffers};

static struct validation_kernels open_device(void)
{
    fake = (struct fake){.watts = 400};
    clock_gettime(CLOCK_MONOTONIC, &fake.opened);
    return (struct validation_kernels){.driver = &driver};
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

/* How long a run takes is up to the machine, but the energy must have an error below itself. */
static void energy_of_a_steady_device_is_found(void **state)
{
    (void)state;
    struct validation_kernels validation = open_device();
    fake.step_seconds = 0.02;
    struct error error = {0};
    struct evaluation evaluation = {.time_ns = 1e6};
    assert_true(energy_run(&validation, &timed, 0.2, &evaluation, &error));
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

/* A poll that takes longer than what can be queued must be rare, or the device would wait for it. */
static void expensive_polls_are_rare(void **state)
{
    (void)state;
    struct validation_kernels validation = open_device();
    fake.step_seconds = 0.02;
    fake.poll_nanoseconds = 5000000;
    struct error error = {0};
    struct evaluation evaluation = {.time_ns = 1000};
    assert_true(energy_run(&validation, &timed, 0.3, &evaluation, &error));
    assert_true(fake.polls >= 3);
    assert_true(3 * fake.polls < fake.waits);
}

static void devices_that_do_not_count_say_so(void **state)
{
    (void)state;
    struct error error = {0};
    struct validation_kernels validation = open_device();
    struct evaluation evaluation = {.time_ns = 1e6};
    assert_true(energy_run(&validation, &timed, 0.02, &evaluation, &error)); /* the counter never moves */
    assert_true(evaluation.energy_j == -1 && evaluation.energy_error_j == -1);
    struct device_driver mute = driver;
    mute.energy = NULL;
    validation.driver = &mute;
    evaluation.energy_j = 5;
    assert_true(energy_run(&validation, &timed, 0.02, &evaluation, &error));
    assert_true(evaluation.energy_j == -1 && evaluation.energy_error_j == -1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(energy_is_power_times_time),
        cmocka_unit_test(energy_of_a_steady_device_is_found),
        cmocka_unit_test(power_that_still_falls_is_not_settled),
        cmocka_unit_test(expensive_polls_are_rare),
        cmocka_unit_test(devices_that_do_not_count_say_so),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/measure/timing.h"

#include "tuner/measure/step_use.h"
#include "tuner/measure/steps.h"
#include "tuner/measure/throttle.h"

#include <stdlib.h>
#include <time.h>

static bool launch_and_stop(struct validation_kernels *validation, const struct timed *timed, double *nanoseconds,
                            struct error *error)
{
    if (!validation->driver->start(validation->device, error) ||
        !steps_queue(validation, timed->program, timed->launch, timed->instance, error) ||
        !validation->driver->stop(validation->device, nanoseconds, error) ||
        !steps_end(validation, timed->launch, timed->instance, error))
        return false;
    if (!(*nanoseconds > 0))
        return error_set(error, ERROR_WORK, "the device's timer reports %g ns for the launches", *nanoseconds);
    return true;
}

bool timing_first(struct validation_kernels *validation, const struct timed *timed, double *nanoseconds,
                  struct error *error)
{
    return steps_begin(validation, timed->launch, timed->instance, error) &&
           launch_and_stop(validation, timed, nanoseconds, error);
}

static bool sample(struct validation_kernels *validation, const struct timed *timed, double *nanoseconds,
                   struct error *error)
{
    const struct device_driver *driver = validation->driver;
    return instance_restore(validation, timed->instance, error) &&
           steps_begin(validation, timed->launch, timed->instance, error) &&
           driver->flush_cache(validation->device, error) &&
           (!driver->blocking_kernel || driver->blocking_kernel(validation->device, error)) &&
           launch_and_stop(validation, timed, nanoseconds, error);
}

static bool is_enough(const struct sampling_rule *rule, const struct evaluation_effort *effort,
                      double first_launch_ns, const struct evaluation *evaluation)
{
    const struct sampling_prior prior = {effort->incumbent_ns, first_launch_ns};
    if (effort->samples)
        return evaluation->sample_count >= effort->samples;
    return sampling_enough(rule, evaluation->samples_ns, evaluation->sample_count, &prior);
}

/*
 * The launch that was validated first was number 1. The one validated at the end must have an even number, or a
 * kernel that is right every other time (one that toggles a flag) would pass.
 */
static bool take_samples(struct validation_kernels *validation, const struct timed *timed,
                         const struct sampling_rule *rule, const struct evaluation_effort *effort,
                         double first_launch_ns, size_t *launches, struct evaluation *evaluation, struct error *error)
{
    evaluation->sample_count = 0;
    while (!is_enough(rule, effort, first_launch_ns, evaluation) || *launches % 2 == 1) {
        if (!sample(validation, timed, &evaluation->samples_ns[evaluation->sample_count], error))
            return false;
        evaluation->sample_count++;
        ++*launches;
    }
    return true;
}

static void wait_to_cool(unsigned attempt)
{
    const struct timespec pause = {.tv_nsec = (20L << attempt) * 1000000};
    nanosleep(&pause, NULL);
}

/* Take samples, and take them again while the device is throttled. */
static bool take_clean_samples(struct validation_kernels *validation, const struct timed *timed,
                               const struct sampling_rule *rule, const struct evaluation_effort *effort,
                               double first_launch_ns, struct evaluation *evaluation, struct error *error)
{
    enum { REPEATS = 3, IN_A_ROW = 3 };
    size_t launches = 1;
    for (unsigned attempt = 0;; attempt++) {
        if (!take_samples(validation, timed, rule, effort, first_launch_ns, &launches, evaluation, error))
            return false;
        validation->driver->state(validation->device, &evaluation->state);
        enum throttle throttle = throttle_of(&evaluation->state, &validation->description);
        if (throttle == THROTTLE_NONE) {
            validation->throttled_in_a_row = 0;
            return true;
        }
        evaluation->throttled += (int64_t)evaluation->sample_count;
        if (validation->throttled_in_a_row >= IN_A_ROW)
            return true;
        if (attempt == REPEATS) {
            validation->throttled_in_a_row++;
            return true;
        }
        if (throttle == THROTTLE_HEAT)
            wait_to_cool(attempt);
    }
}

bool timing_run(struct validation_kernels *validation, const struct timed *timed, const struct sampling_rule *rule,
                const struct evaluation_effort *effort, double first_launch_ns, struct evaluation *evaluation,
                struct error *error)
{
    size_t most = effort->samples ? effort->samples : rule->most;
    evaluation->sample_count = 0;
    evaluation->samples_ns = calloc(most + 1, sizeof *evaluation->samples_ns);
    if (!evaluation->samples_ns)
        return error_out_of_memory(error);
    if (!take_clean_samples(validation, timed, rule, effort, first_launch_ns, evaluation, error))
        return false;
    struct median median = median_of(evaluation->samples_ns, evaluation->sample_count);
    evaluation->time_ns = median.value;
    evaluation->time_low_ns = median.low;
    evaluation->time_high_ns = median.high;
    return true;
}

static bool sample_pieces(struct validation_kernels *validation, const struct timed *timed, double *nanoseconds,
                          struct error *error)
{
    return instance_restore(validation, timed->instance, error) &&
           steps_begin(validation, timed->launch, timed->instance, error) &&
           validation->driver->flush_cache(validation->device, error) &&
           steps_queue_in_pieces(validation, timed->program, timed->launch, timed->instance, nanoseconds, error) &&
           steps_end(validation, timed->launch, timed->instance, error);
}

bool timing_device(struct validation_kernels *validation, const struct timed *timed, struct evaluation *evaluation,
                   struct error *error)
{
    enum { MOST = 6 }; /* the host's latency is many times the scatter of the device's time */
    double samples[MOST];
    size_t count = evaluation->sample_count < MOST ? 2 : MOST;
    if (!steps_wait(timed->launch))
        return true;
    for (size_t i = 0; i < count; i++) {
        if (!sample_pieces(validation, timed, &samples[i], error))
            return false;
    }
    evaluation->device_ns = median_of(samples, count).value;
    return true;
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/measure/energy.h"

#include "tuner/device/monotonic.h"
#include "tuner/measure/steps.h"

#include <math.h>
#include <stdlib.h>
#include <time.h>

enum { MOST_STEPS = 2048, FEWEST_STEPS = 3, MOST_QUEUED = 512 }; /* a CUDA stream holds 1,024 launches */
#define WARM_UP_SECONDS 0.2
#define CHUNK_SECONDS   0.1
#define POLL_SHARE      0.05 /* of the time, if a poll takes longer than what is queued */
#define AGREES          0.01 /* tolerance between each half and the mean */
#define WAITED_SECONDS  1e-4 /* a shorter wait means that the device was idle */

struct meter {
    struct validation_kernels *validation;
    const struct timed *timed;
    double run_seconds;         /* estimate for one run */
    double poll_seconds;        /* that a poll takes; decays from the slowest */
    double polled;              /* when the counter was last polled; 0: never */
    double joules;              /* at the last poll */
    double seconds, runs, idle; /* of the repetitions: total time, count, idle time */
    struct energy_step steps[MOST_STEPS];
    size_t count;
};

static double power_between(const struct energy_step *from, const struct energy_step *to)
{
    return (to->joules - from->joules) / (to->seconds - from->seconds);
}

/* The mean power between the first and the last step, and two relative errors of it. */
struct power {
    double watts;
    double timing; /* from when the two steps occurred */
    double halves; /* from the difference between the two halves */
};

static bool power_of_steps(const struct energy_step *steps, size_t count, struct power *power)
{
    if (count < FEWEST_STEPS)
        return false;
    const struct energy_step *first = &steps[0], *middle = &steps[count / 2], *last = &steps[count - 1];
    power->watts = power_between(first, last);
    if (!(power->watts > 0))
        return false;
    power->timing = (first->gap + last->gap) / 2 / (last->seconds - first->seconds);
    power->halves = fabs(power_between(first, middle) - power_between(middle, last)) / 2 / power->watts;
    return true;
}

bool energy_of_steps(const struct energy_step *steps, size_t count, double run_seconds, double *joules,
                     double *error_joules)
{
    struct power power;
    if (!power_of_steps(steps, count, &power))
        return false;
    *joules = power.watts * run_seconds;
    *error_joules = *joules * (power.timing + power.halves);
    return true;
}

size_t energy_latest(const struct energy_step *steps, size_t count, double seconds)
{
    size_t first = 0;
    while (count > FEWEST_STEPS && first < count - FEWEST_STEPS &&
           steps[count - 1].seconds - steps[first].seconds > seconds)
        first++;
    return first;
}

/* Over half the time the timing error is twice as large. */
bool energy_settled(const struct energy_step *steps, size_t count)
{
    struct power power;
    return power_of_steps(steps, count, &power) && power.halves <= fmax(AGREES, 2 * power.timing);
}

/* ---- polling the counter ---- */

/* Record a step if the counter moved. If it went backwards (it wrapped around), start over. */
static bool poll_counter(struct meter *meter, struct error *error)
{
    double joules, before = monotonic_seconds();
    if (!meter->validation->driver->energy(meter->validation->device, &joules, error))
        return false;
    double now = monotonic_seconds();
    if (meter->polled > 0 && joules < meter->joules)
        meter->count = 0;
    else if (meter->polled > 0 && joules > meter->joules && meter->count < MOST_STEPS)
        meter->steps[meter->count++] = (struct energy_step){now, now - meter->polled, joules};
    meter->polled = now;
    meter->joules = joules;
    meter->poll_seconds = fmax(now - before, 0.9 * meter->poll_seconds);
    return true;
}

/* Poll while the device is busy, so that the next chunk can follow at once. A chunk that would finish during a poll
 * is polled only now and then. */
static bool poll_until(struct meter *meter, double ends, struct error *error)
{
    static const struct timespec pause = {.tv_nsec = 1000000};
    double now = monotonic_seconds();
    bool due = now - meter->polled > meter->poll_seconds / POLL_SHARE;
    while (due || now + 1.5 * meter->poll_seconds + 1e-3 < ends) {
        if (!poll_counter(meter, error))
            return false;
        due = false;
        if (monotonic_seconds() + 1.5 * meter->poll_seconds + 2e-3 < ends)
            nanosleep(&pause, NULL);
        now = monotonic_seconds();
    }
    return true;
}

/* ---- repeating ---- */

/* As many runs as fill a chunk's time and fit in the queue. */
static double runs_of_chunk(const struct meter *meter)
{
    double launches = (double)(meter->timed->launch->count + meter->timed->instance->buffer_count + 1);
    return fmax(1, floor(fmin(CHUNK_SECONDS / meter->run_seconds, MOST_QUEUED / launches)));
}

static bool queue(struct meter *meter, double runs, struct error *error)
{
    struct validation_kernels *validation = meter->validation;
    const struct timed *timed = meter->timed;
    for (uint64_t i = 0, count = (uint64_t)runs; i < count; i++) {
        if (!instance_restore(validation, timed->instance, error) ||
            !steps_run(validation, timed->program, timed->launch, timed->instance, error))
            return false;
    }
    return true;
}

static bool run_chunk(struct meter *meter, bool polled, struct error *error)
{
    double began = monotonic_seconds(), runs = runs_of_chunk(meter), ends = began + runs * meter->run_seconds;
    if (!queue(meter, runs, error) || (polled && !poll_until(meter, ends, error)))
        return false;
    double waiting = monotonic_seconds();
    if (!meter->validation->driver->synchronize(meter->validation->device, error))
        return false;
    double now = monotonic_seconds();
    if (!polled || now - waiting > WAITED_SECONDS)
        meter->run_seconds = (now - began) / runs;
    else
        meter->idle += fmax(0, waiting - ends);
    meter->runs += runs;
    meter->seconds += now - began;
    return true;
}

/* Without polling, to learn the time of a run. */
static bool warm_up(struct meter *meter, struct error *error)
{
    while (meter->seconds < WARM_UP_SECONDS) {
        if (!run_chunk(meter, false, error))
            return false;
    }
    return true;
}

static bool repeat(struct meter *meter, double least, double most, struct error *error)
{
    size_t first = 0;
    meter->seconds = meter->runs = meter->idle = meter->polled = 0;
    meter->count = 0;
    do {
        if (!run_chunk(meter, true, error))
            return false;
        first = energy_latest(meter->steps, meter->count, least);
    } while (meter->count < MOST_STEPS && meter->seconds < most &&
             (meter->seconds < least || !energy_settled(meter->steps + first, meter->count - first)));
    return true;
}

/* From the latest steps. All of the idle time counts as error. */
static void conclude(const struct meter *meter, double seconds, struct evaluation *evaluation)
{
    double joules, error_joules;
    size_t first = energy_latest(meter->steps, meter->count, seconds);
    if (!energy_of_steps(meter->steps + first, meter->count - first, meter->seconds / meter->runs, &joules,
                         &error_joules))
        return;
    evaluation->energy_j = joules;
    evaluation->energy_error_j = error_joules + joules * meter->idle / meter->seconds;
}

bool energy_run(struct validation_kernels *validation, const struct timed *timed, double seconds,
                struct evaluation *evaluation, struct error *error)
{
    evaluation->energy_j = evaluation->energy_error_j = -1;
    if (!validation->driver->energy)
        return true;
    struct meter *meter = calloc(1, sizeof *meter);
    if (!meter)
        return error_out_of_memory(error);
    meter->validation = validation;
    meter->timed = timed;
    meter->run_seconds = 1e-9 * evaluation->time_ns;
    bool counts = poll_counter(meter, NULL);
    bool done = !counts || (warm_up(meter, error) && repeat(meter, seconds, 4 * seconds, error));
    if (counts && done)
        conclude(meter, seconds, evaluation);
    free(meter);
    return done;
}

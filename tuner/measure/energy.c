/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/measure/energy.h"

#include "tuner/device/monotonic.h"
#include "tuner/measure/steps.h"

#include <math.h>
#include <stdlib.h>
#include <time.h>

enum { MOST_STEPS = 2048, FEWEST_STEPS = 3, MOST_QUEUED = 512 }; /* a CUDA stream has room for 1,024 launches */
#define WARM_UP_SECONDS 0.2
#define CHUNK_SECONDS   0.1
#define LOOK_SHARE      0.05 /* of the time, where a look takes longer than what is queued */
#define AGREES          0.01 /* between the halves of the time that counts, and their mean */
#define WAITED_SECONDS  1e-4 /* a wait that is shorter has found the device idle */

struct meter {
    struct validation_kernels *validation;
    const struct timed *timed;
    double run_seconds;         /* of one run, as far as it is known */
    double look_seconds;        /* that a look at the counter takes, the slowest of late */
    double seen;                /* when the counter was looked at last; 0: never */
    double joules;              /* it had then */
    double seconds, runs, idle; /* of the repetitions that count: in all, how many, without work */
    struct energy_step steps[MOST_STEPS];
    size_t count;
};

static double power_between(const struct energy_step *from, const struct energy_step *to)
{
    return (to->joules - from->joules) / (to->seconds - from->seconds);
}

/* Mean power between the first and the last step. As shares of it: how well the moments of both are known, and how
 * far the power of each half is from it. */
struct power {
    double watts, moments, halves;
};

static bool power_of_steps(const struct energy_step *steps, size_t count, struct power *power)
{
    if (count < FEWEST_STEPS)
        return false;
    const struct energy_step *first = &steps[0], *middle = &steps[count / 2], *last = &steps[count - 1];
    power->watts = power_between(first, last);
    if (!(power->watts > 0))
        return false;
    power->moments = (first->gap + last->gap) / 2 / (last->seconds - first->seconds);
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
    *error_joules = *joules * (power.moments + power.halves);
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

/* Half as many steps know their moments half as well. */
bool energy_settled(const struct energy_step *steps, size_t count)
{
    struct power power;
    return power_of_steps(steps, count, &power) && power.halves <= fmax(AGREES, 2 * power.moments);
}

/* ---- watching the counter ---------------------------------------------------------------------------------- */

/* Note the counter if it has made a step. One that went back (it wrapped around) starts anew. */
static bool look(struct meter *meter, struct error *error)
{
    double joules, before = monotonic_seconds();
    if (!meter->validation->driver->energy(meter->validation->device, &joules, error))
        return false;
    double now = monotonic_seconds();
    if (meter->seen > 0 && joules < meter->joules)
        meter->count = 0;
    else if (meter->seen > 0 && joules > meter->joules && meter->count < MOST_STEPS)
        meter->steps[meter->count++] = (struct energy_step){now, now - meter->seen, joules};
    meter->seen = now;
    meter->joules = joules;
    meter->look_seconds = fmax(now - before, 0.9 * meter->look_seconds);
    return true;
}

/* Look while the device is at work, so that the next chunk can follow at once; where it would be done before a look
 * is, only now and then. */
static bool watch(struct meter *meter, double ends, struct error *error)
{
    static const struct timespec pause = {.tv_nsec = 1000000};
    double now = monotonic_seconds();
    bool due = now - meter->seen > meter->look_seconds / LOOK_SHARE;
    while (due || now + 1.5 * meter->look_seconds + 1e-3 < ends) {
        if (!look(meter, error))
            return false;
        due = false;
        if (monotonic_seconds() + 1.5 * meter->look_seconds + 2e-3 < ends)
            nanosleep(&pause, NULL);
        now = monotonic_seconds();
    }
    return true;
}

/* ---- repeating --------------------------------------------------------------------------------------------- */

/* As many runs as take a chunk's time, and no more than can be queued without waiting for room. */
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

static bool run_chunk(struct meter *meter, bool watched, struct error *error)
{
    double began = monotonic_seconds(), runs = runs_of_chunk(meter), ends = began + runs * meter->run_seconds;
    if (!queue(meter, runs, error) || (watched && !watch(meter, ends, error)))
        return false;
    double came = monotonic_seconds();
    if (!meter->validation->driver->synchronize(meter->validation->device, error))
        return false;
    double now = monotonic_seconds();
    if (!watched || now - came > WAITED_SECONDS)
        meter->run_seconds = (now - began) / runs;
    else
        meter->idle += fmax(0, came - ends);
    meter->runs += runs;
    meter->seconds += now - began;
    return true;
}

/* Without a look, so that the time of a run is known. */
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
    meter->seconds = meter->runs = meter->idle = meter->seen = 0;
    meter->count = 0;
    do {
        if (!run_chunk(meter, true, error))
            return false;
        first = energy_latest(meter->steps, meter->count, least);
    } while (meter->count < MOST_STEPS && meter->seconds < most &&
             (meter->seconds < least || !energy_settled(meter->steps + first, meter->count - first)));
    return true;
}

/* Of the latest steps; what the device was idle may all be wrong. */
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
    bool counts = look(meter, NULL);
    bool done = !counts || (warm_up(meter, error) && repeat(meter, seconds, 4 * seconds, error));
    if (counts && done)
        conclude(meter, seconds, evaluation);
    free(meter);
    return done;
}

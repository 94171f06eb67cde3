#include "tuner/measure/energy.h"

#include "tuner/measure/steps.h"

#include <math.h>
#include <stdlib.h>
#include <time.h>

enum { MOST_STEPS = 2048, FEWEST_STEPS = 3 };
#define WARM_UP_SECONDS 0.1
#define CHUNK_SECONDS   0.01

struct meter {
    struct bench *bench;
    const struct timed *timed;
    double run_seconds; /* as far as it is known */
    double began, runs; /* of the repetitions that count */
    double seen;        /* when the counter was looked at last; 0: never */
    double joules;
    struct energy_step steps[MOST_STEPS];
    size_t count;
};

static double seconds_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static double power_between(const struct energy_step *from, const struct energy_step *to)
{
    return (to->joules - from->joules) / (to->seconds - from->seconds);
}

bool energy_of_steps(const struct energy_step *steps, size_t count, double run_seconds, double *joules,
                     double *error_joules)
{
    if (count < FEWEST_STEPS)
        return false;
    const struct energy_step *first = &steps[0], *middle = &steps[count / 2], *last = &steps[count - 1];
    double power = power_between(first, last);
    double moments = power * (first->gap + last->gap) / 2 / (last->seconds - first->seconds);
    double halves = fabs(power_between(first, middle) - power_between(middle, last)) / 2;
    *joules = power * run_seconds;
    *error_joules = (moments + halves) * run_seconds;
    return power > 0;
}

/* Look at the counter, and note it if it has made a step. A counter that went back (it wrapped around) starts anew.
 */
static bool look(struct meter *meter, struct error *error)
{
    double joules;
    if (!meter->bench->driver->energy(meter->bench->device, &joules, error))
        return false;
    double now = seconds_now();
    if (meter->seen > 0 && joules < meter->joules)
        meter->count = 0;
    else if (meter->seen > 0 && joules > meter->joules && meter->count < MOST_STEPS)
        meter->steps[meter->count++] = (struct energy_step){now, now - meter->seen, joules};
    meter->seen = now;
    meter->joules = joules;
    return true;
}

static bool queue_chunk(struct meter *meter, double *runs, struct error *error)
{
    struct bench *bench = meter->bench;
    const struct timed *timed = meter->timed;
    *runs = fmax(1, floor(CHUNK_SECONDS / meter->run_seconds));
    for (double i = 0; i < *runs; i++) {
        if (!instance_restore(bench, timed->instance, error) ||
            !steps_run(bench, timed->program, timed->launch, timed->instance, error))
            return false;
    }
    return true;
}

/* Watch the counter while a chunk runs: until it is nearly done, so that the next one follows at once. */
static bool watch(struct meter *meter, double until, struct error *error)
{
    static const struct timespec pause = {.tv_nsec = 1000000};
    if (!look(meter, error))
        return false;
    while (seconds_now() + 1e-3 < until) {
        nanosleep(&pause, NULL);
        if (!look(meter, error))
            return false;
    }
    return true;
}

static bool run_chunk(struct meter *meter, struct error *error)
{
    double began = seconds_now(), runs;
    if (!queue_chunk(meter, &runs, error) || !watch(meter, began + 0.8 * runs * meter->run_seconds, error) ||
        !meter->bench->driver->synchronize(meter->bench->device, error))
        return false;
    meter->runs += runs;
    meter->run_seconds = (seconds_now() - meter->began) / meter->runs;
    return true;
}

static bool repeat(struct meter *meter, double least, double most, size_t steps, struct error *error)
{
    meter->began = seconds_now();
    meter->runs = 0;
    meter->count = 0;
    double elapsed;
    do {
        if (!run_chunk(meter, error))
            return false;
        elapsed = seconds_now() - meter->began;
    } while (meter->count < MOST_STEPS && (elapsed < least || (meter->count < steps && elapsed < most)));
    return true;
}

bool energy_run(struct bench *bench, const struct timed *timed, double seconds, struct evaluation *evaluation,
                struct error *error)
{
    double joules;
    evaluation->energy_j = evaluation->energy_error_j = -1;
    if (!bench->driver->energy || !bench->driver->energy(bench->device, &joules, NULL))
        return true;
    struct meter *meter = calloc(1, sizeof *meter);
    if (!meter)
        return error_set(error, ERROR_MEMORY, "out of memory for measuring energy");
    meter->bench = bench;
    meter->timed = timed;
    meter->run_seconds = 1e-9 * evaluation->time_ns;
    bool done = repeat(meter, WARM_UP_SECONDS, WARM_UP_SECONDS, 0, error) &&
                repeat(meter, seconds, 4 * seconds, FEWEST_STEPS, error);
    if (done && !energy_of_steps(meter->steps, meter->count, meter->run_seconds, &evaluation->energy_j,
                                 &evaluation->energy_error_j))
        evaluation->energy_j = evaluation->energy_error_j = -1;
    free(meter);
    return done;
}

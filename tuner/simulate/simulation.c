/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/simulate/simulation.h"

#include "tuner/search/generator.h"

#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

/* A strategy on a space: the traces of its repeats, until they are scored. */
struct cell {
    struct replay_trace *traces;
    size_t ended;
};

/* What the threads share; the mutex guards all but what a replay writes its trace to. */
struct crowd {
    const struct simulation *simulation;
    struct score *scores;
    pthread_mutex_t mutex;
    struct cell *cells;
    size_t total, next, done;
    bool failed;
    struct error error;
};

static uint64_t seed_of(const struct simulation *simulation, size_t space, size_t repeat)
{
    struct generator generator = {simulation->seed};
    generator.state += generator_next(&generator) + space;
    generator.state += generator_next(&generator) + repeat;
    return generator_next(&generator);
}

static void fail(struct crowd *crowd, const struct error *error)
{
    pthread_mutex_lock(&crowd->mutex);
    if (!crowd->failed)
        crowd->error = *error;
    crowd->failed = true;
    pthread_mutex_unlock(&crowd->mutex);
}

/* The next replay to do; false: none. The first of a cell makes room for its traces. */
static bool take(struct crowd *crowd, size_t *task)
{
    size_t repeats = crowd->simulation->repeats;
    pthread_mutex_lock(&crowd->mutex);
    bool taken = !crowd->failed && crowd->next < crowd->total;
    if (taken) {
        *task = crowd->next++;
        struct cell *cell = &crowd->cells[*task / repeats];
        if (!cell->traces)
            cell->traces = malloc(repeats * sizeof *cell->traces);
        if (!cell->traces) {
            error_out_of_memory(&crowd->error);
            crowd->failed = true;
            taken = false;
        }
    }
    pthread_mutex_unlock(&crowd->mutex);
    return taken;
}

/* Count a replay that has ended; true: it was the last of its cell. */
static bool count_end(struct crowd *crowd, struct cell *cell)
{
    const struct simulation *simulation = crowd->simulation;
    pthread_mutex_lock(&crowd->mutex);
    crowd->done++;
    bool last = ++cell->ended == simulation->repeats;
    if (simulation->observe)
        simulation->observe(crowd->done, crowd->total, simulation->context);
    pthread_mutex_unlock(&crowd->mutex);
    return last;
}

static bool carry_out(struct crowd *crowd, size_t task, struct error *error)
{
    const struct simulation *simulation = crowd->simulation;
    size_t number = task / simulation->repeats, repeat = task % simulation->repeats;
    size_t which = number % simulation->space_count;
    const struct simulated_space *space = simulation->spaces[which];
    struct replay_plan plan = simulation->plans[number / simulation->space_count];
    if (simulation->tell_budget)
        plan.evaluations = (size_t)ceil(space->draws);
    struct cell *cell = &crowd->cells[number];
    if (!replay_run(space, &plan, seed_of(simulation, which, repeat), &cell->traces[repeat], error))
        return false;
    if (!count_end(crowd, cell))
        return true;
    bool done = score_traces(space, cell->traces, simulation->repeats, seed_of(simulation, which, SIZE_MAX),
                             &crowd->scores[number], error);
    free(cell->traces);
    cell->traces = NULL;
    return done;
}

static void *work(void *context)
{
    struct crowd *crowd = context;
    size_t task;
    struct error error;
    while (take(crowd, &task)) {
        if (!carry_out(crowd, task, &error))
            fail(crowd, &error);
    }
    return NULL;
}

/* On this thread and as many more as wanted and to be had. */
static bool work_together(struct crowd *crowd, struct error *error)
{
    size_t wanted = crowd->simulation->jobs > 1 ? crowd->simulation->jobs - 1 : 0, started = 0;
    pthread_t *threads = calloc(wanted + 1, sizeof *threads);
    if (!threads)
        return error_out_of_memory(error);
    while (started < wanted && pthread_create(&threads[started], NULL, work, crowd) == 0)
        started++;
    work(crowd);
    for (size_t i = 0; i < started; i++)
        pthread_join(threads[i], NULL);
    free(threads);
    if (crowd->failed)
        *error = crowd->error;
    return !crowd->failed;
}

bool simulation_run(const struct simulation *simulation, struct score *scores, struct error *error)
{
    size_t cells = simulation->plan_count * simulation->space_count;
    struct crowd crowd = {
        .simulation = simulation,
        .scores = scores,
        .cells = calloc(cells + 1, sizeof *crowd.cells),
        .total = cells * simulation->repeats,
    };
    if (!crowd.cells)
        return error_out_of_memory(error);
    pthread_mutex_init(&crowd.mutex, NULL);
    bool done = work_together(&crowd, error);
    pthread_mutex_destroy(&crowd.mutex);
    for (size_t i = 0; i < cells; i++)
        free(crowd.cells[i].traces);
    free(crowd.cells);
    return done;
}

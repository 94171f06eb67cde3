/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/simulate/simulation.h"

#include "tuner/search/generator.h"

#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

/* A strategy on a space: the traces of its repeats until they are scored. */
struct cell {
    struct replay_trace *traces;
    size_t ended;
};

/* What the threads share. The mutex guards all of it except the traces, each of which one thread writes. */
struct pool {
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

static void fail(struct pool *pool, const struct error *error)
{
    pthread_mutex_lock(&pool->mutex);
    if (!pool->failed)
        pool->error = *error;
    pool->failed = true;
    pthread_mutex_unlock(&pool->mutex);
}

/* The next replay, false if there is none. The first of a cell allocates its traces. */
static bool take_task(struct pool *pool, size_t *task)
{
    size_t repeats = pool->simulation->repeats;
    pthread_mutex_lock(&pool->mutex);
    bool taken = !pool->failed && pool->next < pool->total;
    if (taken) {
        *task = pool->next++;
        struct cell *cell = &pool->cells[*task / repeats];
        if (!cell->traces)
            cell->traces = malloc(repeats * sizeof *cell->traces);
        if (!cell->traces) {
            error_out_of_memory(&pool->error);
            pool->failed = true;
            taken = false;
        }
    }
    pthread_mutex_unlock(&pool->mutex);
    return taken;
}

/* Counts a finished replay; true if it was the last of its cell. */
static bool count_end(struct pool *pool, struct cell *cell)
{
    const struct simulation *simulation = pool->simulation;
    pthread_mutex_lock(&pool->mutex);
    pool->done++;
    bool last = ++cell->ended == simulation->repeats;
    if (simulation->observe)
        simulation->observe(pool->done, pool->total, simulation->context);
    pthread_mutex_unlock(&pool->mutex);
    return last;
}

static bool run_task(struct pool *pool, size_t task, struct error *error)
{
    const struct simulation *simulation = pool->simulation;
    size_t number = task / simulation->repeats, repeat = task % simulation->repeats;
    size_t which = number % simulation->space_count;
    const struct simulated_space *space = simulation->spaces[which];
    struct replay_plan plan = simulation->plans[number / simulation->space_count];
    plan.until = simulation->until;
    plan.within = simulation->within;
    if (simulation->tell_budget)
        plan.evaluations = (size_t)ceil(space->draws);
    struct cell *cell = &pool->cells[number];
    if (!replay_run(space, &plan, seed_of(simulation, which, repeat), &cell->traces[repeat], error))
        return false;
    if (!count_end(pool, cell))
        return true;
    bool done = score_traces(space, cell->traces, simulation->repeats, seed_of(simulation, which, SIZE_MAX),
                             &pool->scores[number], error);
    free(cell->traces);
    cell->traces = NULL;
    return done;
}

static void *work(void *context)
{
    struct pool *pool = context;
    size_t task;
    struct error error;
    while (take_task(pool, &task)) {
        if (!run_task(pool, task, &error))
            fail(pool, &error);
    }
    return NULL;
}

/* Runs all tasks on this thread and as many more as are wanted and can be created. */
static bool run_all(struct pool *pool, struct error *error)
{
    size_t wanted = pool->simulation->jobs > 1 ? pool->simulation->jobs - 1 : 0, started = 0;
    pthread_t *threads = calloc(wanted + 1, sizeof *threads);
    if (!threads)
        return error_out_of_memory(error);
    while (started < wanted && pthread_create(&threads[started], NULL, work, pool) == 0)
        started++;
    work(pool);
    for (size_t i = 0; i < started; i++)
        pthread_join(threads[i], NULL);
    free(threads);
    if (pool->failed)
        *error = pool->error;
    return !pool->failed;
}

bool simulation_run(const struct simulation *simulation, struct score *scores, struct error *error)
{
    size_t cells = simulation->plan_count * simulation->space_count;
    struct pool pool = {
        .simulation = simulation,
        .scores = scores,
        .cells = calloc(cells + 1, sizeof *pool.cells),
        .total = cells * simulation->repeats,
    };
    if (!pool.cells)
        return error_out_of_memory(error);
    pthread_mutex_init(&pool.mutex, NULL);
    bool done = run_all(&pool, error);
    pthread_mutex_destroy(&pool.mutex);
    for (size_t i = 0; i < cells; i++)
        free(pool.cells[i].traces);
    free(pool.cells);
    return done;
}

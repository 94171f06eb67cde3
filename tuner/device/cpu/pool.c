/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/device/cpu/pool.h"

#include "tuner/device/cpu/trap.h"

#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>

/* A guard page takes two of the 65,530 mappings that Linux allows a process; with more workers, fewer guards. */
enum { WORKERS_FULLY_GUARDED = 24 };

struct helper {
    struct pool *pool;
    pthread_t thread;
    size_t number;
};

struct pool {
    size_t size, started;
    struct tune_worker **workers;
    struct helper *helpers; /* [0] is the caller and has no thread */
    pthread_mutex_t lock;
    pthread_cond_t work, done;
    void (*job)(void *, size_t);
    void *argument;
    uint64_t round; /* counts jobs, so that a helper does each once */
    size_t busy;
    bool ending;
};

static void *help(void *argument)
{
    struct helper *helper = argument;
    struct pool *pool = helper->pool;
    uint64_t seen = 0;
    pthread_mutex_lock(&pool->lock);
    for (;;) {
        while (pool->round == seen && !pool->ending)
            pthread_cond_wait(&pool->work, &pool->lock);
        if (pool->ending)
            break;
        seen = pool->round;
        pthread_mutex_unlock(&pool->lock);
        pool->job(pool->argument, helper->number);
        pthread_mutex_lock(&pool->lock);
        if (--pool->busy == 0)
            pthread_cond_signal(&pool->done);
    }
    pthread_mutex_unlock(&pool->lock);
    return NULL;
}

/* Helpers block all signals, which are for the main thread, except for their own faults. */
static bool start_helpers(struct pool *pool, struct error *error)
{
    sigset_t all, before;
    sigfillset(&all);
    static const int own[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL};
    for (size_t i = 0; i < sizeof own / sizeof *own; i++)
        sigdelset(&all, own[i]);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    for (pool->started = 1; pool->started < pool->size; pool->started++) {
        struct helper *helper = &pool->helpers[pool->started];
        helper->pool = pool;
        helper->number = pool->started;
        if (pthread_create(&helper->thread, NULL, help, helper) != 0)
            break;
    }
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (pool->started < pool->size)
        return error_set(error, ERROR_SYSTEM, "cannot start thread %zu of %zu", pool->started + 1, pool->size);
    return true;
}

size_t pool_processors(void)
{
    cpu_set_t set;
    if (sched_getaffinity(0, sizeof set, &set) != 0)
        return 1;
    int count = CPU_COUNT(&set);
    return count > 0 ? (size_t)count : 1;
}

bool pool_create(size_t shared_bytes, struct pool **result, struct error *error)
{
    return pool_create_of(pool_processors(), shared_bytes, result, error);
}

bool pool_create_of(size_t workers, size_t shared_bytes, struct pool **result, struct error *error)
{
    struct pool *pool = calloc(1, sizeof *pool);
    if (!pool)
        return error_out_of_memory(error);
    pthread_mutex_init(&pool->lock, NULL);
    pthread_cond_init(&pool->work, NULL);
    pthread_cond_init(&pool->done, NULL);
    pool->started = 1;
    pool->size = workers;
    pool->workers = calloc(pool->size, sizeof(struct tune_worker *));
    pool->helpers = calloc(pool->size, sizeof *pool->helpers);
    if (!pool->workers || !pool->helpers) {
        error_out_of_memory(error);
        goto fail;
    }
    for (size_t i = 0; i < pool->size; i++) {
        if (!worker_create(shared_bytes, pool->size <= WORKERS_FULLY_GUARDED, &pool->workers[i], error))
            goto fail;
    }
    if (!start_helpers(pool, error))
        goto fail;
    *result = pool;
    return true;
fail:
    pool_destroy(pool);
    return false;
}

void pool_destroy(struct pool *pool)
{
    if (!pool)
        return;
    pthread_mutex_lock(&pool->lock);
    pool->ending = true;
    pthread_cond_broadcast(&pool->work);
    pthread_mutex_unlock(&pool->lock);
    for (size_t i = 1; i < pool->started; i++)
        pthread_join(pool->helpers[i].thread, NULL);
    for (size_t i = 0; pool->workers && i < pool->size; i++)
        worker_destroy(pool->workers[i]);
    pthread_cond_destroy(&pool->done);
    pthread_cond_destroy(&pool->work);
    pthread_mutex_destroy(&pool->lock);
    free(pool->helpers);
    free(pool->workers);
    free(pool);
}

size_t pool_size(const struct pool *pool)
{
    return pool->size;
}

struct tune_worker *pool_worker(const struct pool *pool, size_t i)
{
    return pool->workers[i];
}

void pool_run(struct pool *pool, void (*job)(void *, size_t), void *argument)
{
    pthread_mutex_lock(&pool->lock);
    pool->job = job;
    pool->argument = argument;
    pool->busy = pool->size - 1;
    pool->round++;
    pthread_cond_broadcast(&pool->work);
    pthread_mutex_unlock(&pool->lock);

    job(argument, 0);

    pthread_mutex_lock(&pool->lock);
    while (pool->busy > 0)
        pthread_cond_wait(&pool->done, &pool->lock);
    pthread_mutex_unlock(&pool->lock);
}

/* ---- launches ---- */

struct launch {
    struct pool *pool;
    const struct block_work *work;
    uint64_t blocks, chunk;
    _Atomic uint64_t next;
    atomic_bool failed;
    struct error error; /* of the one that set `failed` */
};

static struct tune_index block_index(const struct tune_index *grid, uint64_t i)
{
    uint64_t rows = i / grid->x;
    return (struct tune_index){(uint32_t)(i % grid->x), (uint32_t)(rows % grid->y), (uint32_t)(rows / grid->y)};
}

static void fail(struct launch *launch, const struct error *error)
{
    if (!atomic_exchange(&launch->failed, true))
        launch->error = *error;
}

static void run_blocks(void *argument, size_t number)
{
    struct launch *launch = argument;
    struct tune_worker *worker = launch->pool->workers[number];
    struct error error;
    worker_begin(worker, launch->work);
    while (!atomic_load(&launch->failed)) {
        uint64_t first = atomic_fetch_add(&launch->next, launch->chunk);
        if (first >= launch->blocks)
            break;
        uint64_t end = launch->blocks - first < launch->chunk ? launch->blocks : first + launch->chunk;
        for (uint64_t i = first; i < end; i++) {
            if (!worker_run(worker, block_index(&launch->work->grid, i), &error)) {
                fail(launch, &error);
                break;
            }
        }
    }
    if (!worker_finish(worker, &error))
        fail(launch, &error);
}

bool pool_launch(struct pool *pool, const struct block_work *work, struct error *error)
{
    struct launch launch = {.pool = pool, .work = work};
    launch.blocks = (uint64_t)work->grid.x * work->grid.y * work->grid.z;
    launch.chunk = launch.blocks / (pool->size * 16);
    if (launch.chunk == 0)
        launch.chunk = 1;
    if (work->traps)
        trap_set();
    if (launch.blocks == 1 || work->watch)
        run_blocks(&launch, 0);
    else
        pool_run(pool, run_blocks, &launch);
    if (work->traps)
        trap_clear();
    if (atomic_load(&launch.failed) && error)
        *error = launch.error;
    return !atomic_load(&launch.failed);
}

uint64_t pool_divergent_barriers(const struct pool *pool)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < pool->size; i++)
        sum += worker_divergent_barriers(pool->workers[i]);
    return sum;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Jobs and grids spread over the processors. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tuner/device/cpu/pool.h"

#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

static struct pool *new_pool(void)
{
    struct pool *pool;
    struct error error = {0};
    if (!pool_create(4096, &pool, &error))
        fail_msg("%s", error.text);
    return pool;
}

static void the_size_is_that_of_the_affinity(void **state)
{
    (void)state;
    cpu_set_t before, one;
    assert_int_equal(sched_getaffinity(0, sizeof before, &before), 0);
    struct pool *pool = new_pool();
    assert_int_equal(pool_size(pool), CPU_COUNT(&before));
    pool_destroy(pool);

    size_t first = 0;
    while (!CPU_ISSET(first, &before))
        first++;
    CPU_ZERO(&one);
    CPU_SET(first, &one);
    assert_int_equal(sched_setaffinity(0, sizeof one, &one), 0);
    pool = new_pool();
    assert_int_equal(pool_size(pool), 1);
    pool_destroy(pool);
    assert_int_equal(sched_setaffinity(0, sizeof before, &before), 0);
    pool_destroy(NULL);
}

static _Atomic int calls[1024];

static void count_call(void *argument, size_t i)
{
    assert_ptr_equal(argument, calls);
    atomic_fetch_add(&calls[i], 1);
}

static void a_job_runs_once_on_each_worker(void **state)
{
    (void)state;
    struct pool *pool = new_pool();
    for (int round = 1; round <= 500; round++) {
        pool_run(pool, count_call, calls);
        for (size_t i = 0; i < pool_size(pool); i++)
            assert_int_equal(atomic_load(&calls[i]), round); /* all are done when it returns */
    }
    pool_destroy(pool);
}

/* ---- grids ---- */

static _Thread_local struct tune_context context;

static struct tune_context *context_of(void *shared)
{
    context.dynamic_shared = shared;
    return &context;
}

enum { GX = 7, GY = 5, GZ = 3, BLOCKS = GX * GY * GZ };

static _Atomic int blocks_run[BLOCKS];
static int faulty = -1;

static void run_thread(void **arguments)
{
    (void)arguments;
    const struct tune_index *b = &context.block;
    int number = (int)((b->z * GY + b->y) * GX + b->x);
    atomic_fetch_add(&blocks_run[number], 1);
    if (number == faulty)
        context.services->fault(context.worker, "fault", 1);
    uint32_t arrived;
    context.services->barrier(context.worker, 0, number % 2 ? 1 : (int)context.thread.x, &arrived);
}

static struct block_work grid_work(void)
{
    return (struct block_work){.run = run_thread, .context = context_of, .grid = {GX, GY, GZ}, .block = {2, 1, 1}};
}

static void every_block_runs_once(void **state)
{
    (void)state;
    struct pool *pool = new_pool();
    struct block_work work = grid_work();
    struct error error = {0};
    memset(blocks_run, 0, sizeof blocks_run);
    faulty = -1;
    assert_true(pool_launch(pool, &work, &error));
    for (int i = 0; i < BLOCKS; i++)
        assert_int_equal(atomic_load(&blocks_run[i]), 2);              /* threads */
    assert_int_equal(pool_divergent_barriers(pool), (BLOCKS + 1) / 2); /* the even ones */
    pool_destroy(pool);
}

/* Blocks that have started on other processors finish, and the pool works afterwards. */
static void a_fault_ends_the_launch(void **state)
{
    (void)state;
    struct pool *pool = new_pool();
    struct block_work work = grid_work();
    struct error error = {0};
    work.grid = (struct tune_index){GX, GY, 1};
    for (int round = 0; round < 20; round++) {
        memset(blocks_run, 0, sizeof blocks_run);
        faulty = round;
        assert_false(pool_launch(pool, &work, &error));
        assert_int_equal(error.code, ERROR_FAULT);
        assert_non_null(strstr(error.text, "fault at line 1"));
        assert_int_equal(atomic_load(&blocks_run[round]), 1); /* its second thread never began */
        faulty = -1;
        assert_true(pool_launch(pool, &work, &error));
    }
    pool_destroy(pool);
}

static void note_block(void *c, const struct tune_index *block)
{
    uint32_t *expected = c;
    assert_int_equal((block->z * GY + block->y) * GX + block->x, *expected);
    ++*expected;
}

static void ignore_launch(void *c, const struct tune_context *thread, void *shared, size_t bytes, size_t room)
{
    (void)c, (void)thread, (void)shared, (void)bytes, (void)room;
}

static void ignore(void *c)
{
    (void)c;
}

static void ignore_divergence(void *c, const struct watched_place *at, int other, uint32_t ended)
{
    (void)c, (void)at, (void)other, (void)ended;
}

static void a_watched_grid_runs_in_order(void **state)
{
    (void)state;
    struct pool *pool = new_pool();
    struct block_work work = grid_work();
    struct error error = {0};
    uint32_t next = 0;
    const struct block_watch watch = {
        .context = &next,
        .launch = ignore_launch,
        .launched = ignore,
        .block = note_block,
        .barrier = ignore,
        .diverged = ignore_divergence,
    };
    work.watch = &watch;
    faulty = -1;
    assert_true(pool_launch(pool, &work, &error));
    assert_int_equal(next, BLOCKS);
    pool_destroy(pool);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_size_is_that_of_the_affinity),
        cmocka_unit_test(a_job_runs_once_on_each_worker),
        cmocka_unit_test(every_block_runs_once),
        cmocka_unit_test(a_fault_ends_the_launch),
        cmocka_unit_test(a_watched_grid_runs_in_order),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

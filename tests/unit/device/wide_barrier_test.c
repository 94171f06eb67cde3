/* SPDX-License-Identifier: Apache-2.0 */
/* Barriers of clusters and grids where one block lives: as in launches without either. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tuner/device/cpu/block.h"

#include <string.h>

enum { THREADS = 70 };

static _Thread_local struct tune_context context;

static struct tune_context *context_of(void *shared)
{
    context.dynamic_shared = shared;
    return &context;
}

static bool run(void (*kernel)(void **), void *argument, struct error *error)
{
    struct tune_worker *worker;
    const struct block_work work = {.run = kernel,
                                    .arguments = &argument,
                                    .context = context_of,
                                    .grid = {4, 1, 1},
                                    .block = {THREADS, 1, 1},
                                    .dynamic_shared = 64};
    assert_true(worker_create(4096, true, &worker, error));
    worker_begin(worker, &work);
    bool done = worker_run(worker, (struct tune_index){1, 0, 0}, error) && worker_finish(worker, error);
    worker_destroy(worker);
    return done;
}

/* A third of the threads ends first. */
static void pass(void **arguments)
{
    uint32_t *counts = arguments[0], i = context.thread.x;
    if (i % 3 == 0)
        return;
    counts[0]++;
    context.services->wide_barrier(context.worker, TUNE_CLUSTER, 1);
    counts[1] += counts[0] == THREADS - (THREADS + 2) / 3;
}

static void a_block_alone_is_its_cluster(void **state)
{
    (void)state;
    uint32_t counts[2] = {0};
    struct error error;
    assert_true(run(pass, counts, &error));
    assert_int_equal(counts[1], THREADS - (THREADS + 2) / 3);
}

static void ask(void **arguments)
{
    const char *what = arguments[0];
    if (context.thread.x != 7)
        return;
    if (strcmp(what, "grid") == 0)
        context.services->wide_barrier(context.worker, TUNE_GRID, 5);
    char *own = context.dynamic_shared;
    bool right = context.services->peer(context.worker, own + 3, 0, 6) == own + 3 &&
                 context.services->peer_rank(context.worker, own) == 0;
    context.services->peer(context.worker, own, right ? 1 : 0, 7);
}

static void what_it_does_not_have_is_a_fault(void **state)
{
    (void)state;
    struct error error = {0};
    assert_false(run(ask, "grid", &error));
    assert_string_equal(error.text,
                        "the grid is synchronised, but its launch is not cooperative at line 5, block (1, 0, "
                        "0), thread (7, 0, 0)");
    assert_false(run(ask, "peer", &error));
    assert_non_null(strstr(error.text, "a block that the cluster does not have at line 7, block (1, 0, 0)"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_block_alone_is_its_cluster),
        cmocka_unit_test(what_it_does_not_have_is_a_fault),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

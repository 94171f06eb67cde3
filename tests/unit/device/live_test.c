/* SPDX-License-Identifier: Apache-2.0 */
/* Grids whose blocks wait for each other, without a compiler: kernels are C functions. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tuner/device/cpu/live.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

static _Thread_local struct tune_context context;
static _Thread_local uint32_t shared_variable; /* as __shared__ becomes */

static struct tune_context *context_of(void *shared)
{
    context.dynamic_shared = shared;
    return &context;
}

static void wait_for(unsigned scope, int line)
{
    context.services->wide_barrier(context.worker, scope, line);
}

static uint32_t block_number(void)
{
    const struct tune_index *b = &context.block, *n = &context.grid_size;
    return (b->z * n->y + b->y) * n->x + b->x;
}

static struct live *new_live(void)
{
    struct live *live;
    struct error error;
    assert_true(live_create(4096, &live, &error));
    return live;
}

static void launch(struct live *live, struct block_work *work)
{
    struct error error = {0};
    work->context = context_of;
    assert_true(live_is_needed(work));
    assert_true(live_fits(work, &error));
    if (!live_launch(live, work, &error))
        fail_msg("%s", error.text);
}

/* ---- grids ---- */

enum { GX = 5, GY = 3, BLOCKS = GX * GY, THREADS = 40, ROUNDS = 9 };

static _Atomic uint32_t arrived[ROUNDS], early;

static void count_rounds(void **arguments)
{
    (void)arguments;
    for (int round = 0; round < ROUNDS; round++) {
        atomic_fetch_add(&arrived[round], 1);
        wait_for(TUNE_GRID, 1);
        if (atomic_load(&arrived[round]) != BLOCKS * THREADS)
            atomic_fetch_add(&early, 1);
    }
}

static void all_threads_of_a_grid_wait_for_each_other(void **state)
{
    (void)state;
    struct live *live = new_live();
    for (int i = 0; i < 3; i++) {
        memset(arrived, 0, sizeof arrived);
        struct block_work work = {.run = count_rounds,
                                  .grid = {GX, GY, 1},
                                  .block = {THREADS, 1, 1},
                                  .cluster = {1, 1, 1},
                                  .cooperative = true};
        launch(live, &work);
        assert_int_equal(atomic_load(&early), 0);
        assert_int_equal(live_divergent_barriers(live), 0);
    }
    live_destroy(live);
}

/* ---- clusters ---- */

static uint32_t gathered[2][12 * 6 * 4];

/* Every block leaves its number in its shared memory, and reads those of its cluster, whose ranks are x first. */
static void gather(void **arguments)
{
    (void)arguments;
    uint32_t *dynamic = context.dynamic_shared;
    shared_variable = block_number();
    *dynamic = 1000 + block_number();
    wait_for(TUNE_CLUSTER, 1);
    const struct tune_index *size = &context.cluster_size, *b = &context.block;
    uint32_t rank = (b->z % size->z * size->y + b->y % size->y) * size->x + b->x % size->x;
    uint32_t next = (rank + 1) % (size->x * size->y * size->z);
    const uint32_t *variable = context.services->peer(context.worker, &shared_variable, next, 2);
    const uint32_t *other = context.services->peer(context.worker, dynamic, next, 3);
    gathered[0][block_number()] = *variable;
    gathered[1][block_number()] = *other;
    if (context.services->peer_rank(context.worker, other) != next ||
        context.services->peer_rank(context.worker, variable) != next)
        context.services->fault(context.worker, "a wrong rank", 4);
    wait_for(TUNE_CLUSTER, 5);
}

static void a_cluster_reads_its_blocks_shared_memory(void **state)
{
    (void)state;
    struct live *live = new_live();
    const struct tune_index grid = {12, 6, 4}, size = {3, 2, 2};
    for (int cooperative = 0; cooperative < 2; cooperative++) {
        struct block_work work = {.run = gather,
                                  .grid = grid,
                                  .block = {1, 1, 1},
                                  .cluster = size,
                                  .cooperative = cooperative,
                                  .dynamic_shared = 64};
        memset(gathered, 0xff, sizeof gathered);
        launch(live, &work);
        for (uint32_t i = 0; i < grid.x * grid.y * grid.z; i++) {
            struct tune_index b = {i % grid.x, i / grid.x % grid.y, i / grid.x / grid.y}, n = b;
            n.x = b.x % 3 < 2 ? b.x + 1 : b.x - 2;
            if (b.x % 3 == 2) {
                n.y = b.y % 2 == 0 ? b.y + 1 : b.y - 1;
                n.z = b.y % 2 == 0 ? b.z : b.z % 2 == 0 ? b.z + 1 : b.z - 1;
            }
            uint32_t expected = (n.z * grid.y + n.y) * grid.x + n.x;
            assert_int_equal(gathered[0][i], expected);
            assert_int_equal(gathered[1][i], 1000 + expected);
        }
    }
    live_destroy(live);
}

/* ---- what goes wrong ---- */

static void diverge(void **arguments)
{
    const char *how = arguments[0];
    uint32_t block = block_number();
    if (strcmp(how, "missing") == 0 && block == 3)
        return;
    if (strcmp(how, "trap") == 0 && block == 2)
        context.services->fault(context.worker, "__trap()", 9);
    if (strcmp(how, "mixed") == 0 && context.thread.x == 1 && block == 1) {
        uint32_t unused;
        context.services->barrier(context.worker, 0, 12, &unused);
    }
    wait_for(TUNE_GRID, 11);
}

static void deadlocks_and_faults_end_the_launch(void **state)
{
    (void)state;
    static const struct {
        const char *how, *text;
    } cases[] = {
        {"missing",
         "divergent barrier: 5 of 6 blocks wait for the grid (line 11), 0 for their cluster (line 0), and 1 "
         "have ended"},
        {"trap", "__trap() at line 9, block (2, 0, 0), thread (0, 0, 0)"},
        {"mixed",
         "divergent barrier: block (1, 0, 0) is deadlocked: of 2 threads, 1 wait at a barrier (line 12), 0 for "
         "other lanes of their warp (line 0), 0 for their cluster (line 0), 1 for the grid (line 11), and 0 "
         "have exited"},
    };
    struct live *live = new_live();
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        void *how = (void *)(uintptr_t)cases[i].how, *well = "well";
        struct error error = {0};
        struct block_work work = {.run = diverge,
                                  .context = context_of,
                                  .arguments = &how,
                                  .grid = {6, 1, 1},
                                  .block = {2, 1, 1},
                                  .cluster = {1, 1, 1},
                                  .cooperative = true};
        assert_false(live_launch(live, &work, &error));
        assert_int_equal(error.code, ERROR_FAULT);
        assert_string_equal(error.text, cases[i].text);
        work.arguments = &well;
        launch(live, &work);
    }
    live_destroy(live);
}

static void what_cannot_live_at_once_is_refused(void **state)
{
    (void)state;
    static const struct {
        struct tune_index grid, block, cluster;
        bool cooperative;
        enum error_code code;
    } cases[] = {
        {{512, 1, 1}, {128, 1, 1}, {1, 1, 1}, true, ERROR_NONE},
        {{513, 1, 1}, {1, 1, 1}, {1, 1, 1}, true, ERROR_RESOURCES},
        {{65, 1, 1}, {1024, 1, 1}, {1, 1, 1}, true, ERROR_RESOURCES},
        {{2147483647, 65535, 65535}, {1024, 1, 1}, {1, 1, 1}, true, ERROR_RESOURCES},
        {{1 << 20, 16, 1}, {1024, 1, 1}, {4, 4, 1}, false, ERROR_NONE},
        {{17, 1, 1}, {32, 1, 1}, {17, 1, 1}, false, ERROR_RESOURCES},
        {{6, 9, 1}, {32, 1, 1}, {2, 2, 1}, false, ERROR_RESOURCES},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const struct block_work work = {.grid = cases[i].grid,
                                        .block = cases[i].block,
                                        .cluster = cases[i].cluster,
                                        .cooperative = cases[i].cooperative};
        struct error error = {0};
        assert_int_equal(live_fits(&work, &error), cases[i].code == ERROR_NONE);
        assert_int_equal(error.code, cases[i].code);
    }
    assert_false(live_is_needed(&(struct block_work){.grid = {9, 1, 1}, .block = {1, 1, 1}, .cluster = {1, 1, 1}}));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_threads_of_a_grid_wait_for_each_other),
        cmocka_unit_test(a_cluster_reads_its_blocks_shared_memory),
        cmocka_unit_test(deadlocks_and_faults_end_the_launch),
        cmocka_unit_test(what_cannot_live_at_once_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

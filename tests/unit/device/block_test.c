/* SPDX-License-Identifier: Apache-2.0 */
/* A worker and the threads of a block, without a compiler: kernels are C functions that call the device's services.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tuner/device/cpu/block.h"
#include "tuner/device/cpu/trap.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SHARED = 4096 };

static _Thread_local struct tune_context context;

static struct tune_context *context_of(void *shared)
{
    context.dynamic_shared = shared;
    return &context;
}

static struct tune_worker *new_worker(void)
{
    struct tune_worker *worker;
    struct error error = {0};
    assert_true(worker_create(SHARED, true, &worker, &error));
    return worker;
}

static struct block_work work_of(void (*run)(void **), void **arguments, struct tune_index block)
{
    return (struct block_work){
        .run = run, .arguments = arguments, .context = context_of, .grid = {4, 3, 2}, .block = block};
}

static uint32_t thread_number(void)
{
    const struct tune_index *t = &context.thread, *n = &context.block_size;
    return (t->z * n->y + t->y) * n->x + t->x;
}

static uint32_t sync_block(int predicate, int line, uint32_t *arrived)
{
    return context.services->barrier(context.worker, predicate, line, arrived);
}

/* Each thread notes its number in order; fibers run threads one after another. */
static void count_threads(void **arguments)
{
    uint32_t *seen = arguments[0];
    seen[thread_number()]++;
    assert_int_equal(context.lane, thread_number() % TUNE_WARP);
    assert_int_equal(context.block.x, 3);
    assert_int_equal(context.block.y, 2);
    assert_int_equal(context.grid_size.z, 2);
}

static void every_thread_runs_once(void **state)
{
    (void)state;
    static uint32_t seen[BLOCK_THREADS];
    static const struct tune_index blocks[] = {{1, 1, 1}, {5, 3, 4}, {1024, 1, 1}, {16, 1, 64}, {1, 33, 1}};
    struct tune_worker *worker = new_worker();
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++) {
        uint32_t threads = blocks[i].x * blocks[i].y * blocks[i].z;
        struct block_work work = work_of(count_threads, (void *[]){seen}, blocks[i]);
        struct error error = {0};
        memset(seen, 0, sizeof seen);
        worker_begin(worker, &work);
        assert_true(worker_run(worker, (struct tune_index){3, 2, 0}, &error));
        for (uint32_t t = 0; t < BLOCK_THREADS; t++)
            assert_int_equal(seen[t], t < threads);
    }
    worker_destroy(worker);
}

struct rotation {
    uint32_t values[BLOCK_THREADS], threads, rounds;
};

/* Takes the neighbour's value, again and again: wrong as soon as one barrier lets a thread pass early. */
static void rotate(void **arguments)
{
    struct rotation *r = arguments[0];
    uint32_t i = thread_number(), arrived;
    for (uint32_t round = 0; round < r->rounds; round++) {
        sync_block(0, 1, &arrived);
        uint32_t next = r->values[(i + 1) % r->threads];
        sync_block(0, 2, &arrived);
        r->values[i] = next;
    }
}

static void barriers_stop_all_threads(void **state)
{
    (void)state;
    static struct rotation r;
    static const uint32_t sizes[] = {1, 2, 31, 32, 33, 1000, 1024};
    struct tune_worker *worker = new_worker();
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        r.threads = sizes[i];
        r.rounds = 37;
        for (uint32_t t = 0; t < r.threads; t++)
            r.values[t] = t;
        struct block_work work = work_of(rotate, (void *[]){&r}, (struct tune_index){sizes[i], 1, 1});
        struct error error = {0};
        worker_begin(worker, &work);
        assert_true(worker_run(worker, (struct tune_index){0, 0, 0}, &error));
        for (uint32_t t = 0; t < r.threads; t++)
            assert_int_equal(r.values[t], (t + r.rounds) % r.threads);
    }
    assert_int_equal(worker_divergent_barriers(worker), 0);
    worker_destroy(worker);
}

/* Half of the threads exit before the barrier, one after it. */
static void count_at_barrier(void **arguments)
{
    uint32_t *counts = arguments[0], i = thread_number(), arrived;
    if (i % 2)
        return;
    counts[i] = 1000 * sync_block(i % 3 == 0, 1, &arrived);
    counts[i] += arrived;
    if (i == 4)
        return;
    sync_block(1, 2, &arrived);
    counts[i] += 1000000 * arrived;
}

static void barriers_count_the_remaining_threads(void **state)
{
    (void)state;
    uint32_t counts[48] = {0};
    struct tune_worker *worker = new_worker();
    struct block_work work = work_of(count_at_barrier, (void *[]){counts}, (struct tune_index){48, 1, 1});
    struct error error = {0};
    worker_begin(worker, &work);
    assert_true(worker_run(worker, (struct tune_index){0, 0, 0}, &error));
    for (uint32_t i = 0; i < 48; i += 2) /* 24 even numbers below 48, 8 of them multiples of 3 */
        assert_int_equal(counts[i], 8024 + (i == 4 ? 0 : 23000000));
    worker_destroy(worker);
}

/* Lanes 0 to 11 and the others exchange apart from each other, then all together. */
static void exchange_values(void **arguments)
{
    uint64_t *sums = arguments[0];
    uint32_t lane = context.lane, mask = lane < 12 ? 0xfffu : ~0xfffu, present;
    for (int round = 0; round < 2; round++) {
        const uint64_t *values = context.services->exchange(context.worker, mask, lane + 1, 1, &present);
        uint64_t sum = 0;
        for (uint32_t l = 0; l < TUNE_WARP; l++)
            sum += present >> l & 1 ? values[l] : 0;
        sums[thread_number()] += sum;
        mask = ~0u;
    }
}

static void exchanges_keep_their_masks_apart(void **state)
{
    (void)state;
    uint64_t sums[56] = {0}; /* the second warp has 24 lanes */
    struct tune_worker *worker = new_worker();
    struct block_work work = work_of(exchange_values, (void *[]){sums}, (struct tune_index){56, 1, 1});
    struct error error = {0};
    worker_begin(worker, &work);
    assert_true(worker_run(worker, (struct tune_index){0, 0, 0}, &error));
    for (uint32_t i = 0; i < 56; i++) {
        uint64_t lanes = i < 32 ? 32 : 24, all = lanes * (lanes + 1) / 2;
        assert_int_equal(sums[i], all + (i % 32 < 12 ? 78 : all - 78)); /* 1 + ... + 12 = 78 */
    }
    worker_destroy(worker);
}

static void misbehave(void **arguments)
{
    const char *how = arguments[0];
    uint32_t i = thread_number(), arrived;
    if (strcmp(how, "split") == 0)
        sync_block(0, i < 32 ? 7 : 8, &arrived);
    else if (strcmp(how, "stuck") == 0 && i < 40)
        sync_block(0, 11, &arrived);
    else if (strcmp(how, "stuck") == 0)
        context.services->exchange(context.worker, ~0u, 0, 12, &arrived);
    else if (strcmp(how, "trap") == 0 && i == 33)
        context.services->fault(context.worker, "__trap()", 21);
    else if (strcmp(how, "mask") == 0)
        context.services->exchange(context.worker, 1u << ((i + 1) % TUNE_WARP), 0, 31, &arrived);
}

static bool run_misbehaving(struct tune_worker *worker, const char *how, struct error *error)
{
    struct block_work work = work_of(misbehave, (void *[]){(void *)(uintptr_t)how}, (struct tune_index){64, 1, 1});
    *error = (struct error){0};
    worker_begin(worker, &work);
    return worker_run(worker, (struct tune_index){1, 2, 0}, error);
}

static void faults_say_where_and_leave_the_worker_usable(void **state)
{
    (void)state;
    struct tune_worker *worker = new_worker();
    struct error error;
    for (int round = 0; round < 3; round++) {
        assert_false(run_misbehaving(worker, "stuck", &error));
        assert_int_equal(error.code, ERROR_FAULT);
        assert_string_equal(error.text,
                            "divergent barrier: block (1, 2, 0) is deadlocked: of 64 threads, 40 wait at a barrier "
                            "(line 11), 24 for other lanes of their warp (line 12), and 0 have exited");
        assert_false(run_misbehaving(worker, "trap", &error));
        assert_string_equal(error.text, "__trap() at line 21, block (1, 2, 0), thread (33, 0, 0)");
        assert_false(run_misbehaving(worker, "mask", &error));
        assert_non_null(strstr(error.text, "a lane is missing from its own mask at line 31"));
        assert_true(run_misbehaving(worker, "well", &error));
    }
    worker_destroy(worker);
}

static void barriers_from_two_lines_are_counted(void **state)
{
    (void)state;
    struct tune_worker *worker = new_worker();
    struct error error;
    for (uint64_t i = 1; i <= 3; i++) {
        assert_true(run_misbehaving(worker, "split", &error));
        assert_int_equal(worker_divergent_barriers(worker), i);
    }
    worker_destroy(worker);
}

/* One thread waits for a value that a later one writes. */
static void wait_for_the_last(void **arguments)
{
    volatile uint32_t *done = arguments[0];
    if (thread_number() == 99)
        *done = 1;
    while (!*done)
        context.services->yield(context.worker);
}

static void yielding_lets_others_run(void **state)
{
    (void)state;
    uint32_t done = 0;
    struct tune_worker *worker = new_worker();
    struct block_work work = work_of(wait_for_the_last, (void *[]){&done}, (struct tune_index){100, 1, 1});
    struct error error = {0};
    worker_begin(worker, &work);
    assert_true(worker_run(worker, (struct tune_index){0, 0, 0}, &error));
    assert_int_equal(done, 1);
    worker_destroy(worker);
}

/* ---- what a watch sees ---- */

static char notes[256];

static void note(const char *word)
{
    size_t length = strlen(notes);
    snprintf(notes + length, sizeof notes - length, "%s ", word);
}

static void see_launch(void *c, const struct tune_context *thread, void *shared, size_t bytes, size_t room)
{
    (void)c;
    assert_ptr_equal(thread, &context);
    assert_ptr_equal(shared, context.dynamic_shared);
    assert_int_equal((uintptr_t)shared % 1024, 0);
    assert_int_equal(bytes, 100);
    assert_true(room >= SHARED);
    note("launch");
}

static void see_launched(void *c)
{
    (void)c;
    note("launched");
}

static void see_block(void *c, const struct tune_index *block)
{
    (void)c;
    note(block->x == 1 ? "block1" : "block0");
}

static void see_barrier(void *c)
{
    (void)c;
    note("barrier");
}

static void see_exchange(void *c, uint32_t warp, uint32_t lanes)
{
    (void)c;
    assert_int_equal(warp, 0);
    assert_int_equal(lanes, 3);
    note("exchange");
}

static void see_diverged(void *c, const struct watched_place *at, int other, uint32_t ended)
{
    (void)c;
    assert_int_equal(at->line, 2);
    assert_int_equal(other, 0);
    assert_int_equal(ended, 1);
    note("diverged");
}

static void see_fault(void *c, const struct watched_place *at, const char *text)
{
    (void)c;
    assert_int_equal(at->line, 3);
    assert_non_null(strstr(text, "over"));
    note("fault");
}

static const struct block_watch watch = {
    .launch = see_launch,
    .launched = see_launched,
    .block = see_block,
    .barrier = see_barrier,
    .exchange = see_exchange,
    .diverged = see_diverged,
    .fault = see_fault,
};

static void be_watched(void **arguments)
{
    (void)arguments;
    uint32_t arrived;
    context.services->exchange(context.worker, 3, 0, 1, &arrived);
    if (thread_number() == 1)
        return;
    sync_block(0, 2, &arrived);
    if (context.block.x == 1)
        context.services->fault(context.worker, "over", 3);
}

static void a_watch_sees_everything_in_order(void **state)
{
    (void)state;
    struct tune_worker *worker = new_worker();
    struct block_work work = work_of(be_watched, NULL, (struct tune_index){2, 1, 1});
    struct error error = {0};
    work.watch = &watch;
    work.dynamic_shared = 100;
    notes[0] = '\0';
    worker_begin(worker, &work);
    assert_true(worker_run(worker, (struct tune_index){0, 0, 0}, &error));
    assert_false(worker_run(worker, (struct tune_index){1, 0, 0}, &error));
    assert_true(worker_finish(worker, &error));
    assert_string_equal(notes, "launch block0 exchange diverged barrier block1 exchange diverged barrier fault "
                               "launched ");
    worker_destroy(worker);
}

static void write_shared(void **arguments)
{
    volatile char *shared = context.dynamic_shared;
    const ptrdiff_t *offset = arguments[0];
    shared[0] = 1;
    shared[*offset] = 1;
}

/* 100 bytes: the page behind them begins at 112. */
static void shared_memory_ends_where_the_launch_says(void **state)
{
    (void)state;
    static const ptrdiff_t inside[] = {0, 99}, noticed[] = {-64, -1, 100, 111}, faulting[] = {112, 5000, 1000000};
    struct tune_worker *worker = new_worker();
    ptrdiff_t offset;
    struct block_work work = work_of(write_shared, (void *[]){&offset}, (struct tune_index){1, 1, 1});
    work.dynamic_shared = 100;
    struct error error = {0};
    for (size_t i = 0; i < sizeof inside / sizeof *inside; i++) {
        offset = inside[i];
        worker_begin(worker, &work);
        assert_true(worker_run(worker, (struct tune_index){0, 0, 0}, &error));
        assert_true(worker_finish(worker, &error));
    }
    for (size_t i = 0; i < sizeof noticed / sizeof *noticed; i++) {
        offset = noticed[i];
        worker_begin(worker, &work);
        assert_true(worker_run(worker, (struct tune_index){0, 0, 0}, &error));
        assert_false(worker_finish(worker, &error));
        assert_int_equal(error.code, ERROR_FAULT);
        assert_non_null(strstr(error.text, "outside its dynamic shared memory of 100 bytes"));
    }
    for (size_t i = 0; i < sizeof faulting / sizeof *faulting; i++) {
        char expected[64];
        offset = faulting[i];
        trap_set();
        worker_begin(worker, &work);
        bool ran = worker_run(worker, (struct tune_index){3, 0, 0}, &error);
        trap_clear();
        assert_false(ran);
        assert_int_equal(error.code, ERROR_FAULT);
        snprintf(expected, sizeof expected, "uses byte %td of its dynamic shared memory", offset);
        assert_non_null(strstr(error.text, expected));
        assert_non_null(strstr(error.text, "gives it 100 bytes, block (3, 0, 0), thread (0, 0, 0)"));
        assert_true(worker_finish(worker, &error));
    }
    worker_destroy(worker);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_thread_runs_once),
        cmocka_unit_test(barriers_stop_all_threads),
        cmocka_unit_test(barriers_count_the_remaining_threads),
        cmocka_unit_test(exchanges_keep_their_masks_apart),
        cmocka_unit_test(faults_say_where_and_leave_the_worker_usable),
        cmocka_unit_test(barriers_from_two_lines_are_counted),
        cmocka_unit_test(yielding_lets_others_run),
        cmocka_unit_test(shared_memory_ends_where_the_launch_says),
        cmocka_unit_test(a_watch_sees_everything_in_order),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

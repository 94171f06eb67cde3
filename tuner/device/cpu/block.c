/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/device/cpu/block.h"

#include "tuner/device/cpu/fiber.h"
#include "tuner/device/cpu/shared.h"
#include "tuner/device/cpu/trap.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

enum {
    SLAB = 32,
    SLABS = BLOCK_THREADS / SLAB,
    SLAB_BYTES = SLAB * FIBER_STACK,
    WARPS = BLOCK_THREADS / TUNE_WARP,
};

enum wait { WAIT_NONE, WAIT_BARRIER, WAIT_WARP };

/* A cache line: all that a switch touches besides the stack. */
struct fiber {
    _Alignas(64) struct fiber_context context;
    struct tune_worker *worker;
    struct fiber *next; /* in its queue or list */
    struct tune_index thread;
    uint32_t number; /* of the thread in its block */
    enum wait wait;
    int line;
};

struct queue {
    struct fiber *first, *last;
};

struct barrier {
    struct queue waiting;
    uint32_t arrived, agreed; /* so far */
    uint32_t total, count;    /* of the last one completed */
    struct watched_place at;  /* of the first to arrive */
    bool divergent;
};

/* An exchange of values among lanes of a warp: open until the last lane arrives, reused once all have read. */
struct exchange {
    struct exchange *next;
    struct exchange *made_before;
    struct queue waiting;
    uint32_t mask, arrived;
    uint32_t present, unread;
    uint64_t values[TUNE_WARP];
};

struct warp {
    uint32_t ended; /* lanes, including those that never existed */
    struct exchange *open;
};

struct tune_worker {
    const struct block_work *work;
    struct tune_context *context;
    struct fiber_context own; /* the flow that calls worker_run */
    struct fiber *current;
    struct queue ready;
    struct fiber *idle;
    struct exchange *spare, *made;
    uint32_t threads, begun, live;
    struct tune_index next; /* the next thread to start */
    struct barrier barrier;
    struct warp warps[WARPS];
    uint64_t divergent_barriers;
    bool faulted;
    struct error fault;
    struct shared shared;
    bool guard_each;
    size_t fiber_count;
    struct fiber *slabs[SLABS]; /* of SLAB fibers each */
    void *stacks[SLABS];
};

static void queue_put(struct queue *queue, struct fiber *fiber)
{
    fiber->next = NULL;
    if (queue->first)
        queue->last->next = fiber;
    else
        queue->first = fiber;
    queue->last = fiber;
}

static void queue_join(struct queue *queue, struct queue *more)
{
    if (!more->first)
        return;
    if (queue->first)
        queue->last->next = more->first;
    else
        queue->first = more->first;
    queue->last = more->last;
    more->first = more->last = NULL;
}

static struct fiber *queue_take(struct queue *queue)
{
    struct fiber *fiber = queue->first;
    queue->first = fiber->next;
    return fiber;
}

/* ---- fibers ---- */

static void take_threads(void *argument);

static struct fiber *fiber_at(struct tune_worker *worker, size_t i)
{
    return &worker->slabs[i / SLAB][i % SLAB];
}

/*
 * Stacks whose tops have the same offset in a page would compete for the same few sets of the first-level cache, so
 * each starts a few lines lower than the one before.
 */
static void make_ready(struct tune_worker *worker, size_t i)
{
    struct fiber *fiber = fiber_at(worker, i);
    char *stack = (char *)worker->stacks[i / SLAB] + i % SLAB * FIBER_STACK;
    size_t skew = i * 7 % 64 * 64;
    fiber_prepare(&fiber->context, stack + FIBER_GUARD, FIBER_STACK - FIBER_GUARD, skew, take_threads, fiber);
    fiber->worker = worker;
    fiber->next = worker->idle;
    worker->idle = fiber;
}

static bool map_stacks(struct tune_worker *worker, size_t slab)
{
    char *stacks = mmap(NULL, SLAB_BYTES, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
    if (stacks == MAP_FAILED)
        return false;
    for (size_t i = 0; i < (worker->guard_each ? SLAB : 1); i++) {
        if (mprotect(stacks + i * FIBER_STACK, FIBER_GUARD, PROT_NONE) != 0) {
            munmap(stacks, SLAB_BYTES);
            return false;
        }
    }
    worker->stacks[slab] = stacks;
    return true;
}

static __attribute__((noinline)) struct fiber *idle_fiber(struct tune_worker *worker)
{
    size_t i = worker->fiber_count;
    if (!worker->idle) {
        size_t slab = i / SLAB;
        if (!worker->slabs[slab]) {
            worker->slabs[slab] = aligned_alloc(_Alignof(struct fiber), SLAB * sizeof(struct fiber));
            if (!worker->slabs[slab])
                return NULL;
            memset(worker->slabs[slab], 0, SLAB * sizeof(struct fiber));
        }
        if (!worker->stacks[slab] && !map_stacks(worker, slab))
            return NULL;
        make_ready(worker, i);
        worker->fiber_count++;
    }
    struct fiber *fiber = worker->idle;
    worker->idle = fiber->next;
    return fiber;
}

/* ---- faults ---- */

static _Noreturn void give_up(struct tune_worker *worker, struct watched_place at)
{
    if (worker->work->watch)
        worker->work->watch->fault(worker->work->watch->context, &at, worker->fault.text);
    worker->faulted = true;
    fiber_switch_last(&worker->current->context, &worker->own);
    abort(); /* never resumed */
}

static void print_block(struct tune_worker *worker, char *text, size_t bytes)
{
    const struct tune_index *b = &worker->context->block;
    snprintf(text, bytes, "block (%u, %u, %u)", b->x, b->y, b->z);
}

static __attribute__((noinline, cold)) _Noreturn void deadlock(struct tune_worker *worker)
{
    uint32_t waiting[3] = {0};
    int line[3] = {0};
    bool lines_differ[3] = {false};
    for (size_t i = 0; i < worker->fiber_count; i++) {
        const struct fiber *fiber = fiber_at(worker, i);
        if (waiting[fiber->wait]++ == 0)
            line[fiber->wait] = fiber->line;
        else if (line[fiber->wait] != fiber->line)
            lines_differ[fiber->wait] = true;
    }
    char block[64];
    print_block(worker, block, sizeof block);
    error_set(&worker->fault, ERROR_FAULT,
              "divergent barrier: %s is deadlocked: of %u threads, %u wait at a barrier (line %d%s), %u for other "
              "lanes of their warp (line %d%s), and %u have exited",
              block, worker->threads, waiting[WAIT_BARRIER], line[WAIT_BARRIER],
              lines_differ[WAIT_BARRIER] ? " and others" : "", waiting[WAIT_WARP], line[WAIT_WARP],
              lines_differ[WAIT_WARP] ? " and others" : "", worker->threads - worker->live);
    give_up(worker, waiting[WAIT_BARRIER] ? worker->barrier.at : (struct watched_place){line[WAIT_WARP], NULL});
}

static __attribute__((noinline, cold)) _Noreturn void out_of_memory(struct tune_worker *worker, const char *what)
{
    error_set(&worker->fault, ERROR_OUT_OF_MEMORY, "out of memory for the %s of a block of %u threads", what,
              worker->threads);
    give_up(worker, (struct watched_place){0, NULL});
}

static void fault(struct tune_worker *worker, const char *text, int line)
{
    const struct tune_index *t = &worker->context->thread;
    char block[64];
    print_block(worker, block, sizeof block);
    error_set(&worker->fault, ERROR_FAULT, "%s at line %d, %s, thread (%u, %u, %u)", text, line, block, t->x, t->y,
              t->z);
    give_up(worker, (struct watched_place){line, __builtin_return_address(0)});
}

/* Of an access to an inaccessible page; returns if that is not the end of the shared memory. */
static void on_trap(void *context, const void *address)
{
    struct tune_worker *worker = context;
    const struct tune_index *t = &worker->context->thread;
    size_t offset;
    char block[64];
    if (!shared_is_beyond(&worker->shared, address, &offset))
        return;
    print_block(worker, block, sizeof block);
    error_set(
        &worker->fault, ERROR_FAULT,
        "uses byte %zu of its dynamic shared memory, but the launch gives it %zu bytes, %s, thread (%u, %u, %u)",
        offset, worker->shared.given, block, t->x, t->y, t->z);
    give_up(worker, (struct watched_place){0, NULL});
}

/* ---- scheduling ---- */

/* Let another fiber continue. `self` is parked or idle, and returns from here when its turn comes. */
static inline void resume_next(struct tune_worker *worker, struct fiber *self, bool begin_first)
{
    bool can_begin = worker->begun < worker->threads;
    struct fiber *fiber;
    if (worker->ready.first && !(begin_first && can_begin)) {
        fiber = queue_take(&worker->ready);
        if (fiber == self)
            return;
    } else if (can_begin) {
        fiber = idle_fiber(worker);
        if (!fiber)
            out_of_memory(worker, "stacks");
    } else {
        deadlock(worker);
    }
    worker->current = fiber;
    fiber_switch(&self->context, &fiber->context);
}

static void wait_in(struct tune_worker *worker, struct queue *queue, enum wait wait, int line)
{
    struct fiber *self = worker->current;
    self->wait = wait;
    self->line = line;
    queue_put(queue, self);
    resume_next(worker, self, false);
    self->wait = WAIT_NONE;
    worker->context->thread = self->thread;
    worker->context->lane = self->number % TUNE_WARP;
}

static void yield(struct tune_worker *worker)
{
    struct fiber *self = worker->current;
    queue_put(&worker->ready, self);
    resume_next(worker, self, true);
    worker->context->thread = self->thread;
    worker->context->lane = self->number % TUNE_WARP;
}

/* ---- barriers and exchanges ---- */

static void tell_barrier(const struct tune_worker *worker, const struct block_watch *watch)
{
    uint32_t ended = worker->threads - worker->live;
    if (ended > 0)
        watch->diverged(watch->context, &worker->barrier.at, 0, ended);
    watch->barrier(watch->context);
}

static void barrier_open(struct tune_worker *worker)
{
    struct barrier *barrier = &worker->barrier;
    if (worker->work->watch)
        tell_barrier(worker, worker->work->watch);
    worker->divergent_barriers += barrier->divergent;
    barrier->divergent = false;
    barrier->total = barrier->arrived;
    barrier->count = barrier->agreed;
    barrier->arrived = barrier->agreed = 0;
    queue_join(&worker->ready, &barrier->waiting);
}

static void diverge(struct tune_worker *worker, int line)
{
    const struct block_watch *watch = worker->work->watch;
    if (watch && !worker->barrier.divergent)
        watch->diverged(watch->context, &worker->barrier.at, line, 0);
    worker->barrier.divergent = true;
}

static uint32_t barrier(struct tune_worker *worker, int predicate, int line, uint32_t *arrived)
{
    struct barrier *barrier = &worker->barrier;
    if (barrier->arrived++ == 0)
        barrier->at = (struct watched_place){line, __builtin_return_address(0)};
    else if (barrier->at.line != line)
        diverge(worker, line);
    barrier->agreed += predicate != 0;
    if (barrier->arrived == worker->live)
        barrier_open(worker);
    else
        wait_in(worker, &barrier->waiting, WAIT_BARRIER, line);
    *arrived = barrier->total;
    return barrier->count;
}

/* Remove the exchange from its warp's open ones if no lane is missing. */
static bool close_if_complete(struct tune_worker *worker, struct warp *warp, struct exchange **link)
{
    struct exchange *exchange = *link;
    if (exchange->mask & ~warp->ended & ~exchange->arrived)
        return false;
    *link = exchange->next;
    exchange->present = exchange->unread = exchange->arrived;
    const struct block_watch *watch = worker->work->watch;
    if (watch)
        watch->exchange(watch->context, (uint32_t)(warp - worker->warps), exchange->present);
    queue_join(&worker->ready, &exchange->waiting);
    return true;
}

static struct exchange *new_exchange(struct tune_worker *worker)
{
    struct exchange *exchange = worker->spare;
    if (exchange) {
        worker->spare = exchange->next;
    } else {
        exchange = calloc(1, sizeof *exchange);
        if (!exchange)
            out_of_memory(worker, "shuffles");
        exchange->made_before = worker->made;
        worker->made = exchange;
    }
    return exchange;
}

static const uint64_t *exchange(struct tune_worker *worker, uint32_t mask, uint64_t value, int line,
                                uint32_t *present)
{
    uint32_t number = worker->current->number, lane = number % TUNE_WARP;
    struct warp *warp = &worker->warps[number / TUNE_WARP];
    if (!(mask >> lane & 1))
        fault(worker, "a lane is missing from its own mask", line);

    struct exchange **link = &warp->open;
    while (*link && (*link)->mask != mask)
        link = &(*link)->next;
    if (!*link) {
        *link = new_exchange(worker);
        (*link)->next = NULL;
        (*link)->mask = mask;
        (*link)->arrived = 0;
    }
    struct exchange *own = *link;
    own->values[lane] = value;
    own->arrived |= 1u << lane;
    if (!close_if_complete(worker, warp, link))
        wait_in(worker, &own->waiting, WAIT_WARP, line);

    *present = own->present;
    own->unread &= ~(1u << lane);
    if (own->unread == 0) {
        own->next = worker->spare;
        worker->spare = own;
    }
    return own->values;
}

static int print(const char *format, va_list arguments)
{
    return vdprintf(2, format, arguments);
}

static uint64_t nanoseconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC_RAW, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

static const struct tune_services services = {barrier, exchange, yield, fault, print, nanoseconds};

/* ---- threads ---- */

static void begin_thread(struct tune_worker *worker, struct fiber *fiber)
{
    const struct tune_index *size = &worker->work->block;
    struct tune_index *next = &worker->next;
    fiber->thread = *next;
    fiber->number = worker->begun++;
    worker->context->thread = fiber->thread;
    worker->context->lane = fiber->number % TUNE_WARP;
    if (++next->x == size->x) {
        next->x = 0;
        if (++next->y == size->y) {
            next->y = 0;
            next->z++;
        }
    }
}

/* Threads that wait for all others may have waited for this one only. */
static void end_thread(struct tune_worker *worker, struct fiber *fiber)
{
    struct warp *warp = &worker->warps[fiber->number / TUNE_WARP];
    warp->ended |= 1u << fiber->number % TUNE_WARP;
    for (struct exchange **link = &warp->open; *link;) {
        if (!close_if_complete(worker, warp, link))
            link = &(*link)->next;
    }
    worker->live--;
    if (worker->live > 0 && worker->barrier.arrived == worker->live)
        barrier_open(worker);
}

static void take_threads(void *argument)
{
    struct fiber *self = argument;
    struct tune_worker *worker = self->worker;
    fiber_started(&self->context);
    for (;;) {
        begin_thread(worker, self);
        worker->work->run(worker->work->arguments);
        end_thread(worker, self);
        if (!worker->ready.first && worker->begun < worker->threads)
            continue;
        self->next = worker->idle;
        worker->idle = self;
        if (worker->live == 0)
            fiber_switch(&self->context, &worker->own);
        else
            resume_next(worker, self, false);
    }
}

/* ---- blocks ---- */

/* A fault leaves the fibers wherever they were; all start again. */
static void recover(struct tune_worker *worker)
{
    worker->idle = NULL;
    for (size_t i = 0; i < worker->fiber_count; i++) {
        fiber_at(worker, i)->wait = WAIT_NONE;
        make_ready(worker, i);
    }
    worker->ready = (struct queue){NULL, NULL};
    worker->spare = NULL;
    for (struct exchange *e = worker->made; e; e = e->made_before) {
        e->waiting = (struct queue){NULL, NULL};
        e->next = worker->spare;
        worker->spare = e;
    }
}

static void reset_block(struct tune_worker *worker)
{
    worker->begun = 0;
    worker->live = worker->threads;
    worker->next = (struct tune_index){0, 0, 0};
    worker->barrier = (struct barrier){.arrived = 0};
    for (uint32_t w = 0; w * TUNE_WARP < worker->threads; w++) {
        uint32_t lanes = worker->threads - w * TUNE_WARP;
        worker->warps[w].ended = lanes >= TUNE_WARP ? 0 : ~0u << lanes;
        worker->warps[w].open = NULL;
    }
}

void worker_begin(struct tune_worker *worker, const struct block_work *work)
{
    worker->work = work;
    worker->threads = work->block.x * work->block.y * work->block.z;
    const struct block_watch *watch = work->watch;
    void *shared = watch ? shared_place_openly(&worker->shared, work->dynamic_shared)
                         : shared_place(&worker->shared, work->dynamic_shared, work->shared_alignment);
    worker->context = work->context(shared);
    worker->context->block_size = work->block;
    worker->context->grid_size = work->grid;
    worker->context->worker = worker;
    worker->context->services = &services;
    worker->context->watcher = watch ? watch->accesses : NULL;
    if (watch)
        watch->launch(watch->context, worker->context, shared, work->dynamic_shared, worker->shared.most);
}

bool worker_finish(struct tune_worker *worker, struct error *error)
{
    const struct block_watch *watch = worker->work->watch;
    if (watch)
        watch->launched(watch->context);
    else if (!shared_is_intact(&worker->shared))
        return error_set(error, ERROR_FAULT, "a block writes outside its dynamic shared memory of %zu bytes",
                         worker->shared.given);
    return true;
}

bool worker_run(struct tune_worker *worker, struct tune_index block, struct error *error)
{
    worker->context->block = block;
    reset_block(worker);
    if (worker->work->watch)
        worker->work->watch->block(worker->work->watch->context, &worker->context->block);
    struct fiber *first = idle_fiber(worker);
    if (!first)
        return error_out_of_memory(error);
    worker->current = first;
    trap_call(on_trap, worker);
    fiber_switch(&worker->own, &first->context);
    trap_call(NULL, NULL);
    if (!worker->faulted)
        return true;
    recover(worker);
    worker->faulted = false;
    if (error)
        *error = worker->fault;
    return false;
}

uint64_t worker_divergent_barriers(const struct tune_worker *worker)
{
    return worker->divergent_barriers;
}

bool worker_create(size_t shared_bytes, bool guard_each, struct tune_worker **result, struct error *error)
{
    struct tune_worker *worker = calloc(1, sizeof *worker);
    if (!worker)
        return error_out_of_memory(error);
    if (!shared_create(&worker->shared, shared_bytes, error)) {
        free(worker);
        return false;
    }
    worker->guard_each = guard_each;
    *result = worker;
    return true;
}

void worker_destroy(struct tune_worker *worker)
{
    if (!worker)
        return;
    for (struct exchange *e = worker->made; e;) {
        struct exchange *before = e->made_before;
        free(e);
        e = before;
    }
    for (size_t i = 0; i < SLABS; i++) {
        if (worker->stacks[i])
            munmap(worker->stacks[i], SLAB_BYTES);
        free(worker->slabs[i]);
    }
    shared_destroy(&worker->shared);
    free(worker);
}

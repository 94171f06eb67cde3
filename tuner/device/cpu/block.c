/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/device/cpu/block.h"

#include "tuner/device/cpu/trap.h"
#include "tuner/device/cpu/worker.h"

#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

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

_Noreturn void worker_leave(struct tune_worker *worker)
{
    worker->faulted = true;
    fiber_switch_last(&worker->current->context, &worker->own);
    abort(); /* never resumed */
}

static _Noreturn void give_up(struct tune_worker *worker, struct watched_place at)
{
    if (worker->work->watch)
        worker->work->watch->fault(worker->work->watch->context, &at, worker->fault.text);
    worker_leave(worker);
}

static void print_block(struct tune_worker *worker, char *text, size_t bytes)
{
    const struct tune_index *b = &worker->context->block;
    snprintf(text, bytes, "block (%u, %u, %u)", b->x, b->y, b->z);
}

static __attribute__((noinline, cold)) _Noreturn void deadlock(struct tune_worker *worker)
{
    uint32_t waiting[WAITS] = {0};
    int line[WAITS] = {0};
    bool lines_differ[WAITS] = {false};
    for (size_t i = 0; i < worker->fiber_count; i++) {
        const struct fiber *fiber = fiber_at(worker, i);
        if (waiting[fiber->wait]++ == 0)
            line[fiber->wait] = fiber->line;
        else if (line[fiber->wait] != fiber->line)
            lines_differ[fiber->wait] = true;
    }
    char block[64];
    print_block(worker, block, sizeof block);
    char wide[96] = "";
    if (waiting[WAIT_CLUSTER] + waiting[WAIT_GRID] > 0)
        snprintf(wide, sizeof wide, "%u for their cluster (line %d), %u for the grid (line %d), ",
                 waiting[WAIT_CLUSTER], line[WAIT_CLUSTER], waiting[WAIT_GRID], line[WAIT_GRID]);
    error_set(&worker->fault, ERROR_FAULT,
              "divergent barrier: %s is deadlocked: of %u threads, %u wait at a barrier (line %d%s), %u for other "
              "lanes of their warp (line %d%s), %sand %u have exited",
              block, worker->threads, waiting[WAIT_BARRIER], line[WAIT_BARRIER],
              lines_differ[WAIT_BARRIER] ? " and others" : "", waiting[WAIT_WARP], line[WAIT_WARP],
              lines_differ[WAIT_WARP] ? " and others" : "", wide, worker->threads - worker->live);
    const struct barrier *barriers[] = {&worker->barrier, &worker->wide[0], &worker->wide[1]};
    for (size_t i = 0; i < sizeof barriers / sizeof *barriers; i++) {
        if (barriers[i]->arrived > 0)
            give_up(worker, barriers[i]->at);
    }
    give_up(worker, (struct watched_place){line[WAIT_WARP], NULL});
}

static __attribute__((noinline, cold)) _Noreturn void out_of_memory(struct tune_worker *worker, const char *what)
{
    error_set(&worker->fault, ERROR_OUT_OF_MEMORY, "out of memory for the %s of a block of %u threads", what,
              worker->threads);
    give_up(worker, (struct watched_place){0, NULL});
}

_Noreturn void worker_fault(struct tune_worker *worker, const char *text, int line)
{
    const struct tune_index *t = &worker->context->thread;
    char block[64];
    print_block(worker, block, sizeof block);
    error_set(&worker->fault, ERROR_FAULT, "%s at line %d, %s, thread (%u, %u, %u)", text, line, block, t->x, t->y,
              t->z);
    give_up(worker, (struct watched_place){line, __builtin_return_address(0)});
}

static void fault(struct tune_worker *worker, const char *text, int line)
{
    worker_fault(worker, text, line);
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

void worker_park(struct tune_worker *worker, struct queue *queue, enum wait wait, int line)
{
    wait_in(worker, queue, wait, line);
}

/* Alone, a fiber can only be waiting for a block of another thread, which may need this processor. */
static void yield(struct tune_worker *worker)
{
    struct fiber *self = worker->current;
    if (!worker->ready.first && worker->begun == worker->threads)
        sched_yield();
    queue_put(&worker->ready, self);
    resume_next(worker, self, true);
    worker->context->thread = self->thread;
    worker->context->lane = self->number % TUNE_WARP;
}

/* ---- barriers and exchanges ---- */

void worker_tell_arrived(const struct tune_worker *worker, const struct barrier *barrier)
{
    const struct block_watch *watch = worker->work->watch;
    uint32_t ended = worker->threads - worker->live;
    if (watch && ended > 0)
        watch->diverged(watch->context, &barrier->at, 0, ended);
}

static void barrier_open(struct tune_worker *worker)
{
    struct barrier *barrier = &worker->barrier;
    const struct block_watch *watch = worker->work->watch;
    if (watch) {
        worker_tell_arrived(worker, barrier);
        watch->barrier(watch->context);
    }
    worker->divergent_barriers += barrier->divergent;
    barrier->divergent = false;
    barrier->total = barrier->arrived;
    barrier->count = barrier->agreed;
    barrier->arrived = barrier->agreed = 0;
    queue_join(&worker->ready, &barrier->waiting);
}

static void diverge(const struct tune_worker *worker, struct barrier *barrier, int line)
{
    const struct block_watch *watch = worker->work->watch;
    if (watch && !barrier->divergent)
        watch->diverged(watch->context, &barrier->at, line, 0);
    barrier->divergent = true;
}

void worker_arrive(struct tune_worker *worker, struct barrier *barrier, struct watched_place at)
{
    if (barrier->arrived++ == 0)
        barrier->at = at;
    else if (barrier->at.line != at.line)
        diverge(worker, barrier, at.line);
}

static uint32_t barrier(struct tune_worker *worker, int predicate, int line, uint32_t *arrived)
{
    struct barrier *barrier = &worker->barrier;
    worker_arrive(worker, barrier, (struct watched_place){line, __builtin_return_address(0)});
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

static void launch(struct tune_worker *worker, const struct tune_launch *launch)
{
    struct error why;
    if (!worker->work->launch)
        worker_fault(worker, "a launch by a kernel, which is not possible here", launch->line);
    if (!worker->work->launch(worker->work->launch_context, launch, &why))
        worker_fault(worker, why.text, launch->line);
}

static const struct tune_services services = {.barrier = barrier,
                                              .exchange = exchange,
                                              .yield = yield,
                                              .fault = fault,
                                              .print = print,
                                              .nanoseconds = nanoseconds,
                                              .wide_barrier = wide_barrier,
                                              .peer = wide_peer,
                                              .peer_rank = wide_rank,
                                              .launch = launch};

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
    else if (worker->live > 0)
        wide_end_thread(worker);
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
    worker->barrier = worker->wide[0] = worker->wide[1] = (struct barrier){.arrived = 0};
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
    worker->context->cluster_size = work->cluster.x ? work->cluster : (struct tune_index){1, 1, 1};
    worker->context->cooperative = work->cooperative;
    worker->context->worker = worker;
    worker->context->services = &services;
    worker->context->watcher = watch ? watch->accesses : NULL;
    if (watch && worker->member == 0)
        watch->launch(watch->context, worker->context, shared, work->dynamic_shared, worker->shared.most);
}

void worker_join(struct tune_worker *worker, struct team *team, size_t member)
{
    worker->team = team;
    worker->member = member;
    team_place(team, member, worker);
}

bool worker_meet(struct tune_worker *worker, bool stop)
{
    return team_begin(worker->team, worker->member, stop, worker->context, worker->context->dynamic_shared);
}

bool worker_finish(struct tune_worker *worker, struct error *error)
{
    const struct block_watch *watch = worker->work->watch;
    bool alone = !worker->team;
    worker->team = NULL;
    worker->member = 0;
    if (watch && alone)
        watch->launched(watch->context);
    else if (!watch && !shared_is_intact(&worker->shared))
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

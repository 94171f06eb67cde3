/* SPDX-License-Identifier: Apache-2.0 */
/*
 * worker.h - what the files that run a block share: a worker's state, and how a thread waits or gives up.
 *
 * block.c runs blocks; wide_barrier.c has what threads of different blocks do together.
 */
#ifndef TUNE_DEVICE_CPU_WORKER_H
#define TUNE_DEVICE_CPU_WORKER_H

#include "tuner/device/cpu/block.h"
#include "tuner/device/cpu/fiber.h"
#include "tuner/device/cpu/shared.h"
#include "tuner/device/cpu/team.h"

enum {
    SLAB = 32,
    SLABS = BLOCK_THREADS / SLAB,
    SLAB_BYTES = SLAB * FIBER_STACK,
    WARPS = BLOCK_THREADS / TUNE_WARP,
};

enum wait { WAIT_NONE, WAIT_BARRIER, WAIT_WARP, WAIT_CLUSTER, WAIT_GRID, WAITS };

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
    struct barrier wide[2]; /* of the cluster and the grid, as far as they concern this block */
    struct warp warps[WARPS];
    uint64_t divergent_barriers;
    bool faulted;
    struct error fault;
    struct shared shared;
    struct team *team; /* NULL: no other block lives */
    size_t member;
    bool guard_each;
    size_t fiber_count;
    struct fiber *slabs[SLABS]; /* of SLAB fibers each */
    void *stacks[SLABS];
};

/* ---- queues ---- */

static inline void queue_put(struct queue *queue, struct fiber *fiber)
{
    fiber->next = NULL;
    if (queue->first)
        queue->last->next = fiber;
    else
        queue->first = fiber;
    queue->last = fiber;
}

static inline void queue_join(struct queue *queue, struct queue *more)
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

static inline struct fiber *queue_take(struct queue *queue)
{
    struct fiber *fiber = queue->first;
    queue->first = fiber->next;
    return fiber;
}

/* ---- of block.c ---- */

/* The running thread waits in `queue` until something moves it to the ready ones. */
void worker_park(struct tune_worker *worker, struct queue *queue, enum wait wait, int line);

/* A thread has arrived: note a line that differs from the first one's. */
void worker_arrive(struct tune_worker *worker, struct barrier *barrier, struct watched_place at);

/* Tell the watch that all threads that live have arrived. */
void worker_tell_arrived(const struct tune_worker *worker, const struct barrier *barrier);

/* The running thread faults. */
_Noreturn void worker_fault(struct tune_worker *worker, const char *text, int line);

/* Leave the block for good, for the reason in worker->fault, which the watch knows. */
_Noreturn void worker_leave(struct tune_worker *worker);

/* ---- of wide_barrier.c ---- */

/* Services of kernel_abi.h. */
void wide_barrier(struct tune_worker *worker, unsigned scope, int line);
void *wide_peer(struct tune_worker *worker, const void *pointer, uint32_t rank, int line);
uint32_t wide_rank(struct tune_worker *worker, const void *pointer);

/* A thread has ended: others may have waited for it only. */
void wide_end_thread(struct tune_worker *worker);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * block.h - a worker: runs thread blocks, one at a time, each thread of a block on a fiber.
 *
 * A fiber runs one thread after another, each to its end, so a kernel without barriers never switches. A thread that
 * must wait (barrier, shuffle, vote) parks its fiber, and another continues: one that is ready, else one that starts
 * the next thread. If there is neither, the block is deadlocked: a fault, which says which threads wait where. As on
 * hardware since Volta, a barrier waits for the threads that have not exited, and a warp's exchange for the lanes of
 * its mask that have not exited. Barriers of a cluster or of the grid (wide_barrier.c) wait for other blocks as well,
 * each of which has a worker of its own (team.h).
 */
#ifndef TUNE_DEVICE_CPU_BLOCK_H
#define TUNE_DEVICE_CPU_BLOCK_H

#include "tuner/device/cpu/kernel_abi.h"
#include "tuner/device/cpu/watch.h"
#include "tuner/error/error.h"

struct team;

enum { BLOCK_THREADS = 1024 };

/* Common to all blocks of a launch. */
struct block_work {
    void (*run)(void **arguments);
    void **arguments;
    tune_context_function *context; /* of the module, for the calling thread */
    struct tune_index grid, block, cluster;
    bool cooperative;                /* all blocks live at once; see live.h */
    size_t dynamic_shared;           /* bytes */
    size_t shared_alignment;         /* that the module's declarations ask for; 0: none does */
    const struct block_watch *watch; /* NULL: unwatched */
    bool traps;                      /* are set while the launch runs (trap.h) */
    /* Takes the launches that threads make, of any worker at any time. NULL: they cannot. */
    bool (*launch)(void *context, const struct tune_launch *launch, struct error *error);
    void *launch_context;
};

/*
 * `shared_bytes` is the most dynamic shared memory a block may have. With `guard_each` a guard page lies below every
 * stack, else below one in 32 (each guard takes a mapping of the process, and mappings are limited).
 */
bool worker_create(size_t shared_bytes, bool guard_each, struct tune_worker **worker, struct error *error);
void worker_destroy(struct tune_worker *worker);

/* Before the first block of a launch, on the thread that will run the blocks. */
void worker_begin(struct tune_worker *worker, const struct block_work *work);

/* After the last block. ERROR_FAULT: a block wrote just outside its dynamic shared memory. */
bool worker_finish(struct tune_worker *worker, struct error *error);

/* The worker is a member of a team until worker_finish; before worker_begin. */
void worker_join(struct tune_worker *worker, struct team *team, size_t member);

/* team_begin for a worker that has begun. */
bool worker_meet(struct tune_worker *worker, bool stop);

/*
 * Run one block to its end. ERROR_FAULT: it trapped or deadlocked, or, while traps are set (trap.h), used more
 * dynamic shared memory than it has; ERROR_OUT_OF_MEMORY: no memory for a stack.
 */
bool worker_run(struct tune_worker *worker, struct tune_index block, struct error *error);

/* How many barriers since worker_create were reached by threads from different lines of the source. */
uint64_t worker_divergent_barriers(const struct tune_worker *worker);

#endif

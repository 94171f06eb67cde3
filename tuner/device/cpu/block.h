/* SPDX-License-Identifier: Apache-2.0 */
/*
 * block.h - a worker: runs thread blocks, one at a time, each thread of a block as a fiber.
 *
 * A fiber takes one thread after the other and runs each to its end, so a kernel without barriers never switches. A
 * thread that must wait (barrier, shuffle, vote) parks its fiber, and another goes on: one that may, else one that
 * takes a thread that has not begun. If there is neither, the block can never go on: a fault, which says who waits
 * where. As on hardware since Volta, a barrier waits for the threads that have not ended, and a warp's exchange for
 * the lanes of its mask that have not ended.
 */
#ifndef TUNE_DEVICE_CPU_BLOCK_H
#define TUNE_DEVICE_CPU_BLOCK_H

#include "tuner/device/cpu/kernel_abi.h"
#include "tuner/device/cpu/watch.h"
#include "tuner/error/error.h"

enum { BLOCK_THREADS = 1024 };

/* What all blocks of a launch share. */
struct block_work {
    void (*run)(void **arguments);
    void **arguments;
    tune_context_function *context; /* of the module, for the calling thread */
    struct tune_index grid, block;
    size_t dynamic_shared;           /* bytes */
    const struct block_watch *watch; /* NULL: nobody watches */
};

/*
 * `shared_bytes` is the most dynamic shared memory a block may have. With `guard_each` every stack has a page below
 * it that faults, otherwise one in 32 does (each guard costs the kernel a mapping, and mappings are limited).
 */
bool worker_create(size_t shared_bytes, bool guard_each, struct tune_worker **worker, struct error *error);
void worker_destroy(struct tune_worker *worker);

/* Before the first block of a launch: the calling thread is the one that will run the blocks. */
void worker_begin(struct tune_worker *worker, const struct block_work *work);

/* Behind the last one, if it was watched. */
void worker_finish(struct tune_worker *worker);

/* Run one block to its end. ERROR_FAULT: it trapped or cannot go on; ERROR_OUT_OF_MEMORY: no memory for a stack. */
bool worker_run(struct tune_worker *worker, struct tune_index block, struct error *error);

/* How many barriers since worker_create were reached by threads from different lines of the source. */
uint64_t worker_divergent_barriers(const struct tune_worker *worker);

#endif

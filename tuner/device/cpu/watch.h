/* SPDX-License-Identifier: Apache-2.0 */
/*
 * watch.h - observes kernels on the CPU device: which threads synchronise, and what an instrumented module accesses.
 *
 * A watched device runs one block after another on the calling thread, so the watch needs no locks and sees the same
 * order every time; blocks that live at the same time (team.h) take turns on threads of their own. It is called for
 * launches, blocks and everything that orders threads. The accesses themselves come from the module, if it was
 * compiled with calls to its tune_watcher (kernel_abi.h). No function may be NULL or call the device.
 */
#ifndef TUNE_DEVICE_CPU_WATCH_H
#define TUNE_DEVICE_CPU_WATCH_H

#include "tuner/device/cpu/kernel_abi.h"

#include <stddef.h>
#include <stdint.h>

/* A block that lives together with others: its running thread's context, and its dynamic shared memory. */
struct watched_block {
    const struct tune_context *thread;
    void *shared;
};

/* A place in the kernel: the line, and the address after the instruction; 0 and NULL: unknown. */
struct watched_place {
    int line;
    const void *code;
};

struct block_watch {
    void *context;
    const struct tune_watcher *accesses; /* for the module; NULL: not instrumented */

    /* A launch begins. `thread` is the running thread's context at any time; `shared` is the dynamic memory of every
     * block, `bytes` of it in this launch, `room` at most. */
    void (*launch)(void *context, const struct tune_context *thread, void *shared, size_t bytes, size_t room);
    void (*launched)(void *context);

    /* Blocks that live at the same time are about to begin: `count` of them, cluster by cluster. `blocks` stays valid
     * until `launched`. Then member `i` of them continues, or begins. */
    void (*team)(void *context, const struct watched_block *blocks, size_t count, size_t cluster);
    void (*turn)(void *context, size_t i);

    /* The next block begins: none of its threads has run, and its shared memory is uninitialised. */
    void (*block)(void *context, const struct tune_index *block);

    /* All threads of the block pass a barrier. */
    void (*barrier)(void *context);

    /* All threads of the running block's cluster, or of the grid, pass a barrier. */
    void (*wide_barrier)(void *context, enum tune_scope scope);

    /* `lanes` of a warp (the threads from 32 * warp on) have all arrived and proceed. */
    void (*exchange)(void *context, uint32_t warp, uint32_t lanes);

    /* Threads of a block reached a barrier from two lines, or (other == 0) `ended` threads exited before it. */
    void (*diverged)(void *context, const struct watched_place *at, int other, uint32_t ended);

    /* The launch ends here: a trap, an assertion, a barrier that deadlocks. */
    void (*fault)(void *context, const struct watched_place *at, const char *text);

    /* The host filled or copied these bytes between launches. */
    void (*written)(void *context, uint64_t address, size_t bytes);
};

#endif

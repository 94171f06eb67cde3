/* SPDX-License-Identifier: Apache-2.0 */
/*
 * watch.h - to look over the shoulder of kernels that run on the CPU device: who synchronises with whom, and what an
 * instrumented module touches.
 *
 * A device that is watched runs one block after the other on the calling thread, so that the watch needs no locks and
 * sees the same order every time. The watch is told of launches, blocks and everything that orders threads; the
 * accesses themselves come from the module, if it was compiled with calls to its tune_watcher (kernel_abi.h). All
 * functions must be there; they must not call the device.
 */
#ifndef TUNE_DEVICE_CPU_WATCH_H
#define TUNE_DEVICE_CPU_WATCH_H

#include "tuner/device/cpu/kernel_abi.h"
#include "tuner/device/device.h"

/* Where in the kernel: the line, and the address behind the instruction; 0 and NULL: not known. */
struct watched_place {
    int line;
    const void *code;
};

struct block_watch {
    void *context;
    const struct tune_watcher *accesses; /* for the module; NULL: it is not instrumented */

    /* A launch begins. `thread` is where the thread that runs stands at any time; `shared` is the dynamic memory of
     * every block and `room` how much of it there could be. */
    void (*launch)(void *context, const struct tune_context *thread, void *shared, size_t bytes, size_t room);
    void (*launched)(void *context);

    /* The next block begins: nobody has run in it and its shared memory holds nothing. */
    void (*block)(void *context, const struct tune_index *block);

    /* A barrier of the whole block lets all its threads go on. */
    void (*barrier)(void *context);

    /* `lanes` of a warp (the threads from 32 * warp on) have all arrived and go on. */
    void (*exchange)(void *context, uint32_t warp, uint32_t lanes);

    /* Threads of a block met at a barrier from two lines, or (other == 0) `ended` threads had ended before it. */
    void (*diverged)(void *context, const struct watched_place *at, int other, uint32_t ended);

    /* The launch ends here: a trap, an assertion, a barrier that can never be passed. */
    void (*fault)(void *context, const struct watched_place *at, const char *text);

    /* The host filled or copied these bytes between launches. */
    void (*written)(void *context, uint64_t address, size_t bytes);
};

/* Watch the device from now on; NULL: no more. The watch must live as long. */
void cpu_watch(struct device *device, const struct block_watch *watch);

#endif

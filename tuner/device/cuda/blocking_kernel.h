/* SPDX-License-Identifier: Apache-2.0 */
/*
 * blocking_kernel.h - a kernel that blocks the stream until the host has queued everything that is to be timed.
 *
 * A launch costs the host 2 to 5 us. A GPU that runs dry between the two events of a timing shows the host's speed,
 * not its own. So a kernel of one thread precedes the first event and spins on a word in the host's memory, which the
 * host writes once the second event is queued (NVBench calls this a blocking kernel). A captured graph was the
 * alternative, but it delays nothing before its first launch, the gaps between its nodes differ from those between
 * launches in a stream, and sequences that poll a flag cannot be captured.
 *
 * It cannot deadlock: the kernel gives up after BLOCKING_TIMEOUT_NS by the GPU's own clock, everything that waits for
 * the stream unblocks it first, and so does the BLOCKING_MAX_LAUNCHES-th launch, well before the driver's queue
 * (1,024 entries) is full. A longer sequence keeps that head start.
 *
 * The kernel that spins for timer.h is compiled along with it, since one compilation of two kernels is cheaper.
 */
#ifndef TUNE_DEVICE_CUDA_BLOCKING_KERNEL_H
#define TUNE_DEVICE_CUDA_BLOCKING_KERNEL_H

#include "tuner/device/cuda/context.h"
#include "tuner/device/cuda/module.h"

enum { BLOCKING_TIMEOUT_NS = 5000000, BLOCKING_MAX_LAUNCHES = 256, SPIN_STAMPS = 2 };

struct blocking_kernel {
    const struct context *context;
    struct module *module; /* NULL until first used */
    struct device_kernel *block, *spin;
    uint32_t *word; /* in the host's memory: the round that may proceed */
    cuda_address word_address;
    cuda_address stamps_address; /* where the spin stores its start and end, in nanoseconds of the GPU's clock */
    uint32_t round;
    bool blocked, unavailable;
    unsigned queued; /* launches since the stream was blocked */
};

/* Compile and load both kernels unless that is done. Where they do not compile, it succeeds with `unavailable` set.
 */
bool blocking_kernel_prepare(struct blocking_kernel *blocking, struct error *error);
/* Block the stream. Does nothing where the kernel is unavailable. */
bool blocking_kernel_block(struct blocking_kernel *blocking, struct error *error);
/* Unblock it. Does nothing unless it is blocked. */
void blocking_kernel_unblock(struct blocking_kernel *blocking);
/* To be called before each launch, copy or fill that is queued. */
void blocking_kernel_count(struct blocking_kernel *blocking);
/* Queue a spin of that many nanoseconds, which fills in the stamps. Only where the kernel is available. */
bool blocking_kernel_spin(struct blocking_kernel *blocking, uint64_t nanoseconds, struct error *error);
void blocking_kernel_close(struct blocking_kernel *blocking);

#endif

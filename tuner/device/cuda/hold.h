/* SPDX-License-Identifier: Apache-2.0 */
/*
 * hold.h - a kernel that keeps the stream waiting until the host has queued what is to be timed.
 *
 * Launching takes the host some 2 to 5 us; a GPU that runs dry between the two events of a timing shows the host's
 * speed, not its own. So a kernel of one thread goes ahead of the first event and waits for a word in the host's
 * memory, which is written once the second event is queued (the blocking kernel of NVBench and of others before it).
 * A captured graph was the alternative: it holds nothing back before its first launch, the gaps between its nodes are
 * not those of launches in a stream, and sequences that wait for a flag cannot be captured.
 *
 * It can never hang: the kernel gives up after HOLD_NANOSECONDS by the GPU's own clock, everything that waits for the
 * stream lets go first, and so does the HOLD_LAUNCHES-th launch, well before the queue of the driver is full (1,024).
 * From then on, a longer sequence has that many launches of lead.
 *
 * The spin that timer.h needs comes along, as one compilation makes both.
 */
#ifndef TUNE_DEVICE_CUDA_HOLD_H
#define TUNE_DEVICE_CUDA_HOLD_H

#include "tuner/device/cuda/library.h"

enum { HOLD_NANOSECONDS = 5000000, HOLD_LAUNCHES = 256, HOLD_STAMPS = 2 };

struct device;
struct module;
struct device_kernel;

struct hold {
    struct module *module; /* NULL until it is first used */
    struct device_kernel *kernel, *spin;
    uint32_t *word; /* in the host's memory: the round that may go on */
    cuda_address word_address;
    cuda_address stamps_address; /* where the spin leaves its start and its end, in nanoseconds of the GPU's clock */
    uint32_t round;
    bool held, unavailable;
    unsigned queued; /* since it is held */
};

/* Compile and load the kernels, unless it is done. That they cannot be compiled is no error. */
bool hold_prepare(struct device *device, struct error *error);
/* Queue the kernel. Where it cannot be compiled nothing is held back, which is no error. */
bool hold_begin(struct device *device, struct error *error);
/* Let the stream go on. Does nothing unless it is held. */
void hold_end(struct device *device);
/* Something was queued. */
void hold_count(struct device *device);
void hold_close(struct device *device);

#endif

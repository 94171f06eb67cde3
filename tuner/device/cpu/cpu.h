/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cpu.h - the CPU device: kernels in CUDA C++ on the processors of the host.
 *
 * The host's C++ compiler compiles the kernel's source unchanged but for a few words (compiler.h, source.h,
 * cuda_words.hpp). The result is loaded into the process (loader.h); blocks are spread over the processors (pool.h),
 * and the threads of a block are fibers (block.h, fiber.h). Work is done at once, in the call that queues it. A
 * kernel that faults by __trap, assert or a barrier that deadlocks makes the device unusable, as on a GPU; one that
 * touches unmapped memory kills the process by a signal.
 */
#ifndef TUNE_DEVICE_CPU_CPU_H
#define TUNE_DEVICE_CPU_CPU_H

#include "tuner/device/cpu/watch.h"
#include "tuner/device/device.h"

extern const struct device_driver cpu_driver;

/* How many barriers so far were reached by threads of a block from different lines of the source. */
uint64_t cpu_divergent_barriers(const struct device *device);

/* Watch the device from now on; NULL: stop watching. The watch outlives the watching. */
void cpu_watch(struct device *device, const struct block_watch *watch);

#endif

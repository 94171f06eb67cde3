/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cpu.h - the CPU device: kernels in CUDA C++ on the processors of the host.
 *
 * The kernel's source is compiled as it stands by the host's C++ compiler (compiler.h, source.h, cuda_words.hpp) and
 * loaded into the process (loader.h); blocks are spread over the processors (pool.h), the threads of a block are
 * fibers (block.h, fiber.h). All queued work is done at once, in the call that queues it. A kernel that faults by
 * __trap, assert or a barrier that cannot be passed makes the device unusable, as on a GPU; one that touches memory
 * that is not there ends the process by a signal.
 */
#ifndef TUNE_DEVICE_CPU_CPU_H
#define TUNE_DEVICE_CPU_CPU_H

#include "tuner/device/device.h"

extern const struct device_driver cpu_driver;

/* How many barriers so far were reached by the threads of a block from different lines of the source. */
uint64_t cpu_divergent_barriers(const struct device *device);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * gpu.h - for benchmarks of what others provide on a GPU: buffers, and times taken as tune takes those of a kernel.
 *
 * libcuda is opened at run time, so benchmarks build everywhere. What fails ends the program with a message: status
 * 77 if there is no library, 1 otherwise.
 */
#ifndef TUNE_BENCH_GPU_H
#define TUNE_BENCH_GPU_H

#include <stddef.h>
#include <stdint.h>

/* Opens the driver and makes the first device's primary context current. */
void gpu_open(void);

/* Of the first library of the list (which ends with NULL) that can be opened, the function of that name. */
void *gpu_library_function(const char *const libraries[], const char *name);

/* Floats, uniform in [-1, 1). */
uint64_t gpu_random_floats(size_t count);

/* Enqueues a copy within the device's memory. */
void gpu_copy(uint64_t to, uint64_t from, size_t bytes);

typedef void gpu_work(const void *data);

/*
 * Median time in milliseconds of what `work` enqueues, without what a launch adds to it. After untimed calls, samples
 * are timed by events: the L2 cache is flushed before each, and while the flush runs, everything that is timed is
 * queued. As in tune (tuner/device/cuda/timer.h), the median of an empty kernel timed in the same way is subtracted.
 */
double gpu_time(gpu_work *work, const void *data, int samples);

/* Ends the program unless status is 0. */
void gpu_check(int status, const char *what);

#endif

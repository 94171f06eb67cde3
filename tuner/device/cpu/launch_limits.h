/* SPDX-License-Identifier: Apache-2.0 */
/*
 * launch_limits.h - what a launch on the CPU device may ask for: the limits of a GPU of compute capability 9.0, so
 * that what fits one fits the other.
 */
#ifndef TUNE_DEVICE_CPU_LAUNCH_LIMITS_H
#define TUNE_DEVICE_CPU_LAUNCH_LIMITS_H

#include "tuner/device/cpu/block.h"
#include "tuner/device/cpu/loader.h"

enum {
    MAX_BLOCK_X = 1024,
    MAX_BLOCK_Y = 1024,
    MAX_BLOCK_Z = 64,
    MAX_GRID_X = 2147483647,
    MAX_GRID_YZ = 65535,
    MAX_SHARED = 48 << 10,
    MAX_SHARED_OPTIN = 227 << 10,
};

/* The kernel's shared memory, and the blocks that have to live at once. ERROR_RESOURCES: too much. */
bool launch_limits_fit(const struct device_kernel *kernel, const struct launch_shape *shape, struct error *error);

/* The same, and the sizes of grid and block. */
bool launch_limits_check(const struct device_kernel *kernel, const struct launch_shape *shape, struct error *error);

/* The launch, but for what it runs, its arguments and its watch. A cluster of the launch stands before the kernel's
 * own. */
struct block_work launch_limits_work(const struct device_kernel *kernel, const struct launch_shape *shape);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * launch.h - runs a launch of the CPU device to its end: a grid, and all the grids that it launches (nested.h).
 */
#ifndef TUNE_DEVICE_CPU_LAUNCH_H
#define TUNE_DEVICE_CPU_LAUNCH_H

#include "tuner/device/cpu/loader.h"
#include "tuner/device/cpu/watch.h"

struct live;
struct nested;
struct pool;

/* What runs the blocks; `watch` is NULL if nobody watches; `traps`: see trap.h. Launches by kernels wait in `nested`,
 * which is new. */
struct launcher {
    struct pool *pool;
    struct live *live;
    const struct block_watch *watch;
    bool traps;
    struct nested *nested;
};

/* A launch within the limits (launch_limits.h). The first fault ends it; `error` names the kernel. */
bool launch_run(const struct launcher *launcher, const struct device_kernel *kernel, const struct launch_shape *shape,
                void *const *arguments, struct error *error);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cores.h - the processors of the host as what runs launches: one at a time, whoever makes them, until one faults.
 *
 * All views of a device share them. In a process that was forked they are dead, since their threads are not there.
 */
#ifndef TUNE_DEVICE_CPU_CORES_H
#define TUNE_DEVICE_CPU_CORES_H

#include "tuner/device/cpu/loader.h"
#include "tuner/device/cpu/watch.h"

struct cores;

/* `traps`: an access to an inaccessible page is a fault of the launch (trap.h). */
bool cores_open(bool traps, struct cores **cores, struct error *error);
/* One more user, who closes them as well. */
struct cores *cores_share(struct cores *cores);
void cores_close(struct cores *cores);

struct pool *cores_pool(const struct cores *cores);
uint64_t cores_divergent_barriers(const struct cores *cores);

/* False after a fault: `error` is that of the launch. */
bool cores_alive(const struct cores *cores, struct error *error);

/* Run a launch within the limits (launch_limits.h) to its end. False: it was not made, or memory ran out under it; a
 * fault shows in cores_alive. */
bool cores_launch(struct cores *cores, const struct device_kernel *kernel, const struct launch_shape *shape,
                  const struct block_watch *watch, void *const *arguments, struct error *error);

#endif

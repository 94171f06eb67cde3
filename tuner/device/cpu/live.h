/* SPDX-License-Identifier: Apache-2.0 */
/*
 * live.h - launches whose blocks wait for each other: cooperative grids, and grids of clusters.
 *
 * All blocks of a cooperative grid live at once, and so do those of a cluster; several clusters run at once if there
 * are processors for them. A block that lives takes an operating-system thread, since its shared variables are
 * thread-local, and a stack for each of its threads: about 8 KiB of memory each, which bounds how many may live.
 */
#ifndef TUNE_DEVICE_CPU_LIVE_H
#define TUNE_DEVICE_CPU_LIVE_H

#include "tuner/device/cpu/block.h"

enum { LIVE_BLOCKS = 512, LIVE_THREADS = 65536, LIVE_CLUSTER = 16 };

struct live; /* the threads, which are started when first needed */

bool live_create(size_t shared_bytes, struct live **live, struct error *error);
void live_destroy(struct live *live);

/* Does a launch need this? */
bool live_is_needed(const struct block_work *work);

/* ERROR_RESOURCES: too many blocks or threads would live at once, a cluster is too large, or the grid is
 * not a multiple of the cluster. */
bool live_fits(const struct block_work *work, struct error *error);

/* Run all blocks of a grid that fits. The first fault ends the launch. */
bool live_launch(struct live *live, const struct block_work *work, struct error *error);

/* As pool_divergent_barriers. */
uint64_t live_divergent_barriers(const struct live *live);

#endif

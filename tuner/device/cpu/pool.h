/* SPDX-License-Identifier: Apache-2.0 */
/*
 * pool.h - the processors that this process may use: a worker for each, and a job that all of them do together.
 *
 * The thread that calls pool_run works too, as worker 0, so a pool of one starts no thread at all.
 */
#ifndef TUNE_DEVICE_CPU_POOL_H
#define TUNE_DEVICE_CPU_POOL_H

#include "tuner/device/cpu/block.h"

struct pool;

bool pool_create(size_t shared_bytes, struct pool **pool, struct error *error);
void pool_destroy(struct pool *pool);
size_t pool_size(const struct pool *pool);

/* Call `job(argument, i)` once on each worker's thread, i counting them, and wait for all. */
void pool_run(struct pool *pool, void (*job)(void *argument, size_t i), void *argument);

/* Run all blocks of a grid. The first fault ends the launch: blocks that have not begun do not begin. */
bool pool_launch(struct pool *pool, const struct block_work *work, struct error *error);

/* Summed over the workers; see worker_divergent_barriers. */
uint64_t pool_divergent_barriers(const struct pool *pool);

#endif

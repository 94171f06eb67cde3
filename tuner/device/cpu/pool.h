/* SPDX-License-Identifier: Apache-2.0 */
/*
 * pool.h - a worker for each processor that this process may use, and jobs that all of them do together.
 *
 * The thread that calls pool_run is worker 0, so a pool of one starts no thread.
 */
#ifndef TUNE_DEVICE_CPU_POOL_H
#define TUNE_DEVICE_CPU_POOL_H

#include "tuner/device/cpu/block.h"

struct pool;

/* How many processors this process may use. */
size_t pool_processors(void);

bool pool_create(size_t shared_bytes, struct pool **pool, struct error *error);
/* The same with a number of workers of its own. */
bool pool_create_of(size_t workers, size_t shared_bytes, struct pool **pool, struct error *error);
void pool_destroy(struct pool *pool);
size_t pool_size(const struct pool *pool);
struct tune_worker *pool_worker(const struct pool *pool, size_t i);

/* Call `job(argument, i)` on each worker's thread, i being its number, and wait for all. */
void pool_run(struct pool *pool, void (*job)(void *argument, size_t i), void *argument);

/* Run all blocks of a grid. The first fault ends the launch: no further block starts. */
bool pool_launch(struct pool *pool, const struct block_work *work, struct error *error);

/* The sum of worker_divergent_barriers over the workers. */
uint64_t pool_divergent_barriers(const struct pool *pool);

#endif

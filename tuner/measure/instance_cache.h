/* SPDX-License-Identifier: Apache-2.0 */
/*
 * instance_cache.h - keeps instances from job to job: inputs and references are the same for a whole sweep.
 *
 * Holds the most recently used ones that together take no more than half of the device's memory.
 */
#ifndef TUNE_MEASURE_INSTANCE_CACHE_H
#define TUNE_MEASURE_INSTANCE_CACHE_H

#include "tuner/measure/instance.h"

struct instance_cache;

bool instance_cache_create(struct instance_cache **result, struct error *error);
void instance_cache_free(struct instance_cache *cache, struct validation_kernels *validation);

/* The instance for a case of a job, created if necessary. It belongs to the cache and is valid until the next call.
 */
bool instance_cache_get(struct instance_cache *cache, struct validation_kernels *validation,
                        struct program_cache *programs, const struct job *job, size_t which, struct instance **result,
                        struct error *error);

/* Drop everything: after a kernel wrote out of bounds, nothing on the device can be trusted. */
void instance_cache_clear(struct instance_cache *cache, struct validation_kernels *validation);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * instance_cache.h - the instances that are kept between jobs: inputs and references are the same for a whole sweep.
 *
 * The most recently used stay as long as all together take less than half the device's memory.
 */
#ifndef TUNE_MEASURE_INSTANCE_CACHE_H
#define TUNE_MEASURE_INSTANCE_CACHE_H

#include "tuner/measure/instance.h"

struct instance_cache;

bool instance_cache_create(struct instance_cache **result, struct error *error);
void instance_cache_free(struct instance_cache *cache, struct validation_kernels *validation);

/* The instance for a case of a job, made unless it is there. Belongs to the cache; valid until the next call. */
bool instance_cache_get(struct instance_cache *cache, struct validation_kernels *validation,
                        struct program_cache *programs, const struct job *job, size_t which, struct instance **result,
                        struct error *error);

/* Let go of all: after a kernel wrote where it must not, nothing on the device can be trusted. */
void instance_cache_clear(struct instance_cache *cache, struct validation_kernels *validation);

#endif

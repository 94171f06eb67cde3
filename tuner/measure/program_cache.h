/* SPDX-License-Identifier: Apache-2.0 */
/*
 * program_cache.h - keeps compiled and loaded setups and references from job to job.
 */
#ifndef TUNE_MEASURE_PROGRAM_CACHE_H
#define TUNE_MEASURE_PROGRAM_CACHE_H

#include "tuner/measure/early_image.h"
#include "tuner/measure/program.h"

struct program_cache;

bool program_cache_create(struct program_cache **result, struct error *error);
void program_cache_free(struct program_cache *cache, const struct device_driver *driver, struct device *device);

/* Begin to compile in a thread what program_cache_get will be asked for, unless it is here already. `source` stays
 * the caller's, and must live as long as the cache. Whatever fails here fails there. */
void program_cache_begin(struct program_cache *cache, const struct device_driver *driver, struct device *device,
                         const struct device_description *description, const struct compile_images *images,
                         const struct job_program *source);

/*
 * The program of a source file, compiled unless that was done before with the same text, defines, options and names.
 * It stays valid until the next call but one, because a job needs both setup and reference.
 */
bool program_cache_get(struct program_cache *cache, const struct device_driver *driver, struct device *device,
                       const struct device_description *description, struct compile_cache *images,
                       const struct job_program *source, const struct program **program, struct error *error);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * caches.h - evicts the device's buffers from the processors' caches.
 *
 * Line by line (cache_lines.h) where user code may do that and it takes no longer than refilling the caches. Else
 * every processor writes to its share of a buffer twice the size of the largest cache, which also empties the caches
 * that it has to itself.
 */
#ifndef TUNE_DEVICE_CPU_CACHES_H
#define TUNE_DEVICE_CPU_CACHES_H

#include "tuner/device/cpu/cache_lines.h"
#include "tuner/device/cpu/memory.h"
#include "tuner/device/cpu/pool.h"

struct caches {
    struct pool *pool;
    const struct memory *memory;
    struct cache_lines lines;
    char *sweep; /* the buffer to write; NULL until it is first needed */
    size_t sweep_bytes;
};

/* `cache_bytes` is the size of the largest cache; 0: unknown. */
struct caches caches_create(struct pool *pool, const struct memory *memory, int64_t cache_bytes);
void caches_clear(struct caches *caches);

bool caches_flush(struct caches *caches, struct error *error);

/* Bytes per second that all processors together read and write: the best of a few copies within the buffer. */
bool caches_bandwidth(struct caches *caches, double *bytes_per_second, struct error *error);

#endif

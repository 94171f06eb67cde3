/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cache_lines.h - evicts memory from all caches line by line, where user code may do so.
 *
 * On x86 by CLFLUSHOPT, or CLFLUSH on older processors, which evict the line from the caches of all processors (Intel
 * 64 and IA-32 Architectures Software Developer's Manual, volume 2A). The cost grows with the bytes, not the caches.
 */
#ifndef TUNE_DEVICE_CPU_CACHE_LINES_H
#define TUNE_DEVICE_CPU_CACHE_LINES_H

#include <stdbool.h>
#include <stddef.h>

struct cache_lines {
    size_t bytes; /* per line; 0: lines cannot be flushed here */
    bool weak;    /* has CLFLUSHOPT, which does not wait for the previous line */
};

/* What this processor offers. */
struct cache_lines cache_lines_find(void);

/* Flush every line that holds one of the bytes; complete on return. */
void cache_lines_flush(struct cache_lines lines, const void *start, size_t bytes);

#endif

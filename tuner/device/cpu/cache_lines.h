/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cache_lines.h - memory is put out of all caches line by line, where user code may do so.
 *
 * On x86 by CLFLUSHOPT, or CLFLUSH on older processors: the line leaves the caches of all processors (Intel 64 and
 * IA-32 Architectures Software Developer's Manual, volume 2A). The cost goes with the bytes, not with the caches.
 */
#ifndef TUNE_DEVICE_CPU_CACHE_LINES_H
#define TUNE_DEVICE_CPU_CACHE_LINES_H

#include <stdbool.h>
#include <stddef.h>

struct cache_lines {
    size_t bytes; /* a line; 0: lines cannot be flushed here */
    bool weak;    /* there is CLFLUSHOPT, which does not wait for the line before */
};

/* What this processor can do. */
struct cache_lines cache_lines_find(void);

/* Flush all lines that hold one of the bytes; done when it returns. */
void cache_lines_flush(struct cache_lines lines, const void *start, size_t bytes);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * eviction.h - keeps a folder of entries within its bound.
 *
 * A small file, the state, holds the sum of the entries' sizes, so that writers need not look at every entry. The sum
 * may be too large, since a replaced entry counts twice. The folder is counted again when the sum exceeds the bound,
 * when the state is unreadable, and once a day.
 */
#ifndef TUNE_CACHE_EVICTION_H
#define TUNE_CACHE_EVICTION_H

#include <stdint.h>

enum { ENTRY_NAME = 32 }; /* hexadecimal digits of an entry's name */
#define TEMPORARY_PREFIX ".new-"

/* The space that a file takes on disk: whole pages. */
uint64_t eviction_size(uint64_t bytes);

/* Add an entry's bytes to the sum, and evict if due; `folder` and `state` are open descriptors. */
void eviction_count(int folder, int state, uint64_t bytes, uint64_t bound);

#endif

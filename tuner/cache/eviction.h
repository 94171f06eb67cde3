/* SPDX-License-Identifier: Apache-2.0 */
/*
 * eviction.h - keeps a folder of entries within a bound.
 *
 * The sum of the entries' sizes is kept in a small file, the state, so that a writer need not look at every entry. It
 * errs on the side of too much (an entry that is replaced counts twice); the folder itself is counted again when the
 * sum is above the bound, when the state is unreadable, and once a day.
 */
#ifndef TUNE_CACHE_EVICTION_H
#define TUNE_CACHE_EVICTION_H

#include <stdint.h>

enum { ENTRY_NAME = 32 }; /* hexadecimal digits of an entry's name */
#define TEMPORARY_PREFIX ".new-"

/* What a file of so many bytes takes on a disk: whole pages. */
uint64_t eviction_size(uint64_t bytes);

/* Add an entry's bytes to the sum and evict if it is time to; `folder` and `state` are open. */
void eviction_count(int folder, int state, uint64_t bytes, uint64_t bound);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * region_lock.h - locks between processes, each on one byte of a file.
 *
 * They are open file description locks (fcntl_locking(2)), which leave nothing behind and end with their process
 * however it ends. On a file system without them, every lock succeeds.
 */
#ifndef TUNE_CACHE_REGION_LOCK_H
#define TUNE_CACHE_REGION_LOCK_H

#include <stdbool.h>
#include <stdint.h>

/* The bytes: the sum of sizes, eviction, and from REGION_KEYS on the keys. */
enum { REGION_TOTAL, REGION_EVICTION, REGION_KEYS };

/* Wait up to `seconds` (0: not at all). False: another process still holds the lock. */
bool region_lock(int file, uint64_t region, double seconds);
void region_unlock(int file, uint64_t region);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * region_lock.h - locks on single bytes of a file, one for each thing that processes have to take turns at.
 *
 * They are open file description locks (fcntl_locking(2)): they leave nothing behind and end with the process,
 * however it ends. On a file system that has none of them everybody is let in.
 */
#ifndef TUNE_CACHE_REGION_LOCK_H
#define TUNE_CACHE_REGION_LOCK_H

#include <stdbool.h>
#include <stdint.h>

/* The bytes: of the sum of sizes, of eviction; keys have the rest. */
enum { REGION_TOTAL, REGION_EVICTION, REGION_KEYS };

/* Wait for at most `seconds` (0: not at all). False: someone else still has it. */
bool region_lock(int file, uint64_t region, double seconds);
void region_unlock(int file, uint64_t region);

#endif

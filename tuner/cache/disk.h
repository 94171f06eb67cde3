/* SPDX-License-Identifier: Apache-2.0 */
/*
 * disk.h - a bounded store of entries on disk, shared by any number of processes.
 *
 * An entry is a file: a header with a magic number, version, key and XXH3 checksum, then the content compressed by
 * zstd. It is written under a temporary name and renamed, so readers see all of it or nothing. A file that is
 * damaged, has the wrong key or belongs to another user counts as absent and is replaced. Reading an entry updates
 * its modification time, at most once an hour. When the sizes, each rounded up to a page, exceed the bound, one
 * process removes the least recently used entries down to 90 % of the bound, along with temporary files of killed
 * writers.
 *
 * A cache never fails: if the folder cannot be created, read or written, or the disk is full, entries are just not
 * found or not stored. Every function accepts NULL for "no cache".
 */
#ifndef TUNE_CACHE_DISK_H
#define TUNE_CACHE_DISK_H

#include "tuner/cache/key.h"

struct cache;

/*
 * In $XDG_CACHE_HOME/tune/images, or ~/.cache/tune/images (XDG Base Directory Specification), bounded by
 * $TUNE_CACHE_BYTES, 2 GiB by default. NULL: no such place, or the bound is 0 or not a number.
 */
struct cache *cache_open(void);
struct cache *cache_open_at(const char *folder, uint64_t bound);
uint64_t cache_bound(void); /* that of cache_open */
/*
 * The same to find entries and to claim them, not to store any: for processes that run what others wrote. They need
 * no right to write but to one file of the folder, in which nothing is stored: claims are locks on its bytes.
 */
struct cache *cache_open_to_read(void);
struct cache *cache_open_to_read_at(const char *folder);
const char *cache_claims_path(const struct cache *cache); /* that file */
void cache_close(struct cache *cache);
const char *cache_path(const struct cache *cache); /* its folder */

/* The content, which the caller frees, and its size; false if there is none. */
bool cache_get(struct cache *cache, const struct cache_key *key, void **content, size_t *bytes);
void cache_put(struct cache *cache, const struct cache_key *key, const void *content, size_t bytes);

/*
 * Claim the right to make an entry. False: another process still has the claim after `seconds`. A claim ends with
 * cache_release or with its process.
 */
bool cache_claim(struct cache *cache, const struct cache_key *key, double seconds);
void cache_release(struct cache *cache, const struct cache_key *key);

#endif

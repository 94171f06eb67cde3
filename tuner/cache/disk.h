/* SPDX-License-Identifier: Apache-2.0 */
/*
 * disk.h - a bounded store of entries on disk that any number of processes use at once.
 *
 * An entry is a file: a header with a magic number, its version, its key and an XXH3 checksum, and the content
 * compressed by zstd. It is written under another name and renamed, so a reader sees all of it or nothing; whatever
 * is not an entry of this user, whole and with the right key counts as absent and is replaced. Reading an entry
 * renews its modification time, at most once an hour. When the sum of sizes (each rounded up to a page) is above the
 * bound, one process removes the least recently used entries until 90 % of the bound are left, and what killed
 * writers have left behind.
 *
 * A cache never fails: where the folder cannot be made, read or written, or the disk is full, entries are not found
 * or not kept, and that is all. Every function takes NULL for "no cache".
 */
#ifndef TUNE_CACHE_DISK_H
#define TUNE_CACHE_DISK_H

#include "tuner/cache/key.h"

struct cache;

/*
 * In $XDG_CACHE_HOME/tune/images, else ~/.cache/tune/images, as the XDG Base Directory Specification says; at most
 * $TUNE_CACHE_BYTES, by default 2 GiB. NULL: there is no such place, the bound is 0 or not a number.
 */
struct cache *cache_open(void);
struct cache *cache_open_at(const char *folder, uint64_t bound);
void cache_close(struct cache *cache);

/* The content, to be freed, with its size; false if there is none. */
bool cache_get(struct cache *cache, const struct cache_key *key, void **content, size_t *bytes);
void cache_put(struct cache *cache, const struct cache_key *key, const void *content, size_t bytes);

/*
 * Claim the making of an entry. False: another process is still at it after `seconds`. The claim ends with
 * cache_release or with the process.
 */
bool cache_claim(struct cache *cache, const struct cache_key *key, double seconds);
void cache_release(struct cache *cache, const struct cache_key *key);

#endif

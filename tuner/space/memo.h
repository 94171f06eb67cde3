/* SPDX-License-Identifier: Apache-2.0 */
/*
 * memo.h - what a search found for each key it has finished: a hash table that may forget.
 *
 * Keys are 128-bit hashes, taken to be unique: among 10^9 keys, two share a hash with a probability below 10^-20. A
 * key is looked for in a few adjacent places only; once all of them are taken, a new entry replaces an old one. An
 * answer is therefore always right, but may be missing.
 */
#ifndef TUNE_SPACE_MEMO_H
#define TUNE_SPACE_MEMO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* All zero is an empty memo, which must grow before the first memo_put. */
struct memo {
    uint64_t (*hashes)[2]; /* the first word of a free place is 0 */
    uint32_t *nodes;
    size_t capacity, count;
};

void memo_clear(struct memo *memo);

/* Is it so full that it should grow before the next memo_put? */
static inline bool memo_is_full(const struct memo *memo)
{
    return 4 * memo->count >= 3 * memo->capacity;
}

/* Its memory now, and after memo_grow. */
size_t memo_bytes(const struct memo *memo);
size_t memo_bytes_grown(const struct memo *memo);

/* Double the capacity. False when out of memory. */
bool memo_grow(struct memo *memo);

/* Stay at this capacity: memo_is_full says no until as many entries again have been put in. */
void memo_settle(struct memo *memo);

void memo_put(struct memo *memo, uint64_t low, uint64_t high, uint32_t node);
bool memo_get(const struct memo *memo, uint64_t low, uint64_t high, uint32_t *node);

#endif

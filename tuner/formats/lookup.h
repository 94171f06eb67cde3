/* SPDX-License-Identifier: Apache-2.0 */
/*
 * lookup.h - numbers items 0, 1, 2, ... in the order of first appearance: a hash table of indices to items that are
 * stored elsewhere, with open addressing.
 */
#ifndef TUNE_FORMATS_LOOKUP_H
#define TUNE_FORMATS_LOOKUP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct lookup {
    struct lookup_slot *slots;
    size_t capacity, count;
};

/* Is item `number` the wanted one? */
typedef bool lookup_equal(const void *context, size_t number);

/*
 * The number of the item with this hash that `equal` accepts. If there is none, the next number is assigned and
 * `*added` is set. False: out of memory.
 */
bool lookup_number(struct lookup *lookup, uint64_t hash, lookup_equal *equal, const void *context, size_t *number,
                   bool *added);
void lookup_free(struct lookup *lookup);

#endif

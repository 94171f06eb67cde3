/* SPDX-License-Identifier: Apache-2.0 */
/*
 * lookup.h - a hash table of numbers 0, 1, 2, ... that stand for things kept elsewhere; open addressing.
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

/* Is thing `number` the one that is looked for? */
typedef bool lookup_equal(const void *context, size_t number);

/*
 * The number of the thing with this hash that `equal` accepts; if there is none, it gets the next number and `*added`
 * is set. False when out of memory.
 */
bool lookup_number(struct lookup *lookup, uint64_t hash, lookup_equal *equal, const void *context, size_t *number,
                   bool *added);
void lookup_free(struct lookup *lookup);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * index_map.h - a hash map from configuration indices to numbers: its memory grows with the number of entries, not
 * with the size of the space, which may be 10^12.
 */
#ifndef TUNE_SPACE_INDEX_MAP_H
#define TUNE_SPACE_INDEX_MAP_H

#include <stdbool.h>
#include <stddef.h>

struct index_map_entry {
    size_t key, value;
};

/* All zero is an empty map. */
struct index_map {
    struct index_map_entry *entries; /* an open hash table; free places have the key INDEX_MAP_FREE */
    size_t capacity, count;
};
#define INDEX_MAP_FREE ((size_t)-1) /* no configuration has this index */

void index_map_clear(struct index_map *map);

/* The number stored for `key`, or false. */
bool index_map_get(const struct index_map *map, size_t key, size_t *value);

/* Store or replace a number. False when out of memory; the map is unchanged then. */
bool index_map_put(struct index_map *map, size_t key, size_t value);

#endif

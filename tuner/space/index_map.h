/* SPDX-License-Identifier: Apache-2.0 */
/*
 * index_map.h - a map from indices of configurations to numbers, for what is known of a few configurations of a space
 * that may have 10^12: its memory grows with what was put in, never with the space.
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
    struct index_map_entry *entries; /* an open table; a free place has key INDEX_MAP_FREE */
    size_t capacity, count;
};
#define INDEX_MAP_FREE ((size_t)-1) /* no index: a space has fewer configurations */

void index_map_clear(struct index_map *map);

/* The number that belongs to `key`, or false. */
bool index_map_get(const struct index_map *map, size_t key, size_t *value);

/* Put a number in or replace it. False when out of memory; the map is as it was. */
bool index_map_put(struct index_map *map, size_t key, size_t value);

#endif

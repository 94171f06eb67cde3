/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/space/index_map.h"

#include <stdint.h>
#include <stdlib.h>

enum { CAPACITY_LEAST = 64 };

/* Fibonacci hashing (Knuth, "The Art of Computer Programming" 3, 6.4); the upper half is well mixed. */
static size_t place_of(size_t key, size_t capacity)
{
    uint64_t product = (uint64_t)key * 0x9e3779b97f4a7c15;
    return (size_t)(product ^ product >> 32) & (capacity - 1);
}

/* The entry with this key, or the free one where it would go. */
static struct index_map_entry *entry_of(const struct index_map *map, size_t key)
{
    size_t at = place_of(key, map->capacity);
    while (map->entries[at].key != key && map->entries[at].key != INDEX_MAP_FREE)
        at = (at + 1) & (map->capacity - 1);
    return &map->entries[at];
}

static bool grow(struct index_map *map)
{
    struct index_map larger = {.capacity = map->capacity ? 2 * map->capacity : CAPACITY_LEAST, .count = map->count};
    larger.entries = malloc(larger.capacity * sizeof *larger.entries);
    if (!larger.entries)
        return false;
    for (size_t i = 0; i < larger.capacity; i++)
        larger.entries[i].key = INDEX_MAP_FREE;
    for (size_t i = 0; i < map->capacity; i++) {
        if (map->entries[i].key != INDEX_MAP_FREE)
            *entry_of(&larger, map->entries[i].key) = map->entries[i];
    }
    free(map->entries);
    *map = larger;
    return true;
}

void index_map_clear(struct index_map *map)
{
    free(map->entries);
    *map = (struct index_map){0};
}

bool index_map_get(const struct index_map *map, size_t key, size_t *value)
{
    if (map->count == 0)
        return false;
    const struct index_map_entry *entry = entry_of(map, key);
    if (entry->key != key)
        return false;
    *value = entry->value;
    return true;
}

bool index_map_put(struct index_map *map, size_t key, size_t value)
{
    if (2 * (map->count + 1) > map->capacity && !grow(map))
        return false;
    struct index_map_entry *entry = entry_of(map, key);
    map->count += entry->key == INDEX_MAP_FREE;
    *entry = (struct index_map_entry){key, value};
    return true;
}

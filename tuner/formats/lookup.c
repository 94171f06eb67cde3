/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/formats/lookup.h"

#include <stdlib.h>

struct lookup_slot {
    uint64_t hash;
    size_t number; /* plus 1; 0: empty */
};

static struct lookup_slot *free_slot(const struct lookup *lookup, uint64_t hash)
{
    size_t at = hash & (lookup->capacity - 1);
    while (lookup->slots[at].number)
        at = (at + 1) & (lookup->capacity - 1);
    return &lookup->slots[at];
}

static bool grow(struct lookup *lookup)
{
    enum { FIRST = 256 };
    struct lookup larger = {.capacity = lookup->capacity ? 2 * lookup->capacity : FIRST, .count = lookup->count};
    larger.slots = calloc(larger.capacity, sizeof *larger.slots);
    if (!larger.slots)
        return false;
    for (size_t i = 0; i < lookup->capacity; i++) {
        if (lookup->slots[i].number)
            *free_slot(&larger, lookup->slots[i].hash) = lookup->slots[i];
    }
    free(lookup->slots);
    *lookup = larger;
    return true;
}

bool lookup_number(struct lookup *lookup, uint64_t hash, lookup_equal *equal, const void *context, size_t *number,
                   bool *added)
{
    *added = false;
    if (2 * lookup->count >= lookup->capacity && !grow(lookup))
        return false;
    size_t at = hash & (lookup->capacity - 1);
    for (; lookup->slots[at].number; at = (at + 1) & (lookup->capacity - 1)) {
        *number = lookup->slots[at].number - 1;
        if (lookup->slots[at].hash == hash && equal(context, *number))
            return true;
    }
    *number = lookup->count++;
    lookup->slots[at] = (struct lookup_slot){hash, lookup->count};
    *added = true;
    return true;
}

void lookup_free(struct lookup *lookup)
{
    free(lookup->slots);
    *lookup = (struct lookup){0};
}

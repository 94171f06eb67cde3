/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/space/memo.h"

#include <stdlib.h>

enum { CAPACITY_LEAST = 512, PROBES = 8 };

void memo_clear(struct memo *memo)
{
    free(memo->hashes);
    free(memo->nodes);
    *memo = (struct memo){0};
}

static size_t bytes_of(size_t capacity)
{
    return capacity * (2 * sizeof(uint64_t) + sizeof(uint32_t));
}

static size_t capacity_grown(const struct memo *memo)
{
    return memo->capacity ? 2 * memo->capacity : CAPACITY_LEAST;
}

size_t memo_bytes(const struct memo *memo)
{
    return bytes_of(memo->capacity);
}

size_t memo_bytes_grown(const struct memo *memo)
{
    return bytes_of(capacity_grown(memo));
}

/* The place of this key, or the free one where it would go; false if there is neither. */
static bool find_place(const struct memo *memo, uint64_t low, uint64_t high, size_t *place)
{
    size_t at = low & (memo->capacity - 1);
    for (int i = 0; i < PROBES; i++, at = (at + 1) & (memo->capacity - 1)) {
        if (memo->hashes[at][0] == 0 || (memo->hashes[at][0] == low && memo->hashes[at][1] == high)) {
            *place = at;
            return true;
        }
    }
    return false;
}

static void put(struct memo *memo, uint64_t low, uint64_t high, uint32_t node)
{
    size_t place;
    if (!find_place(memo, low, high, &place))
        place = (low + high % PROBES) & (memo->capacity - 1);
    else
        memo->count += memo->hashes[place][0] == 0;
    memo->hashes[place][0] = low;
    memo->hashes[place][1] = high;
    memo->nodes[place] = node;
}

bool memo_grow(struct memo *memo)
{
    struct memo larger = {.capacity = capacity_grown(memo)};
    larger.hashes = calloc(larger.capacity, sizeof *larger.hashes);
    larger.nodes = malloc(larger.capacity * sizeof *larger.nodes);
    if (!larger.hashes || !larger.nodes) {
        memo_clear(&larger);
        return false;
    }
    for (size_t i = 0; i < memo->capacity; i++) {
        if (memo->hashes[i][0])
            put(&larger, memo->hashes[i][0], memo->hashes[i][1], memo->nodes[i]);
    }
    memo_clear(memo);
    *memo = larger;
    return true;
}

void memo_settle(struct memo *memo)
{
    memo->count = 0;
}

/* The lowest bit is set so that no key looks like a free place. */
void memo_put(struct memo *memo, uint64_t low, uint64_t high, uint32_t node)
{
    put(memo, low | 1, high, node);
}

bool memo_get(const struct memo *memo, uint64_t low, uint64_t high, uint32_t *node)
{
    size_t place;
    if (memo->capacity == 0 || !find_place(memo, low | 1, high, &place) || memo->hashes[place][0] == 0)
        return false;
    *node = memo->nodes[place];
    return true;
}

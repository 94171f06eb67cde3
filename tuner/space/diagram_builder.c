/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/space/diagram_builder.h"

#include <stdlib.h>
#include <string.h>

#include <xxhash.h>

struct diagram_builder *diagram_builder_create(const size_t *widths, size_t levels)
{
    struct diagram_builder *builder = calloc(1, sizeof *builder);
    if (!builder)
        return NULL;
    builder->levels = calloc(levels + 1, sizeof *builder->levels);
    if (!builder->levels) {
        free(builder);
        return NULL;
    }
    builder->level_count = levels;
    for (size_t l = 0; l < levels; l++) {
        builder->levels[l].width = widths[l];
        builder->levels[l].last = l + 1 == levels;
    }
    return builder;
}

void diagram_growing_clear(struct diagram_growing *growing)
{
    free(growing->values);
    free(growing->children);
    free(growing->first);
    free(growing->table);
    *growing = (struct diagram_growing){.width = growing->width};
}

void diagram_builder_free(struct diagram_builder *builder)
{
    if (!builder)
        return;
    for (size_t l = 0; l < builder->level_count; l++)
        diagram_growing_clear(&builder->levels[l]);
    free(builder->levels);
    free(builder);
}

size_t diagram_builder_bytes(const struct diagram_builder *builder)
{
    size_t bytes = 0;
    for (size_t l = 0; l < builder->level_count; l++) {
        const struct diagram_growing *growing = &builder->levels[l];
        bytes +=
            growing->edge_capacity * (sizeof *growing->values + (growing->last ? 0 : sizeof *growing->children)) +
            growing->node_capacity * sizeof *growing->first + growing->table_capacity * sizeof *growing->table;
    }
    return bytes;
}

static uint64_t hash_edges(const struct diagram_growing *growing, const uint16_t *values, const uint32_t *children,
                           size_t count)
{
    uint64_t hash = XXH3_64bits(values, count * sizeof *values);
    return growing->last ? hash : XXH3_64bits_withSeed(children, count * sizeof *children, hash);
}

static bool same_edges(const struct diagram_growing *growing, size_t node, const uint16_t *values,
                       const uint32_t *children, size_t count)
{
    size_t first = growing->first[node];
    return growing->first[node + 1] - first == count &&
           memcmp(growing->values + first, values, count * sizeof *values) == 0 &&
           (growing->last || memcmp(growing->children + first, children, count * sizeof *children) == 0);
}

static bool grow_nodes(struct diagram_growing *growing)
{
    size_t capacity = growing->node_capacity ? growing->node_capacity + growing->node_capacity / 2 : 15;
    uint32_t *first = realloc(growing->first, (capacity + 1) * sizeof *first);
    if (!first)
        return false;
    first[0] = 0;
    growing->first = first;
    growing->node_capacity = capacity;
    return true;
}

static bool grow_edges(struct diagram_growing *growing, size_t wanted)
{
    size_t capacity = growing->edge_capacity + growing->edge_capacity / 2 + 16;
    if (capacity < wanted)
        capacity = wanted;
    uint16_t *values = realloc(growing->values, capacity * sizeof *values);
    if (!values)
        return false;
    growing->values = values;
    if (!growing->last) {
        uint32_t *children = realloc(growing->children, capacity * sizeof *children);
        if (!children)
            return false;
        growing->children = children;
    }
    growing->edge_capacity = capacity;
    return true;
}

static bool grow_unique(struct diagram_growing *growing)
{
    size_t capacity = growing->table_capacity ? 2 * growing->table_capacity : 32;
    uint32_t *table = calloc(capacity, sizeof *table);
    if (!table)
        return false;
    for (size_t node = 0; node < growing->node_count; node++) {
        size_t first = growing->first[node];
        size_t at = hash_edges(growing, growing->values + first, growing->last ? NULL : growing->children + first,
                               growing->first[node + 1] - first) &
                    (capacity - 1);
        while (table[at])
            at = (at + 1) & (capacity - 1);
        table[at] = (uint32_t)node + 1;
    }
    free(growing->table);
    growing->table = table;
    growing->table_capacity = capacity;
    return true;
}

bool diagram_builder_node(struct diagram_builder *builder, size_t level, const uint16_t *values,
                          const uint32_t *children, size_t count, uint32_t *node)
{
    struct diagram_growing *growing = &builder->levels[level];
    *node = DIAGRAM_DEAD;
    if (count == 0)
        return true;
    if (4 * growing->node_count >= 3 * growing->table_capacity && !grow_unique(growing))
        return false;
    size_t at = hash_edges(growing, values, children, count) & (growing->table_capacity - 1);
    for (; growing->table[at]; at = (at + 1) & (growing->table_capacity - 1)) {
        if (same_edges(growing, growing->table[at] - 1, values, children, count)) {
            *node = growing->table[at] - 1;
            return true;
        }
    }
    if (growing->edge_count + count >= UINT32_MAX)
        return false;
    if ((growing->node_count == growing->node_capacity && !grow_nodes(growing)) ||
        (growing->edge_count + count > growing->edge_capacity && !grow_edges(growing, growing->edge_count + count)))
        return false;
    memcpy(growing->values + growing->edge_count, values, count * sizeof *values);
    if (!growing->last)
        memcpy(growing->children + growing->edge_count, children, count * sizeof *children);
    growing->edge_count += count;
    *node = (uint32_t)growing->node_count++;
    growing->first[growing->node_count] = (uint32_t)growing->edge_count;
    growing->table[at] = *node + 1;
    return true;
}

double diagram_builder_count(const struct diagram_builder *builder, uint32_t root)
{
    double *below = NULL, count = builder->level_count ? 0 : 1;
    if (root == DIAGRAM_DEAD)
        return 0;
    for (size_t l = builder->level_count; l-- > 0;) {
        const struct diagram_growing *growing = &builder->levels[l];
        double *counts = calloc(growing->node_count + 1, sizeof *counts);
        if (!counts) {
            free(below);
            return -1;
        }
        for (size_t node = 0; node < growing->node_count; node++) {
            for (size_t e = growing->first[node]; e < growing->first[node + 1]; e++)
                counts[node] += growing->last ? 1 : below[growing->children[e]];
        }
        free(below);
        below = counts;
    }
    if (below)
        count = below[root];
    free(below);
    return count;
}

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * points.h - sorted lists of points, and the diagrams that hold the same, for the tests of diagrams.
 */
#ifndef TUNE_TESTS_POINTS_H
#define TUNE_TESTS_POINTS_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tuner/space/diagram_pack.h"

#include <stdlib.h>
#include <string.h>

enum { POINTS_LEVELS = 6 };

struct points {
    size_t levels, widths[POINTS_LEVELS];
    size_t count;
    uint16_t (*items)[POINTS_LEVELS];
};

static uint64_t points_random = 88172645463325252U;

static inline size_t points_pick(size_t count)
{
    points_random ^= points_random << 13;
    points_random ^= points_random >> 7;
    points_random ^= points_random << 17;
    return (size_t)(points_random >> 11) % count;
}

/* Visit the product in lexicographic order; false after the last. */
static inline bool points_next(const struct points *points, uint16_t *point)
{
    for (size_t l = points->levels; l-- > 0;) {
        if (++point[l] < points->widths[l])
            return true;
        point[l] = 0;
    }
    return false;
}

/* Each point of the product with a probability of `part` in 1000. */
static inline struct points points_create(size_t levels, const size_t *widths, size_t part)
{
    struct points points = {.levels = levels};
    size_t product = 1;
    uint16_t point[POINTS_LEVELS] = {0};
    for (size_t l = 0; l < levels; l++)
        product *= points.widths[l] = widths[l];
    points.items = calloc(product + 1, sizeof *points.items);
    assert_non_null(points.items);
    do {
        if (points_pick(1000) < part)
            memcpy(points.items[points.count++], point, sizeof point);
    } while (points_next(&points, point));
    return points;
}

/* The node of the points from `first` to `end`, which agree on the levels before. */
static inline uint32_t points_node(const struct points *points, struct diagram_builder *builder, size_t level,
                                   size_t first, size_t end)
{
    uint16_t values[512];
    uint32_t children[512], node;
    size_t count = 0;
    if (level == points->levels)
        return DIAGRAM_END;
    while (first < end) {
        size_t next = first;
        while (next < end && points->items[next][level] == points->items[first][level])
            next++;
        children[count] = points_node(points, builder, level + 1, first, next);
        values[count++] = points->items[first][level];
        first = next;
    }
    assert_true(diagram_builder_node(builder, level, values, children, count, &node));
    return node;
}

static inline struct diagram *points_diagram(const struct points *points)
{
    struct diagram_builder *builder = diagram_builder_create(points->widths, points->levels);
    assert_non_null(builder);
    uint32_t root = points_node(points, builder, 0, 0, points->count);
    assert_true(diagram_builder_count(builder, root) == (double)points->count);
    struct diagram *diagram = diagram_pack(builder, root);
    assert_non_null(diagram);
    diagram_builder_free(builder);
    return diagram;
}

#endif

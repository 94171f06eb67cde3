/* SPDX-License-Identifier: Apache-2.0 */
/*
 * diagram_layout.h - how a diagram lies in memory; shared by diagram.c, which reads it, and diagram_pack.c, which
 * writes it.
 *
 * Levels 0 .. tail - 1 have nodes with edges. From level `tail` on there are rows instead, each with a value for
 * every level of the tail, stored one after another: where little is shared they take less memory than edges. The
 * last level always belongs to the tail. Values of a level with up to 256 of them take one byte, else two.
 */
#ifndef TUNE_SPACE_DIAGRAM_LAYOUT_H
#define TUNE_SPACE_DIAGRAM_LAYOUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Node n has the edges first[n] .. first[n + 1] - 1, with ascending values. */
struct diagram_level {
    size_t width; /* number of values */
    size_t node_count, edge_count;
    uint32_t *first;
    uint8_t *narrow; /* value by edge if one byte holds it, */
    uint16_t *wide;  /* else here */
    uint32_t *children;
    uint32_t *before;      /* points of the node before the edge, by edge, if 32 bits hold them all, */
    uint64_t *before_many; /* else here */
    uint8_t *alive;        /* a bit per value: does any edge have it? */
    size_t offset;         /* in the tail: of the level's value in a row */
};

/* Node n of level `tail` has the rows first[n] .. first[n + 1] - 1, in ascending order. */
struct diagram {
    struct diagram_level *levels;
    size_t level_count;
    size_t tail;
    uint32_t *first;
    uint8_t *rows;
    size_t node_count, row_count, row_bytes;
    uint32_t root;
    size_t count;
};

static inline size_t diagram_value_bytes(size_t width)
{
    return width > 256 ? 2 : 1;
}

static inline size_t diagram_edge_bytes(size_t width, bool many)
{
    return diagram_value_bytes(width) + sizeof(uint32_t) + (many ? sizeof(uint64_t) : sizeof(uint32_t));
}

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * diagram.h - a set of points as a multi-valued decision diagram with counts.
 *
 * A point has one value index on each level. A node of level l stands for the set of the ways on from level l; its
 * edges are the values that lead anywhere, each with the node it leads to and the number of points before it. Nodes
 * with the same edges are one node, so that a product of sets takes the memory of a sum; where the last levels have
 * little in common they are kept as rows, so that no set takes more than its list (and a bit for each value). Points
 * are numbered in the lexicographic order of levels and value indices; numbering goes down the levels with one
 * bisection each, and allocates nothing.
 *
 * Callers keep their points in an order of their own: `struct diagram_frame` says where level l is found in a point,
 * and how a coordinate there is turned into a value index.
 */
#ifndef TUNE_SPACE_DIAGRAM_H
#define TUNE_SPACE_DIAGRAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct diagram;

struct diagram_frame {
    const size_t *columns; /* by level */
    /* By level, tables between value indices and coordinates, either NULL: they are the same. In values_of
     * DIAGRAM_NO_VALUE stands for a coordinate that no value has. */
    const uint16_t *const *coordinates_of;
    const uint16_t *const *values_of;
};

#define DIAGRAM_NO_VALUE ((uint16_t)-1)

void diagram_free(struct diagram *diagram);

size_t diagram_count(const struct diagram *diagram);
size_t diagram_levels(const struct diagram *diagram);
size_t diagram_bytes(const struct diagram *diagram);

/* The point with a number below diagram_count. */
void diagram_point(const struct diagram *diagram, const struct diagram_frame *frame, size_t index, uint16_t *point);

/* The number of a point, or false if it is not in the set. */
bool diagram_find(const struct diagram *diagram, const struct diagram_frame *frame, const uint16_t *point,
                  size_t *index);

/*
 * The numbers of all points that differ from `point` on one level at most: `base` plus the number of each goes to
 * `indices`, which has an element for each coordinate of that level; where there is no such point nothing is written.
 */
void diagram_line(const struct diagram *diagram, const struct diagram_frame *frame, const uint16_t *point,
                  size_t level, size_t base, size_t *indices);

/* How many values a level has, and whether some point has that value there. */
size_t diagram_width(const struct diagram *diagram, size_t level);
bool diagram_alive(const struct diagram *diagram, size_t level, size_t value);

/*
 * The first point that has the given value on each level: `wanted` has one value index a level, or DIAGRAM_NO_VALUE
 * where any will do. False also when memory runs out.
 */
bool diagram_first_with(const struct diagram *diagram, const uint16_t *wanted, size_t *index);

/* Building, from the last level to the first */

struct diagram_builder;

enum { DIAGRAM_END = 0 };           /* what the edges of the last level lead to */
#define DIAGRAM_DEAD ((uint32_t)-1) /* a node without edges */

/* `widths[l]` is the number of value indices of level l, at most 65535. NULL when out of memory. */
struct diagram_builder *diagram_builder_create(const size_t *widths, size_t levels);
void diagram_builder_free(struct diagram_builder *builder);

/*
 * The node of a level with these edges, values ascending, children on the next level. No edges: DIAGRAM_DEAD. False
 * when out of memory or numbers (2^32 edges a level).
 */
bool diagram_builder_node(struct diagram_builder *builder, size_t level, const uint16_t *values,
                          const uint32_t *children, size_t count, uint32_t *node);

/* The memory it takes so far. */
size_t diagram_builder_bytes(const struct diagram_builder *builder);

/*
 * The number of points below a root of level 0 as a real number; exact up to 2^53. Negative when out of memory.
 */
double diagram_builder_count(const struct diagram_builder *builder, uint32_t root);

/*
 * The diagram of a root, for at most 2^63 - 1 points (ask diagram_builder_count). The builder is left empty. NULL
 * when out of memory.
 */
struct diagram *diagram_builder_finish(struct diagram_builder *builder, uint32_t root);

#endif

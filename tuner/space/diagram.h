/* SPDX-License-Identifier: Apache-2.0 */
/*
 * diagram.h - a set of points as a multi-valued decision diagram that numbers them.
 *
 * A point has one value index on each level. A node of level l stands for a set of continuations from level l on; it
 * has an edge for each value that leads to a point, with the child it leads to and the number of points before it.
 * Nodes with the same edges are one node, so a product of sets takes the memory of their sum; where the last levels
 * share little they are kept as rows (diagram_layout.h), so no set takes more memory than its packed list. Points are
 * numbered in lexicographic order of levels and value indices. Converting between number and point takes one
 * bisection per level and allocates nothing.
 *
 * Callers may keep their points in another order: `struct diagram_frame` says where a point has level l, and how a
 * coordinate there corresponds to a value index.
 *
 * Diagrams are built by diagram_builder.h and diagram_pack.h, and never change afterwards.
 */
#ifndef TUNE_SPACE_DIAGRAM_H
#define TUNE_SPACE_DIAGRAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct diagram;

struct diagram_frame {
    const size_t *columns; /* by level: where in a point */
    /* By level, tables from value index to coordinate and back. Where either is NULL both are the same. In values_of,
     * DIAGRAM_NO_VALUE marks a coordinate that no value has. */
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
 * The numbers of all points that differ from `point` on at most one level: for each of them, `base` plus its number
 * goes to `indices`, which has an element for each coordinate of that level. Other elements are left alone.
 */
void diagram_line(const struct diagram *diagram, const struct diagram_frame *frame, const uint16_t *point,
                  size_t level, size_t base, size_t *indices);

/* How many values a level has, and whether any point has this one there. */
size_t diagram_width(const struct diagram *diagram, size_t level);
bool diagram_alive(const struct diagram *diagram, size_t level, size_t value);

/*
 * Find the first point with the given values: `wanted` has a value index for each level, DIAGRAM_NO_VALUE where any
 * will do. False when out of memory.
 */
bool diagram_first_with(const struct diagram *diagram, const uint16_t *wanted, bool *found, size_t *index);

#endif

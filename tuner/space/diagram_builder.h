/* SPDX-License-Identifier: Apache-2.0 */
/*
 * diagram_builder.h - the nodes of a diagram while it is built, from the last level to the first.
 *
 * Nodes are hash-consed: asking twice for a node with the same edges gives the same node, so that equal remainders
 * are stored once (the unique table of R. Bryant's decision diagrams). diagram_pack.h turns the finished nodes into a
 * diagram.
 */
#ifndef TUNE_SPACE_DIAGRAM_BUILDER_H
#define TUNE_SPACE_DIAGRAM_BUILDER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { DIAGRAM_END = 0 };           /* the child of every edge of the last level */
#define DIAGRAM_DEAD ((uint32_t)-1) /* the node without edges, which is not stored */

/* A level's nodes: node n has the edges first[n] .. first[n + 1] - 1. */
struct diagram_growing {
    size_t width;
    uint16_t *values;   /* by edge */
    uint32_t *children; /* by edge; NULL on the last level */
    size_t edge_count, edge_capacity;
    uint32_t *first; /* node_count + 1 of them */
    size_t node_count, node_capacity;
    uint32_t *table; /* open hash table of 1 + node */
    size_t table_capacity;
    bool last;
};

struct diagram_builder {
    struct diagram_growing *levels;
    size_t level_count;
};

/* Level l has the value indices 0 .. widths[l] - 1, at most 65535 of them. NULL when out of memory. */
struct diagram_builder *diagram_builder_create(const size_t *widths, size_t levels);
void diagram_builder_free(struct diagram_builder *builder);

/* Free a level's nodes; it is empty then. */
void diagram_growing_clear(struct diagram_growing *growing);

/*
 * The node of a level with these edges: values ascending, children on the next level. Without edges it is
 * DIAGRAM_DEAD. False when out of memory or beyond 2^32 - 1 edges on a level.
 */
bool diagram_builder_node(struct diagram_builder *builder, size_t level, const uint16_t *values,
                          const uint32_t *children, size_t count, uint32_t *node);

/* Memory in use. */
size_t diagram_builder_bytes(const struct diagram_builder *builder);

/* The number of points below a root on level 0; exact up to 2^53. Negative when out of memory. */
double diagram_builder_count(const struct diagram_builder *builder, uint32_t root);

#endif

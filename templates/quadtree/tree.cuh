/* SPDX-License-Identifier: Apache-2.0 */
/*
 * tree.cuh - the tree that all variants build, and where a point belongs in it.
 *
 * The root is the unit square, its borders included. A node with more than CAPACITY points is divided into four of
 * half the side, unless it is DEPTH levels below the root; a point on the line between two belongs to the upper one.
 * The quarters are numbered 0 to 3: the lowest bit is the half in x, the other that in y. This is the one tree:
 *
 *   points  in the order of their cells at level DEPTH, cells in Morton order (of quarters of quarters ...), points of a
 *           cell as they came. So the points of every node are a range.
 *   nodes   level by level, from the root on. Behind the four children of a node, in the order of the quarters and empty
 *           ones as well, come those of the next node that has any.
 *
 *   CAPACITY  points of a leaf at most, unless it is at level DEPTH. Few make a large tree, many make long leaves.
 *   DEPTH     levels below the root, at most 16: so many bits of each coordinate count.
 */
#ifndef QUADTREE_TREE_CUH
#define QUADTREE_TREE_CUH

static_assert(DEPTH >= 1 && DEPTH <= 16 && CAPACITY >= 1, "cells have 16 bits in each direction");

/* A node: x, its first point; y, how many it has; z, its first child, 0 if it is a leaf; w, its level. */
typedef uint4 node;

static __device__ __forceinline__ bool is_divided(unsigned count, unsigned level)
{
    return count > CAPACITY && level < DEPTH;
}

/* Of the 2^DEPTH columns or rows of cells the one of a coordinate. A power of two times a float is exact. */
static __device__ __forceinline__ unsigned cell_of(float coordinate)
{
    return min((unsigned)(coordinate * (float)(1u << DEPTH)), (1u << DEPTH) - 1);
}

/* The quarter of its node at `level` that a point is in. */
static __device__ __forceinline__ unsigned quarter_of(float2 point, int level)
{
    int bit = DEPTH - 1 - level;
    return (cell_of(point.x) >> bit & 1) | (cell_of(point.y) >> bit & 1) << 1;
}

/* The root, a tree of one node. levels[l] is the first node of level l, levels[l + 1] the end of it. */
static __device__ __forceinline__ void plant(node *nodes, unsigned *levels, unsigned *node_count, unsigned n)
{
    nodes[0] = make_uint4(0, n, 0, 0);
    levels[0] = 0;
    levels[1] = 1;
    node_count[0] = 1;
}

/* The children of a node, whose quarters have so many points; they come to be from nodes[place] on. */
static __device__ __forceinline__ void add_children(node *nodes, unsigned parent, unsigned place, uint4 counts)
{
    unsigned first = nodes[parent].x, level = nodes[parent].w + 1;
    nodes[parent].z = place;
    nodes[place] = make_uint4(first, counts.x, 0, level);
    nodes[place + 1] = make_uint4(first + counts.x, counts.y, 0, level);
    nodes[place + 2] = make_uint4(first + counts.x + counts.y, counts.z, 0, level);
    nodes[place + 3] = make_uint4(first + counts.x + counts.y + counts.z, counts.w, 0, level);
}

#endif

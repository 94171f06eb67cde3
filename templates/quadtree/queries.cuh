/* SPDX-License-Identifier: Apache-2.0 */
/*
 * queries.cuh - the tree in use: how many points are near some of them, that is, in a square around each.
 *
 * A thread goes down from the root. What a node's cell has nothing in common with it leaves out, of a cell within the
 * square it takes the number of points, and only in leaves on the border it looks at points. Every so many of the
 * sorted points is asked for, so threads of a warp look in the same places.
 *
 *   QUERY_BLOCK  threads of a block.
 *
 * Limit: the latency of memory, from a node to its children and points.
 */
#ifndef QUADTREE_QUERIES_CUH
#define QUADTREE_QUERIES_CUH

#include "tree.cuh"

struct square {
    float left, right, low, high;
};

/* Borders belong to it. Sums are rounded on their own: where a border is decides what is near. */
static __device__ __forceinline__ square square_around(float2 point, float reach)
{
    square near;
    near.left = __fsub_rn(point.x, reach);
    near.right = __fadd_rn(point.x, reach);
    near.low = __fsub_rn(point.y, reach);
    near.high = __fadd_rn(point.y, reach);
    return near;
}

static __device__ __forceinline__ bool is_in(const square &near, float2 point)
{
    return point.x >= near.left && point.x <= near.right && point.y >= near.low && point.y <= near.high;
}

/* A node to be visited and the column and row of its cell, of the 2^level there are. */
struct visit {
    unsigned at, column, row;
};

__global__ void __launch_bounds__(QUERY_BLOCK)
    count_near(const float2 *__restrict__ sorted, const node *__restrict__ nodes, unsigned *__restrict__ found,
               unsigned queries, unsigned n, float reach)
{
    unsigned query = blockIdx.x * QUERY_BLOCK + threadIdx.x;
    if (query >= queries)
        return;
    const square near = square_around(sorted[(unsigned long long)query * n / queries], reach);
    visit stack[3 * DEPTH + 1];
    stack[0] = {0, 0, 0};
    unsigned sum = 0;
    for (int height = 1; height > 0;) {
        visit own = stack[--height];
        node here = nodes[own.at];
        float side = __int_as_float((127 - (int)here.w) << 23); /* 2^-level */
        float left = (float)own.column * side, low = (float)own.row * side;
        if (here.y == 0 || left > near.right || left + side < near.left || low > near.high || low + side < near.low)
            continue;
        if (left >= near.left && left + side <= near.right && low >= near.low && low + side <= near.high)
            sum += here.y;
        else if (here.z == 0)
            for (unsigned i = here.x; i < here.x + here.y; i++)
                sum += is_in(near, sorted[i]);
        else
            for (unsigned q = 0; q < 4; q++)
                stack[height++] = {here.z + q, 2 * own.column + (q & 1), 2 * own.row + (q >> 1)};
    }
    found[query] = sum;
}

#endif

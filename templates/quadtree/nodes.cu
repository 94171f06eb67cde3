/* SPDX-License-Identifier: Apache-2.0 */
/*
 * nodes.cu - a block a node, level by level: it brings the points of its node in order by quarters (partition.cuh),
 * and the quarters are the nodes of the next level.
 *
 * How many nodes a level has the host reads back, to launch as many blocks.
 *
 *   plant_root  the tree of one node.
 *   partition   a block a node of a level: its points by quarters, or, if it is a leaf, where they stay.
 *   number      a single block: nodes of the next level.
 *
 *   BLOCK  threads of a block.
 *
 * Limit: the root is a single block's work, and the next level that of four; then all points pass through memory with
 * every level, and at the end most blocks have few points or none, and a single one numbers many nodes.
 */
#include "../sums.cuh"
#include "partition.cuh"
#include "queries.cuh"

enum { NUMBERING = 512 }; /* threads of `number` */

__global__ void plant_root(node *nodes, unsigned *levels, unsigned *node_count, unsigned n)
{
    plant(nodes, levels, node_count, n);
}

/* `sizes`: of the quarters of each node of the level. */
__global__ void __launch_bounds__(BLOCK)
    partition(const float2 *__restrict__ from, float2 *__restrict__ to, float2 *__restrict__ sorted,
              const node *__restrict__ nodes, const unsigned *__restrict__ levels, uint4 *__restrict__ sizes,
              int level)
{
    node own = nodes[levels[level] + blockIdx.x];
    if (is_divided(own.y, level)) {
        uint4 counts = divide_points(from + own.x, to + own.x, own.y, level);
        if (threadIdx.x == 0)
            sizes[blockIdx.x] = counts;
    } else {
        settle_points(from + own.x, sorted + own.x, own.y, level);
    }
}

__global__ void __launch_bounds__(NUMBERING)
    number(node *__restrict__ nodes, unsigned *__restrict__ levels, unsigned *__restrict__ node_count,
           const uint4 *__restrict__ sizes, unsigned *__restrict__ width, int level)
{
    __shared__ unsigned all;
    unsigned begin = levels[level], end = levels[level + 1], divided = 0;
    for (unsigned some = begin; some < end; some += NUMBERING) {
        unsigned at = some + threadIdx.x;
        unsigned divides = at < end && is_divided(nodes[at].y, level);
        unsigned before = sum_up_to<NUMBERING>(divides);
        if (divides)
            add_children(nodes, at, end + 4 * (divided + before - 1), sizes[at - begin]);
        if (threadIdx.x == NUMBERING - 1)
            all = before;
        __syncthreads();
        divided += all;
    }
    if (threadIdx.x == 0) {
        levels[level + 2] = end + 4 * divided;
        node_count[0] = end + 4 * divided;
        width[0] = 4 * divided;
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * dynamic.cu - nodes.cu without the host: a block that divides a node launches the blocks of its four children itself
 * (dynamic parallelism). No level waits for another one, and nobody needs to know how many nodes a level has.
 *
 * Nodes are numbered as they come, which differs from run to run: a tree that can be used, but in another order. That in
 * which it is compared is made by put_in_order, untimed.
 *
 *   plant_root    the tree of one node.
 *   divide        a block a node: its points by quarters, and a launch of four blocks; or, if it is a leaf, its points where
 *                 they stay.
 *   put_in_order  a single block: nodes level by level.
 *
 *   BLOCK   threads of a block.
 *   STREAM  per_block: launches go into the stream that the threads of a block share. forget: into none.
 *
 * A launch counts against the device's limit until it has ended, which it has when all below it have: there must be room for
 * one of each node that is divided.
 *
 * Limit: how many launches a device takes from its kernels in a second. And the root is a single block's work, as in
 * nodes.cu.
 */
#include "../sums.cuh"
#include "partition.cuh"
#include "queries.cuh"

__global__ void plant_root(node *tree, unsigned *levels, unsigned *node_count, unsigned n)
{
    plant(tree, levels, node_count, n);
}

/* Nodes from `first` on. The next level's points are read where this one's are written, and the other way round. */
__global__ void __launch_bounds__(BLOCK)
    divide(float2 *from, float2 *to, float2 *sorted, node *tree, unsigned *node_count, unsigned first)
{
    node own = tree[first + blockIdx.x];
    if (!is_divided(own.y, own.w)) {
        settle_points(from + own.x, sorted + own.x, own.y, (int)own.w);
        return;
    }
    uint4 counts = divide_points(from + own.x, to + own.x, own.y, (int)own.w);
    __syncthreads(); /* all points are there for those who are launched */
    if (threadIdx.x > 0)
        return;
    unsigned children = atomicAdd(node_count, 4u);
    add_children(tree, first + blockIdx.x, children, counts);
#if STREAM_forget
    divide<<<4, BLOCK, 0, cudaStreamFireAndForget>>>(to, from, sorted, tree, node_count, children);
#else
    divide<<<4, BLOCK>>>(to, from, sorted, tree, node_count, children);
#endif
    if (cudaGetLastError() != cudaSuccess)
        __trap(); /* there is no room for the launch */
}

static __device__ __forceinline__ bool four_fit(unsigned at, unsigned most)
{
    return at < most && most - at >= 4;
}

/* `origins`: where each of `nodes` is in `tree`. What is wrong in that must not lead out of either, which have `most`. */
__global__ void __launch_bounds__(BLOCK)
    put_in_order(const node *__restrict__ tree, node *__restrict__ nodes, unsigned *__restrict__ origins, unsigned most)
{
    __shared__ unsigned all;
    if (threadIdx.x == 0) {
        nodes[0] = tree[0];
        origins[0] = 0;
    }
    for (unsigned begin = 0, end = 1; begin < end;) {
        unsigned next = end;
        for (; begin < end; begin += min((unsigned)BLOCK, end - begin)) {
            __syncthreads(); /* nodes of before are there, and `all` has been read */
            unsigned at = begin + threadIdx.x, children = at < end ? tree[origins[at]].z : 0;
            unsigned before = sum_up_to<BLOCK>(children > 0);
            unsigned place = next + 4 * (before - 1);
            if (children > 0 && four_fit(children, most) && four_fit(place, most)) {
                nodes[at].z = place;
                for (unsigned q = 0; q < 4; q++) {
                    nodes[place + q] = tree[children + q];
                    origins[place + q] = children + q;
                }
            }
            if (threadIdx.x == BLOCK - 1)
                all = before;
            __syncthreads();
            next = min(next + 4 * all, most);
        }
        end = next;
    }
}

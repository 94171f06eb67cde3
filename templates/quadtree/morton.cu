/* SPDX-License-Identifier: Apache-2.0 */
/*
 * morton.cu - sort first, by the whole Morton code, then find nodes: all points of a node are neighbours then, and
 * where its quarters begin is found by searches. Points are moved as often as the sort has passes, however deep the
 * tree is.
 *
 *   radix.cuh   the sort.
 *   plant_root  the tree of one node.
 *   grow        a level: those of its nodes that are divided are numbered by a prefix sum and looked up in the sorted
 *               points, several lanes a node; their children are the next level. How many of these are divided in turn
 *               is added up at once, by sections of that level, so a level is one pass.
 *   grow_all    all levels in one launch.
 *
 *   BLOCK          threads of a block of `grow`.
 *   LANES          lanes that look for the quarters of a node. Each step of a search leaves a (LANES + 1)-th.
 *   LEVELS         read: the host reads how many nodes a level has, and launches no more levels than there are.
 *                  launched: only the device knows, and all DEPTH levels are launched.
 *                  synced: a single launch, whose blocks wait for each other behind each level.
 *   BLOCKS_PER_SM  blocks of a multiprocessor that share the points to count, and the nodes of a level whose number the
 *                  host does not know.
 *
 * Limit: of the sort, the bandwidth of memory (radix.cuh); of each level, a launch or barrier and some accesses that
 * wait for each other.
 */
extern __shared__ float2 room[]; /* of radix.cuh */

#include "../meeting.cuh"
#include "queries.cuh"
#include "radix.cuh"

enum { FEW_SECTIONS = 512 };
static_assert(BLOCK % 32 == 0 && 32 % LANES == 0, "warps search for whole nodes");

/* `sums[0]`: how many nodes of the first section are divided. */
__global__ void plant_root(node *nodes, unsigned *levels, unsigned *node_count, unsigned *sums, unsigned n)
{
    plant(nodes, levels, node_count, n);
    sums[0] = is_divided(n, 0);
}

/*
 * Of a node's points at `level`, how many are in each quarter: LANES lanes look for the first points of quarters 1 to
 * 3 at once. `group`: these lanes, of a warp.
 */
static __device__ __forceinline__ uint4 count_quarters(const float2 *__restrict__ sorted, node own, int level,
                                                       unsigned group)
{
    unsigned lane = threadIdx.x % LANES, shift = threadIdx.x % 32 / LANES * LANES;
    unsigned low[3] = {}, high[3] = {own.y, own.y, own.y}; /* quarters begin from low to high */
    while (low[0] < high[0] || low[1] < high[1] || low[2] < high[2]) {
#pragma unroll
        for (int q = 0; q < 3; q++) {
            unsigned length = high[q] - low[q], step = length / (LANES + 1) + 1;
            unsigned at = low[q] + (lane + 1) * step - 1;
            bool before = at < high[q] && quarter_of(sorted[own.x + at], level) <= q;
            unsigned steps = LANES == 1 ? before : __popc(__ballot_sync(group, before) >> shift & (group >> shift));
            low[q] += steps * step;
            high[q] = min(high[q], low[q] + step - 1);
        }
    }
    return make_uint4(low[0], low[1] - low[0], low[2] - low[1], own.y - low[2]);
}

/*
 * Nodes of a section, of a level with `width` of them: few at first, a node for each group of lanes, so that no group
 * waits for another one's search; then more, so that there are not too many sections to add up. Siblings are in one
 * section.
 */
static __device__ __forceinline__ unsigned section_size(unsigned width)
{
    unsigned size = BLOCK / LANES < 4 ? 4 : BLOCK / LANES;
    while (size < BLOCK && size * FEW_SECTIONS < width)
        size *= 2;
    return size;
}

/* A level of the tree: its nodes, and how many are divided. Of the next one, how many are, by sections; 0 before. */
struct tree_level {
    unsigned begin, end, divided;
    unsigned *next_sums;
    int number;
};

/*
 * The children of nodes that are listed: `before` nodes of the level before them have children. The section of the
 * next level that they belong to learns how many of them are divided.
 */
static __device__ __forceinline__ void add_listed(const float2 *__restrict__ sorted, node *nodes,
                                                  const tree_level &own, const unsigned *list, unsigned listed,
                                                  unsigned before)
{
    unsigned group = (unsigned)((1ull << LANES) - 1) << threadIdx.x % 32 / LANES * LANES;
    unsigned next_section = section_size(4 * own.divided);
    for (unsigned i = threadIdx.x / LANES; i < listed; i += BLOCK / LANES) {
        uint4 counts = count_quarters(sorted, nodes[list[i]], own.number, group);
        if (threadIdx.x % LANES == 0) {
            unsigned place = 4 * (before + i), next = own.number + 1;
            add_children(nodes, list[i], own.end + place, counts);
            unsigned divided = is_divided(counts.x, next) + is_divided(counts.y, next) + is_divided(counts.z, next) +
                               is_divided(counts.w, next);
            if (divided > 0)
                atomicAdd(&own.next_sums[place / next_section], divided);
        }
    }
}

/* The sums of the values of the threads before each one, and of all. */
struct block_sums {
    unsigned before, all;
};

static __device__ __forceinline__ block_sums sums_of_block(unsigned value)
{
    __shared__ unsigned all;
    unsigned sum = sum_up_to<BLOCK>(value);
    if (threadIdx.x == BLOCK - 1)
        all = sum;
    __syncthreads();
    return {sum - value, all};
}

/* What sections before `end` have of nodes that are divided. */
static __device__ __forceinline__ unsigned divided_before(const unsigned *sums, unsigned end)
{
    unsigned sum = 0;
    for (unsigned section = threadIdx.x; section < end; section += BLOCK)
        sum += sums[section];
    return sums_of_block(sum).all;
}

/* By all threads of the grid. `stride`: sections that a level may have. */
static __device__ __forceinline__ void grow_level(const float2 *__restrict__ sorted, node *nodes, unsigned *levels,
                                                  unsigned *node_count, unsigned *sums, unsigned stride,
                                                  unsigned *width, int number)
{
    __shared__ unsigned list[BLOCK];
    tree_level own = {levels[number], levels[number + 1], 0, sums + (number + 1) * stride, number};
    unsigned size = section_size(own.end - own.begin), sections = (own.end - own.begin + size - 1) / size;
    if (blockIdx.x >= max(sections, 1u))
        return;
    sums += number * stride;
    own.divided = divided_before(sums, sections);
    if (blockIdx.x == 0 && threadIdx.x == 0) {
        levels[number + 2] = own.end + 4 * own.divided;
        node_count[0] = own.end + 4 * own.divided;
        width[0] = 4 * own.divided;
    }
    for (unsigned section = blockIdx.x; section < sections; section += gridDim.x) {
        unsigned before = divided_before(sums, section);
        unsigned at = own.begin + section * size + threadIdx.x;
        unsigned divides = threadIdx.x < size && at < own.end && is_divided(nodes[at].y, number);
        block_sums listed = sums_of_block(divides);
        if (divides)
            list[listed.before] = at;
        __syncthreads();
        add_listed(sorted, nodes, own, list, listed.all, before);
        __syncthreads(); /* the list is used up */
    }
}

#if LEVELS_synced
__global__ void __launch_bounds__(BLOCK)
    grow_all(const float2 *__restrict__ sorted, node *nodes, unsigned *levels, unsigned *node_count, unsigned *sums,
             unsigned stride, unsigned *width, unsigned *gate)
{
    for (int level = 0; level < DEPTH; level++) {
        grow_level(sorted, nodes, levels, node_count, sums, stride, width, level);
        meet_all_blocks(gate);
        if (levels[level + 1] == levels[level + 2])
            break;
    }
}
#else
__global__ void __launch_bounds__(BLOCK)
    grow(const float2 *__restrict__ sorted, node *nodes, unsigned *levels, unsigned *node_count, unsigned *sums,
         unsigned stride, unsigned *width, int level)
{
    grow_level(sorted, nodes, levels, node_count, sums, stride, width, level);
}
#endif

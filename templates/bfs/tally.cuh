/* SPDX-License-Identifier: Apache-2.0 */
/*
 * tally.cuh - what a level has found, added up from the threads' parts.
 */
#ifndef BFS_TALLY_CUH
#define BFS_TALLY_CUH

struct tally {
    unsigned pieces, vertices, entries; /* in its queue (resident.cu); found; of the lists of these */
};

static __device__ __forceinline__ unsigned sum_of_warp(unsigned value)
{
#pragma unroll
    for (int distance = 16; distance > 0; distance /= 2)
        value += __shfl_xor_sync(0xffffffffu, value, distance);
    return value;
}

/* For all threads of a block: add vertices and entries to `block`, in shared memory, which must be there. */
static __device__ __forceinline__ void add_to_block(tally found, tally *block)
{
    unsigned vertices = sum_of_warp(found.vertices), entries = sum_of_warp(found.entries);
    if (threadIdx.x % 32 == 0 && vertices > 0) {
        atomicAdd(&block->vertices, vertices);
        atomicAdd(&block->entries, entries);
    }
}

/* By one thread, when all have met. */
static __device__ __forceinline__ void add_to_all(tally block, tally *all)
{
    if (block.vertices > 0) {
        atomicAdd(&all->vertices, block.vertices);
        atomicAdd(&all->entries, block.entries);
    }
}

#endif

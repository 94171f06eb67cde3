/* SPDX-License-Identifier: Apache-2.0 */
/*
 * split.cuh - how a matrix product is divided among blocks where its tiles alone do not fill the GPU.
 *
 * A tile of C takes `steps` steps along the depth. The steps of the first `tiles` tiles, in one row, are cut into
 * `blocks` equal shares; a share may begin and end in the middle of a tile. The other tiles are a block each.
 *
 *   split-K   as many shares a tile, for products that are deep and small: 128 x 128 x 262144 has one 128 x 128 tile.
 *   stream-K  as many shares as blocks fit on the GPU (Osama et al., PPoPP'23), for tiles that do not fill the last
 *             wave: 2.2 waves of whole tiles take as long as 3, but here 2.2.
 *
 * A block whose share has a part of a tile stores it to a slot of `partial`; add_parts then sums each tile's parts, in
 * the order of the depth. So the result does not depend on which block is done first: no atomics.
 */
#ifndef GEMM_SPLIT_CUH
#define GEMM_SPLIT_CUH

#include "vector.cuh"

struct split {
    int tiles, blocks, steps;
};

/* The first step of a block's share, counted over all shared tiles. */
static __device__ __forceinline__ long long share_begin(const split &split, int block)
{
    return (long long)split.tiles * split.steps * block / split.blocks;
}

/* The block that has `step`. */
static __device__ __forceinline__ int block_of(const split &split, long long step)
{
    return (int)(((step + 1) * split.blocks - 1) / ((long long)split.tiles * split.steps));
}

/* A share that is not longer than two tiles has at most two parts of tiles, one at each end. */
static __device__ __forceinline__ float *slot_of(float *partial, int block, bool first, int floats)
{
    return partial + (size_t)(2 * block + (first ? 0 : 1)) * floats;
}

#endif

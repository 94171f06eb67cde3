/* SPDX-License-Identifier: Apache-2.0 */
/*
 * split.cuh - how a matrix product is divided among blocks, also where its tiles alone do not fill the GPU.
 *
 * A tile of C takes `steps` tiles of the operands along the depth. The steps of the first `tiles` tiles, in one row,
 * are cut into `blocks` equal shares; a share may begin and end in the middle of a tile. The other tiles are a block
 * each.
 *
 *   SPLIT_K = 1    every tile is a block.
 *   SPLIT_K = S    split-K: S shares a tile, for products that are deep and small: 128 x 128 x 262144 has one tile of
 *                  128 x 128.
 *   SPLIT_K = 0    stream-K: as many shares as blocks fit on the GPU (Osama et al., PPoPP'23), for tiles that do not
 *                  fill the last wave: 2.2 waves of whole tiles take as long as 3, but here 2.2.
 *
 * A block whose share has a part of a tile stores it to a slot of `partial`; then add_parts sums each tile's parts in
 * the order of the depth. So the result does not depend on which block is done first, and there are no atomics.
 *
 * A PRODUCT says what is computed:
 *
 *     corner corner_of(int tile)                    where the tile is in C
 *     void multiply(sum, corner, step, steps)       sum = the tile's product over some steps, in the thread's piece
 *     void store(sum, corner)                       the piece, to C
 *     void store_four(corner, row, column, sum)     four elements of the tile, to C
 */
#ifndef GEMM_SPLIT_CUH
#define GEMM_SPLIT_CUH

#include "outer_product.cuh"

#define TILE_FLOATS (TILE_M * TILE_N)
#define SUMMERS 8 /* threads of add_parts that share the parts of four elements */

struct corner {
    int row, column;
};

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

/* A share has at most two parts of tiles: the tile that it begins with, and the one that it ends with. */
static __device__ __forceinline__ size_t slot_of(int block, bool first)
{
    return (size_t)(2 * block + (first ? 0 : 1)) * TILE_FLOATS;
}

/* A tile that no blocks share. */
template <class PRODUCT> static __device__ __forceinline__ void compute_tile(const PRODUCT &product, const split &split)
{
    float sum[REG_M][REG_N];
    corner corner = product.corner_of(blockIdx.x);
    product.multiply(sum, corner, 0, split.steps);
    if (slice() == 0)
        product.store(sum, corner);
}

/* A block's share of a product. */
template <class PRODUCT>
static __device__ __forceinline__ void compute_share(const PRODUCT &product, const split &split, float *partial)
{
#if SPLIT_K == 1
    compute_tile(product, split);
#else
    float sum[REG_M][REG_N];
    int block = blockIdx.x;
    bool whole = block >= split.blocks;
    long long begin = whole ? (long long)(split.tiles + block - split.blocks) * split.steps : share_begin(split, block);
    long long end = whole ? begin + split.steps : share_begin(split, block + 1);
    bool first = true;
#pragma unroll 1
    while (begin < end) {
        int tile = (int)(begin / split.steps), step = (int)(begin % split.steps);
        int steps = (int)min((long long)(split.steps - step), end - begin);
        corner corner = product.corner_of(tile);
        product.multiply(sum, corner, step, steps);
        if (slice() == 0 && steps == split.steps)
            product.store(sum, corner);
        else if (slice() == 0)
            store_piece(partial + slot_of(block, first), sum, piece_row(), piece_column(), TILE_M, TILE_N, true);
        first = false;
        begin += steps;
        __syncthreads(); /* before the next tiles arrive, all sums have passed through shared memory */
    }
#endif
}

/* Sum the parts of tile `blockIdx.y`. A block of 32 x SUMMERS threads has 32 groups of four elements. */
template <class PRODUCT>
static __device__ __forceinline__ void add_shares(const PRODUCT &product, const split &split, const float *partial)
{
    __shared__ __align__(16) float sums[SUMMERS][32][4];
    int tile = blockIdx.y;
    long long begin = (long long)tile * split.steps;
    int first = block_of(split, begin), last = block_of(split, begin + split.steps - 1);
    if (first == last)
        return; /* one block did it all */

    int element = (blockIdx.x * 32 + threadIdx.x) * 4;
    float sum[4] = {0.0f, 0.0f, 0.0f, 0.0f};
#pragma unroll 4
    for (int block = first + threadIdx.y; block <= last; block += SUMMERS) {
        long long from = share_begin(split, block);
        if (from == share_begin(split, block + 1))
            continue; /* there are more blocks than steps */
        float part[4];
        load_vector<4>(part, partial + slot_of(block, from >= begin) + element);
#pragma unroll
        for (int v = 0; v < 4; v++)
            sum[v] += part[v];
    }
    store_vector4(sums[threadIdx.y][threadIdx.x], sum);
    __syncthreads();
    if (threadIdx.y > 0)
        return;
    for (int y = 1; y < SUMMERS; y++)
#pragma unroll
        for (int v = 0; v < 4; v++)
            sum[v] += sums[y][threadIdx.x][v];
    product.store_four(product.corner_of(tile), element / TILE_N, element % TILE_N, sum);
}

#endif

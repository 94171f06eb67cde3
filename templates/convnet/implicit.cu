/* SPDX-License-Identifier: Apache-2.0 */
/*
 * implicit.cu - a convolution layer as a matrix product whose unrolled input exists in shared memory only.
 *
 * The product of explicit.cu, but the tile of the unrolled matrix is gathered from x as it is needed: nothing is
 * written to memory and read again, and what overlaps in the windows of neighbouring pixels comes from the L1 cache.
 *
 * The address of an element is that of its pixel's window plus an offset that depends on the depth alone (layer.cuh).
 * So nothing is divided in the main loop:
 *   - a thread copies for the same pixel in every tile, or a few of them, whose window it looks up once;
 *   - the TILE_K offsets of a tile are the same for all pixels: one thread each computes them, a tile before they are
 *     needed, into a small table in shared memory;
 *   - for 1 x 1 filters a window is one element, pixels are contiguous, and VECTOR = 4 copies four at a time where
 *     planes are multiples of four.
 * The other copies take 4 bytes, since windows start anywhere. Pixels beyond the last repeat it, and the depth beyond
 * the last is 0, so no copy tests for an edge of x.
 *
 * A small layer has few tiles: 32 images of 5 x 5 pixels and 512 maps are 28 of 128 x 128. SPLIT blocks per tile divide
 * the depth, 4608 there, and store partial sums, which a second launch adds, always in the same order.
 *
 *   PACKED  1: the filters are transposed by a launch before (filters.cuh), and copied in fours. 0: copied one by one,
 *           by lanes along the depth, and stored by columns; PAD = 4 spreads these stores over the banks.
 *   VECTOR  4: see above. Else 1.
 *   SPLIT   blocks that share the depth of a tile.
 *   FILTER  see layer.cuh.
 *   TILE_M .. MIN_BLOCKS  see product.cuh.
 *
 * Limit: the FMA pipe, for all but the smallest depths; see product.cuh. To be faster a layer must be computed with
 * fewer multiplications: winograd.cu.
 */
#include "filters.cuh"
#include "partial.cuh"
#include "pixels.cuh"

/* ---- the filters as they are -------------------------------------------------------------------------------- */

/* A row is a map: copied by lanes along the depth, transposed on the way. Maps that there are not are 0. */
struct maps_by_depth {
    static constexpr int step = THREADS / TILE_K; /* maps that the block copies at once */
    static constexpr int copies = TILE_M / step;
    static_assert(THREADS % TILE_K == 0 && TILE_M % step == 0, "whole copies");

    const float *from; /* the thread's first element in the next tile */
    int depth, to, left, maps;

    __device__ __forceinline__ maps_by_depth(const float *w, const layer &shape, int map0, int first, int end)
        : depth(shape.depth())
    {
        int p = threadIdx.x % TILE_K, map = threadIdx.x / TILE_K;
        to = p * A_PITCH + map;
        left = end - first - p;
        maps = shape.maps - map0 - map;
        from = w + (size_t)(map0 + map) * depth + first + p;
    }
    __device__ __forceinline__ void next(float *tile)
    {
#pragma unroll
        for (int i = 0; i < copies; i++)
            copy1(tile + to + i * step, from + (size_t)(i * step) * depth, left > 0 && i * step < maps);
        from += TILE_K;
        left -= TILE_K;
    }
    __device__ __forceinline__ void look_ahead()
    {
    }
};

/* ---- windows, an element at a time ---------------------------------------------------------------------------- */

/* Bytes from the start of a window, for the depths of STAGES tiles: those that are copied next, and one more. */
__shared__ __align__(16) unsigned offsets[STAGES][TILE_K];

struct windows {
    static constexpr int pixels = TILE_N > THREADS ? TILE_N / THREADS : 1; /* per thread */
    static constexpr int groups = TILE_N > THREADS ? 1 : THREADS / TILE_N; /* of threads along the depth */
    static constexpr int copies = TILE_K / groups;                         /* neighbouring depths */
    static_assert(TILE_K % groups == 0 && (TILE_N % THREADS == 0 || THREADS % TILE_N == 0), "whole copies");

    const layer &shape;
    const char *from[pixels];  /* the windows of the thread's pixels, THREADS apart */
    int depth, left;           /* of the next tile; from the thread's first depth in it on */
    int row, to, slot;         /* the thread's first row in a tile, and element; the next tile's offsets */

    __device__ __forceinline__ windows(const float *x, const layer &shape, int pixel0, int first, int end)
        : shape(shape), depth(first), row(threadIdx.x / TILE_N * copies), slot(0)
    {
        int column = threadIdx.x % TILE_N;
        left = end - first - row;
        to = row * TILE_N + column;
#pragma unroll
        for (int i = 0; i < pixels; i++)
            from[i] = (const char *)(x + shape.window(min(pixel0 + column + i * THREADS, shape.pixels() - 1)));
        for (int i = threadIdx.x; i < STAGES * TILE_K; i += THREADS)
            offsets[i / TILE_K][i % TILE_K] = offset_of(first + i);
        __syncthreads();
    }
    /* Beyond the last depth the elements are not copied. */
    __device__ __forceinline__ unsigned offset_of(int depth) const
    {
        return sizeof(float) * (unsigned)shape.within_window(min(depth, shape.depth() - 1));
    }
    __device__ __forceinline__ void next(float *tile)
    {
        unsigned at[copies];
#pragma unroll
        for (int p = 0; p < copies; p++)
            at[p] = offsets[slot][row + p];
#pragma unroll
        for (int p = 0; p < copies; p++)
#pragma unroll
            for (int i = 0; i < pixels; i++)
                copy1(tile + to + p * TILE_N + i * THREADS, (const float *)(from[i] + at[p]), p < left);
        depth += TILE_K;
        left -= TILE_K;
        slot = slot + 1 < STAGES ? slot + 1 : 0;
    }
    /* `slot` is one that nobody reads until the next barrier: that of the tile STAGES before the one to look up. */
    __device__ __forceinline__ void look_ahead()
    {
        if (threadIdx.x < TILE_K)
            offsets[slot][threadIdx.x] = offset_of(depth + threadIdx.x);
    }
};

/* ---- the product ------------------------------------------------------------------------------------------------ */

/* Grid: maps, then pixels, so that blocks which run together share windows; and SPLIT. */
__global__ void __launch_bounds__(THREADS, MIN_BLOCKS)
    implicit(const float *__restrict__ x, const float *__restrict__ w, int filter_pitch, float *__restrict__ y,
             int images, int channels, int height, int width, int maps, int k)
{
    extern __shared__ __align__(16) float tiles[];
    layer shape(images, channels, height, width, maps, k);
    int across = (maps + TILE_M - 1) / TILE_M;
    int map0 = blockIdx.x % across * TILE_M, pixel0 = blockIdx.x / across * TILE_N;

    int share = ((shape.depth() + TILE_K - 1) / TILE_K + SPLIT - 1) / SPLIT * TILE_K;
    int first = min((int)blockIdx.y * share, shape.depth()), end = min(first + share, shape.depth());

#if PACKED
    auto a = rows<TILE_M, A_PITCH>::of(w + (size_t)first * filter_pitch, filter_pitch, map0, end - first);
#else
    maps_by_depth a(w, shape, map0, first, end);
#endif
#if VECTOR == 4
    typedef rows<TILE_N, TILE_N> pixels;
    size_t window = shape.window(min(pixel0 + pixels::column(), shape.pixels() - 4));
    pixels b(x + window + (size_t)first * shape.plane(), shape.plane(), end - first);
#else
    windows b(x, shape, pixel0, first, end);
#endif
    piece sums;
    clear(sums);
    multiply_tiles(tiles, sums, a, b, (end - first + TILE_K - 1) / TILE_K);
    store_pixels(y + blockIdx.y * ((size_t)maps * shape.pixels()), shape, sums, map0, pixel0);
}

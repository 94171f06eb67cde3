/* SPDX-License-Identifier: Apache-2.0 */
/*
 * winograd_fused.cu - minimal filtering with ALPHA = 4, F(2 x 2, 3 x 3), in one launch after that of the filters.
 *
 * winograd.cu writes the transformed input and the products to memory and reads them again, ALPHA * ALPHA values for
 * each tile. Here neither leaves the block. It computes TILE_M maps and TILE_N tiles in all 16 positions at once, and
 * each warp has one position, or each half of one: 16 products side by side.
 * TILE_K channels at a time,
 *   - every thread loads a tile's 4 x 4 elements of x into registers while the channels before are multiplied, then
 *     transforms them and stores a value for each position in shared memory;
 *   - the filters come by asynchronous copies.
 * In the end the positions of a pixel are in 16 threads; they meet in shared memory, some maps at a time.
 *
 * With more positions the sums would not fit in registers: 4 x 4 is what one block can hold.
 *
 *   BLOCK_X         threads per block of the launch that transforms the filters.
 *   LANES_M         lanes of a position along maps, of which it has four times as many: 4 (half a warp a position, 256
 *                   threads) or 8.
 *   TILE_M, TILE_N  maps and tiles a block computes. The larger, the fewer reads from shared memory and transforms for
 *                   each multiply-add; 32 x 32 with 4 lanes along maps, or 64 x 32 with 8, take 64 sums a thread.
 *   TILE_K          channels in shared memory at a time.
 *   UNROLL          of these, written out.
 *   SPLIT           blocks that share the channels (partial.cuh), for small layers.
 *   OUT_TILE        5 - FILTER.
 *   FILTER          the side of the filters.
 *   MIN_BLOCKS      blocks that must fit on a multiprocessor, which limits the registers.
 *
 * Limit: the FMA pipe, of whose slots the transforms take some. x is transformed anew for every TILE_M maps.
 */
#include "../async.cuh"
#include "partial.cuh"
#include "winograd_tiles.cuh"

#define LANES (LANES_M * 4) /* per position */
#define THREADS (16 * LANES)
#define VALUES (ALPHA * ALPHA) /* of a tile: positions */
static_assert(ALPHA == 4, "as many positions");

/* A thread's piece of its position: runs of 4 maps, 4 * LANES_M apart, and of 4 tiles, 16 apart. */
#define REG_M (TILE_M / LANES_M)
#define REG_N (TILE_N / 4)

/* From one position to the next in shared memory: the halves of a warp use different banks. */
#define A_POSITION (TILE_K * TILE_M + 16)
#define B_POSITION (TILE_K * TILE_N + 16)
#define STAGE_FLOATS (VALUES * (A_POSITION + B_POSITION))
#define C_ROW (TILE_N + 4)
#define C_MAPS (4 * LANES_M) /* that meet at a time */
#define C_POSITION (C_MAPS * C_ROW)

constexpr int unroll = UNROLL; /* macros are not expanded in pragmas */

__global__ void __launch_bounds__(BLOCK_X)
    transform_filters(const float *__restrict__ w, float *__restrict__ filters, int pitch, int channels, int maps)
{
    transform_filters_of(blockIdx.x, w, filters, pitch, channels, maps);
}

/* The thread's share of the filters: [position][channel][map], four maps a copy. */
struct filter_copies {
    static constexpr int vectors = TILE_M / 4;
    static constexpr int step = THREADS / (TILE_K * vectors); /* positions that the block copies at once */
    static_assert(THREADS % (TILE_K * vectors) == 0, "whole positions");

    const float *from;
    size_t position, round; /* from one position to the next; from TILE_K channels to the next */
    int to, left;

    __device__ __forceinline__ filter_copies(const float *filters, int pitch, int map0, int channels, int end)
    {
        int vector = threadIdx.x % vectors, channel = threadIdx.x / vectors % TILE_K;
        int first = threadIdx.x / vectors / TILE_K;
        position = (size_t)channels * pitch;
        round = (size_t)TILE_K * pitch;
        from = filters + first * position + (size_t)channel * pitch + min(map0 + vector * 4, pitch - 4);
        to = first * A_POSITION + channel * TILE_M + vector * 4;
        left = end - channel;
    }
    __device__ __forceinline__ void next(float *stage)
    {
#pragma unroll
        for (int i = 0; i < VALUES / step; i++)
            copy4(stage + to + i * step * A_POSITION, from + i * step * position, left > 0);
        from += round;
        left -= TILE_K;
    }
};

/* The thread's share of the input: one tile, in one of so many channels. */
struct input_tiles {
    static constexpr int step = THREADS / TILE_N; /* channels that the block loads at once */
    static constexpr int count = TILE_K / step;
    static_assert(TILE_K % step == 0, "whole channels");

    const float *from;
    float d[count][ALPHA][ALPHA];
    int width, plane, rows, columns, to, left;

    __device__ __forceinline__ input_tiles(const float *x, const layer &shape, const tiling &all, int tile, int end)
        : width(shape.width), plane(shape.plane())
    {
        bool exists = tile < all.count;
        int channel = threadIdx.x / TILE_N, row = all.row(tile), column = all.column(tile);
        size_t image = exists ? all.image(tile) : 0;
        from = x + (image * shape.channels + channel) * plane + row * width + column;
        rows = exists ? shape.height - row : 0;
        columns = width - column;
        to = channel * TILE_N + threadIdx.x % TILE_N;
        left = end - channel;
    }
    __device__ __forceinline__ void load()
    {
#pragma unroll
        for (int i = 0; i < count; i++)
            load_tile(d[i], from + (size_t)(i * step) * plane, width, i * step < left ? rows : 0, columns);
        from += (size_t)TILE_K * plane;
        left -= TILE_K;
    }
    __device__ __forceinline__ void store(float *stage) const
    {
#pragma unroll
        for (int i = 0; i < count; i++) {
            float values[ALPHA][ALPHA];
            transform<ALPHA, ALPHA, input_values>(values, d[i]);
#pragma unroll
            for (int k = 0; k < VALUES; k++)
                stage[VALUES * A_POSITION + k * B_POSITION + to + i * step * TILE_N] = values[k / ALPHA][k % ALPHA];
        }
    }
};

static __device__ __forceinline__ void multiply_channels(float (&sum)[REG_M][REG_N], const float *a, const float *b)
{
#pragma unroll unroll
    for (int c = 0; c < TILE_K; c++) {
        float a_values[REG_M], b_values[REG_N];
#pragma unroll
        for (int i = 0; i < REG_M; i += 4)
            load_vector<4>(&a_values[i], a + c * TILE_M + i * LANES_M);
#pragma unroll
        for (int j = 0; j < REG_N; j += 4)
            load_vector<4>(&b_values[j], b + c * TILE_N + j * 4);
#pragma unroll
        for (int i = 0; i < REG_M; i++)
#pragma unroll
            for (int j = 0; j < REG_N; j++)
                sum[i][j] += a_values[i] * b_values[j];
    }
}

/* The pixels of a tile that are within `rows` and `columns`. */
static __device__ __forceinline__ void store_tile(float *to, const float (&pixels)[OUT_TILE][OUT_TILE], int width,
                                                  int rows, int columns)
{
    if (in_pairs(width)) {
#pragma unroll
        for (int i = 0; i < OUT_TILE; i++)
#pragma unroll
            for (int j = 0; j + 1 < OUT_TILE; j += 2)
                if (i < rows && j < columns)
                    *(float2 *)(to + i * width + j) = make_float2(pixels[i][j], pixels[i][j + 1]);
    } else {
#pragma unroll
        for (int i = 0; i < OUT_TILE; i++)
#pragma unroll
            for (int j = 0; j < OUT_TILE; j++)
                if (i < rows && j < columns)
                    to[i * width + j] = pixels[i][j];
    }
}

/* Bring the positions of each pixel together, a run of maps of every thread at a time, and store the pixels. */
static __device__ __forceinline__ void store_maps(float *__restrict__ y, float *room, const float (&sum)[REG_M][REG_N],
                                                  const layer &shape, const tiling &all, int map0, int tile)
{
    int position = threadIdx.x / LANES, row = threadIdx.x % LANES / 4 * 4, column = threadIdx.x % 4 * 4;
    int tile_row = all.row(tile), tile_column = all.column(tile);
    int rows = shape.out_height() - tile_row, columns = shape.out_width() - tile_column;
    float *image = y + ((size_t)all.image(tile) * shape.maps + map0) * shape.out_plane() +
                   tile_row * shape.out_width() + tile_column;
#pragma unroll
    for (int run = 0; run < REG_M; run += 4) {
        __syncthreads(); /* `room` is no longer read */
#pragma unroll
        for (int i = 0; i < 4; i++)
#pragma unroll
            for (int j = 0; j < REG_N; j += 4)
                store_vector4(room + position * C_POSITION + (row + i) * C_ROW + column + j * 4, &sum[run + i][j]);
        __syncthreads();
        for (int i = threadIdx.x / TILE_N; i < C_MAPS; i += THREADS / TILE_N) {
            int map = run * LANES_M + i;
            if (tile >= all.count || map0 + map >= shape.maps)
                continue;
            float values[ALPHA][ALPHA], pixels[OUT_TILE][OUT_TILE];
#pragma unroll
            for (int k = 0; k < VALUES; k++)
                values[k / ALPHA][k % ALPHA] = room[k * C_POSITION + i * C_ROW + threadIdx.x % TILE_N];
            transform<OUT_TILE, ALPHA, outputs>(pixels, values);
            store_tile(image + (size_t)map * shape.out_plane(), pixels, shape.out_width(), rows, columns);
        }
    }
}

/* Grid: maps, then tiles; SPLIT. */
__global__ void __launch_bounds__(THREADS, MIN_BLOCKS)
    fused(const float *__restrict__ x, const float *__restrict__ filters, int filter_pitch, float *__restrict__ y,
          int images, int channels, int height, int width, int maps)
{
    extern __shared__ __align__(16) float tiles[]; /* two stages of filters and input */
    layer shape(images, channels, height, width, maps, FILTER);
    tiling all(shape);
    int across = (maps + TILE_M - 1) / TILE_M;
    int map0 = blockIdx.x % across * TILE_M;
    int tile = blockIdx.x / across * TILE_N + threadIdx.x % TILE_N; /* that the thread transforms, to and fro */

    float sum[REG_M][REG_N];
#pragma unroll
    for (int i = 0; i < REG_M; i++)
#pragma unroll
        for (int j = 0; j < REG_N; j++)
            sum[i][j] = 0.0f;

    int a = threadIdx.x / LANES * A_POSITION + threadIdx.x % LANES / 4 * 4;
    int b = VALUES * A_POSITION + threadIdx.x / LANES * B_POSITION + threadIdx.x % 4 * 4;
    int share = (channels + SPLIT - 1) / SPLIT, first = min((int)blockIdx.y * share, channels);
    int count = min(share, channels - first);
    filter_copies filter(filters + (size_t)first * filter_pitch, filter_pitch, map0, channels, count);
    input_tiles input(x + (size_t)first * shape.plane(), shape, all, tile, count);
    float *used = tiles, *filled = tiles + STAGE_FLOATS;
    filter.next(used);
    copies_commit();
    input.load();
    input.store(used);
    copies_wait<0>();
    __syncthreads();
    for (int c = 0; c < count; c += TILE_K) {
        bool more = c + TILE_K < count;
        if (more) {
            filter.next(filled);
            input.load();
        }
        copies_commit();
        multiply_channels(sum, used + a, used + b);
        if (more)
            input.store(filled);
        copies_wait<0>();
        __syncthreads();
        float *other = used;
        used = filled;
        filled = other;
    }
    store_maps(y + blockIdx.y * ((size_t)maps * shape.pixels()), tiles, sum, shape, all, map0, tile);
}

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * winograd.cu - a convolution layer with fewer multiplications: F(OUT_TILE x OUT_TILE, FILTER x FILTER).
 *
 * winograd.cuh has the transforms. Tiles of OUT_TILE x OUT_TILE pixels are computed from ALPHA x ALPHA elements of x,
 * which overlap by FILTER - 1. After the transforms, each of the ALPHA * ALPHA positions is a matrix product of its
 * own,
 *
 *     product[position][map][tile] = sum over channels of filters[position][channel][map] *
 *                                                        input[position][channel][tile]
 *
 * and the sum over channels costs one multiplication per position where it cost SIDE * SIDE per pixel: for 3 x 3
 * filters 2.25 times fewer with OUT_TILE = 2, 4 with 4, 5.06 with 6; for 5 x 5 filters 2.78 with 2, 6.25 with 4. Three
 * launches: filters and input, products (product.cuh), output. All lay out positions outermost, so that reads and
 * writes coalesce.
 *
 *   OUT_TILE  side of a tile of pixels. Planes that are no multiple of it waste the rest: 5 x 5 pixels are 36 with 2
 *             and 64 with 4.
 *   IMAGES    images at a time. The transformed input takes (ALPHA / OUT_TILE)^2 times the space of x; what fits in the
 *             L2 cache with its products needs no device memory.
 *   BLOCK_X   threads per block of the transforms.
 *   POSITIONS products that follow each other in a block: while one is stored, the tiles of the next arrive.
 *   FILTER    the side of the filters.
 *   TILE_M .. MIN_BLOCKS  see product.cuh.
 *
 * Limit: the traffic between the launches, and precision: see winograd.cuh.
 */
#include "product.cuh"
#include "winograd_tiles.cuh"

/* Transform a tile of a channel. Columns of `input` beyond the last tile are 0. */
static __device__ __forceinline__ void transform_tile(const float *__restrict__ x, float *__restrict__ input, int pitch,
                                                      const layer &shape, int tile, int channel)
{
    if (tile >= pitch)
        return;
    tiling all(shape);
    int row = all.row(tile), column = all.column(tile);
    bool exists = tile < all.count;
    const float *from = x + ((size_t)(exists ? all.image(tile) : 0) * shape.channels + channel) * shape.plane();
    from += row * shape.width + column;

    float d[ALPHA][ALPHA], values[ALPHA][ALPHA];
    load_tile(d, from, shape.width, exists ? shape.height - row : 0, shape.width - column);
    transform<ALPHA, ALPHA, input_values>(values, d);
    float *to = input + (size_t)channel * pitch + tile;
#pragma unroll
    for (int i = 0; i < ALPHA; i++)
#pragma unroll
        for (int j = 0; j < ALPHA; j++)
            to[(size_t)(i * ALPHA + j) * shape.channels * pitch] = values[i][j];
}

/*
 * Grid: maps, then tiles; channels. The first `filter_blocks` along x transform the filters, which few threads would
 * take long for in a launch of their own.
 */
__global__ void __launch_bounds__(BLOCK_X)
    transform_input(const float *__restrict__ w, float *__restrict__ filters, int filter_pitch, int filter_blocks,
                    const float *__restrict__ x, float *__restrict__ input, int pitch, int images, int channels,
                    int height, int width, int maps)
{
    int block = (int)blockIdx.x - filter_blocks;
    if (block < 0)
        transform_filters_of(blockIdx.x * gridDim.y + blockIdx.y, w, filters, filter_pitch, channels, maps);
    else
        transform_tile(x, input, pitch, layer(images, channels, height, width, maps, FILTER),
                       block * BLOCK_X + threadIdx.x, blockIdx.y);
}

/* Stores a block's products and begins anew, position by position. */
struct products {
    float *to; /* the tile in the position */
    int maps, columns, pitch;
    size_t position;

    __device__ __forceinline__ void operator()(piece &sums)
    {
#pragma unroll
        for (int i = 0; i < REG_M; i++) {
#pragma unroll
            for (int j = 0; j < REG_N; j += 4)
                if (row_of(i) < maps && column_of(j) < columns)
                    store_vector4(to + (size_t)row_of(i) * pitch + column_of(j), &sums[i][j]);
        }
        clear(sums);
        to += position;
    }
};

/*
 * Grid: maps, then tiles; positions. POSITIONS of them follow each other in a block: the channels of the next lie
 * behind those of the last, so that the copies need not stop where a position ends, if that is where a tile ends.
 */
__global__ void __launch_bounds__(THREADS, MIN_BLOCKS)
    multiply_positions(const float *__restrict__ filters, int filter_pitch, const float *__restrict__ input, int pitch,
                       float *__restrict__ product, int channels, int maps)
{
    extern __shared__ __align__(16) float tiles[];
    int across = (maps + TILE_M - 1) / TILE_M;
    int map0 = blockIdx.x % across * TILE_M, tile0 = blockIdx.x / across * TILE_N;
    int position = blockIdx.y * POSITIONS, steps = (channels + TILE_K - 1) / TILE_K;
    size_t size = (size_t)maps * pitch, row = (size_t)position * channels; /* the latter of both matrices */
    filters += row * filter_pitch;
    input += row * pitch;
    product += position * size + (size_t)map0 * pitch + tile0;
    products store = {product, maps - map0, pitch - tile0, pitch, size};
    piece sums;
    clear(sums);
#if POSITIONS == 1
    auto a = rows<TILE_M, A_PITCH>::of(filters, filter_pitch, map0, channels);
    auto b = rows<TILE_N, TILE_N>::of(input, pitch, tile0, channels);
    multiply_tiles(tiles, sums, a, b, steps);
    store(sums);
#else
    int count = min(POSITIONS, ALPHA * ALPHA - position);
    int run = channels % TILE_K == 0 ? count : 1; /* positions without a stop */
    for (int i = 0; i < count; i += run) {
        size_t skipped = (size_t)i * channels;
        auto a = rows<TILE_M, A_PITCH>::of(filters + skipped * filter_pitch, filter_pitch, map0, run * channels);
        auto b = rows<TILE_N, TILE_N>::of(input + skipped * pitch, pitch, tile0, run * channels);
        multiply_tiles(tiles, sums, a, b, run * steps, steps, store);
    }
#endif
}

/*
 * Store the pixels of a warp's tiles. A thread has OUT_TILE neighbouring pixels of each row, and its neighbour the next
 * ones, as a rule; if each stored its own, a warp would write to OUT_TILE times as many places as it needs. So the warp
 * exchanges each row in shared memory (`room`, OUT_TILE floats a thread), and neighbours store neighbouring pixels.
 * `first` is where the thread's tile starts in y; it has `rows` and `columns` of pixels, none if it does not exist.
 */
static __device__ __forceinline__ void store_tiles(float *__restrict__ y, float *room,
                                                   const float (&pixels)[OUT_TILE][OUT_TILE], int first, int rows,
                                                   int columns, int width)
{
    int lane = threadIdx.x % 32, extent = max(min(rows, OUT_TILE), 0) * 16 + min(columns, OUT_TILE);
    int at[OUT_TILE], stored_rows[OUT_TILE];
#pragma unroll
    for (int j = 0; j < OUT_TILE; j++) {
        int pixel = j * 32 + lane;
        int other = __shfl_sync(0xffffffffu, extent, pixel / OUT_TILE);
        at[j] = __shfl_sync(0xffffffffu, first, pixel / OUT_TILE) + pixel % OUT_TILE;
        stored_rows[j] = pixel % OUT_TILE < other % 16 ? other / 16 : 0;
    }
#pragma unroll
    for (int i = 0; i < OUT_TILE; i++) {
        __syncwarp();
#if OUT_TILE == 4
        store_vector4(room + lane * 4, pixels[i]);
#else
#pragma unroll
        for (int j = 0; j < OUT_TILE; j++)
            room[lane * OUT_TILE + j] = pixels[i][j];
#endif
        __syncwarp();
#pragma unroll
        for (int j = 0; j < OUT_TILE; j++)
            if (i < stored_rows[j])
                __stcs(y + at[j] + i * width, room[j * 32 + lane]);
    }
}

/*
 * A thread a tile of a map. Each product is read once, and a pixel not again; the caches are told so, and keep the
 * other products instead, of which there may be more than they hold. Grid: tiles, maps.
 */
__global__ void __launch_bounds__(BLOCK_X)
    transform_output(const float *__restrict__ product, int pitch, float *__restrict__ y, int images, int channels,
                     int height, int width, int maps)
{
    __shared__ __align__(16) float room[BLOCK_X * OUT_TILE];
    layer shape(images, channels, height, width, maps, FILTER);
    tiling all(shape);
    int tile = blockIdx.x * BLOCK_X + threadIdx.x, map = blockIdx.y;
    bool exists = tile < all.count;
    float values[ALPHA][ALPHA], pixels[OUT_TILE][OUT_TILE];
    const float *from = product + (size_t)map * pitch + (exists ? tile : 0);
#pragma unroll
    for (int i = 0; i < ALPHA; i++)
#pragma unroll
        for (int j = 0; j < ALPHA; j++)
            values[i][j] = __ldcs(from + (size_t)(i * ALPHA + j) * maps * pitch);
    transform<OUT_TILE, ALPHA, outputs>(pixels, values);

    int row = all.row(tile), column = all.column(tile);
    int first = (all.image(tile) * maps + map) * shape.out_plane() + row * shape.out_width() + column;
    store_tiles(y, room + threadIdx.x / 32 * (32 * OUT_TILE), pixels, first, exists ? shape.out_height() - row : 0,
                shape.out_width() - column, shape.out_width());
}

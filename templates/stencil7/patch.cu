/* SPDX-License-Identifier: Apache-2.0 */
/*
 * patch.cu - a sweep of the 7-point stencil without shared memory: a rectangle of points a thread, register tiling
 * along all three axes.
 *
 * A thread has VECTOR x ROWS points of the plane at hand in registers, and those above and below them. Most neighbours
 * are its own. Those along x are in the lanes beside it, a warp being 32 VECTOR points wide: a shuffle brings them.
 * Those of the rows above and below the rectangle are loaded once more; the L1 cache has them, since other warps of the
 * block load them too, or the L2 cache. There is no barrier, so that warps do not wait for each other, and a thread has
 * ROWS wide loads or more under way at a time. With 4 x 4 points, 1.5 loads serve what plane.cu reads in five accesses
 * of shared memory and one of global.
 *
 *   BLOCK_X  32, a warp.                        BLOCK_Y  warps of a block.
 *   VECTOR   points of a thread along x.        ROWS     points of a thread along y.
 *   CHUNK    planes a thread computes; it loads two more.
 *   AHEAD    planes loaded in advance.
 *   UNROLL   planes written out in the loop.
 *   STREAM   1: results are hinted not to be read again, which leaves the caches to the rows loaded more than once.
 *
 * Limit: memory bandwidth.
 */
#include "rectangle.cuh"

constexpr int unroll = UNROLL; /* macros are not expanded in pragmas */

/* What a plane's points need from outside the thread's rectangle, along y and at the ends of the warp along x. */
struct border {
    vector south, north;
    float beside[ROWS]; /* west of lane 0, east of lane 31 */
};

static __device__ __forceinline__ border load_border(const float *from, position at, int south_left, int north_left,
                                                     bool exists)
{
    int step = threadIdx.x == 0 ? -1 : VECTOR;
    bool end = threadIdx.x == 0 || threadIdx.x == BLOCK_X - 1;
    border loaded;
    loaded.south = load_part<VECTOR>(from - at.nx, exists ? south_left : 0, at.aligned, 0);
    loaded.north = load_part<VECTOR>(from + ROWS * at.nx, exists ? north_left : 0, at.aligned, 0);
#pragma unroll
    for (int r = 0; r < ROWS; r++) {
        int left = exists && end && at.x + step >= 0 && row_left(at, r) > 0 ? at.left - step : 0;
        loaded.beside[r] = load_part<1>(from + (ptrdiff_t)r * at.nx + step, left, true, 0);
    }
    return loaded;
}

static __device__ __forceinline__ rectangle swept(const rectangle *below, const rectangle *here, const rectangle *above,
                                                  const border *around)
{
    rectangle result;
#pragma unroll
    for (int r = 0; r < ROWS; r++) {
        vector center = here->row[r];
        vector south = r > 0 ? here->row[r > 0 ? r - 1 : 0] : around->south;
        vector north = r + 1 < ROWS ? here->row[r + 1 < ROWS ? r + 1 : r] : around->north;
        float west = __shfl_up_sync(0xffffffffu, word(center, VECTOR - 1), 1);
        float east = __shfl_down_sync(0xffffffffu, word(center, 0), 1);
        west = threadIdx.x == 0 ? around->beside[r] : west;
        east = threadIdx.x == BLOCK_X - 1 ? around->beside[r] : east;
#pragma unroll
        for (int i = 0; i < VECTOR; i++)
            word(result.row[r], i) =
                weighted(word(center, i), i > 0 ? word(center, i > 0 ? i - 1 : 0) : west,
                         i + 1 < VECTOR ? word(center, i + 1 < VECTOR ? i + 1 : i) : east, word(south, i),
                         word(north, i), word(below->row[r], i), word(above->row[r], i));
    }
    return result;
}

static __device__ __forceinline__ void sweep_rectangles(const float *__restrict__ before, float *__restrict__ after,
                                                        int nx, int ny, int nz, bool aligned)
{
    int x = (blockIdx.x * BLOCK_X + threadIdx.x) * VECTOR;
    int y = (blockIdx.y * BLOCK_Y + threadIdx.y) * ROWS;
    int first = blockIdx.z * CHUNK;
    int end = min(first + CHUNK, nz);
    int last = min(end, nz - 1); /* plane that is needed */
    position at = position_of(x, y, nx, ny, aligned);
    int south_left = y > 0 && y <= ny ? nx - x : 0;
    int north_left = y + ROWS < ny ? nx - x : 0;
    ptrdiff_t plane = (ptrdiff_t)nx * ny;
    const float *from = before + first * plane + (ptrdiff_t)y * nx + x; /* plane z */
    float *to = after + first * plane + (ptrdiff_t)y * nx + x;

    /* own[i] is of plane z - 1 + i, around[i] of plane z + i. */
    rectangle own[AHEAD + 3];
    border around[AHEAD + 1];
    own[0] = load_rectangle(from - plane, at, first > 0);
#pragma unroll
    for (int i = 0; i < AHEAD + 1; i++)
        own[i + 1] = load_rectangle(from + i * plane, at, first + i <= last);
#pragma unroll
    for (int i = 0; i < AHEAD; i++)
        around[i] = load_border(from + i * plane, at, south_left, north_left, first + i < end);

#pragma unroll unroll
    for (int z = first; z < end; z++) {
        own[AHEAD + 2] = load_rectangle(from + (AHEAD + 1) * plane, at, z + AHEAD + 1 <= last);
        around[AHEAD] = load_border(from + AHEAD * plane, at, south_left, north_left, z + AHEAD < end);
        rectangle result = swept(&own[0], &own[1], &own[2], &around[0]);
        store_rectangle(to, at, &result, 0, ROWS);
        from += plane;
        to += plane;
#pragma unroll
        for (int i = 0; i < AHEAD + 2; i++)
            own[i] = own[i + 1];
#pragma unroll
        for (int i = 0; i < AHEAD; i++)
            around[i] = around[i + 1];
    }
}

__global__ void __launch_bounds__(BLOCK_X * BLOCK_Y)
    sweep(const float *__restrict__ before, float *__restrict__ after, int nx, int ny, int nz)
{
    if (nx % VECTOR == 0)
        sweep_rectangles(before, after, nx, ny, nz, true);
    else
        sweep_rectangles(before, after, nx, ny, nz, false);
}

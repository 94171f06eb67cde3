/* SPDX-License-Identifier: Apache-2.0 */
/*
 * plane.cu - a sweep of the 7-point stencil: registers.cu with the plane at hand in shared memory.
 *
 * A point is wanted by its four neighbours in the plane, too, which are other threads of the block. Each thread puts
 * its points into a shared tile, and after a barrier all take their neighbours from there: one load per point, and
 * those around the tile. There are two tiles, used in turns: a thread may fill one while others still read the other,
 * so that a plane costs one barrier.
 *
 * With VECTOR > 1 a thread has VECTOR neighbouring points along x and moves them at once: a quarter of the loads,
 * stores and addresses with 4, and most neighbours along x are in the thread's own registers. In grids with NX not a
 * multiple of VECTOR, rows start where no vector may, and are accessed word by word.
 *
 * The barrier keeps the loads of a plane from overlapping with the arithmetic of the one before. AHEAD of them are
 * therefore under way before they are needed.
 *
 *   BLOCK_X, BLOCK_Y  threads per block along x and y, at least 2 each.
 *   VECTOR            points of a thread along x.
 *   CHUNK             planes a block computes; it loads two more.
 *   HALO              points around the tile: `shared`: loaded ahead like the tile itself, by the threads at its edges,
 *                     and put into shared memory with it; `cache`: read where they are needed, from global memory. That
 *                     saves shared memory, and they mostly hit the L2 cache, since another block has the plane at hand
 *                     as well; but the warps at the edges wait for them.
 *   AHEAD             planes loaded in advance.
 *   UNROLL            planes written out in the loop.
 *   STREAM            1: results are hinted not to be read again, which leaves the caches to the points around tiles.
 *
 * Limit: memory bandwidth.
 */
#include "stencil.cuh"
#include "../vectors.cuh"

constexpr int unroll = UNROLL; /* macros are not expanded in pragmas */

typedef vector_of<VECTOR>::type vector;

/* With the points around the tile, left and right one vector each. */
typedef vector shared_tile[BLOCK_Y + 2][BLOCK_X + 2];

/*
 * Where a thread's points are in a plane, and those around the tile that it is in charge of: at the tile's left and
 * right edge a point beside its own, at the upper and lower one as many as its own beyond them. Counts are of points
 * that exist: of the row, from the thread's first one on.
 */
struct position {
    int own_left, beyond_left, beside_left;
    int beyond, beside; /* from the thread's first point */
    bool aligned;       /* rows are whole vectors */
};

static __device__ __forceinline__ position position_of(int x, int y, int nx, int ny, bool aligned)
{
    int step_y = threadIdx.y == 0 ? -1 : 1, step_x = threadIdx.x == 0 ? -1 : VECTOR;
    bool edge_y = threadIdx.y == 0 || threadIdx.y == BLOCK_Y - 1;
    bool edge_x = threadIdx.x == 0 || threadIdx.x == BLOCK_X - 1;
    position at;
    at.own_left = y < ny ? nx - x : 0;
    at.beyond_left = edge_y && y + step_y >= 0 && y + step_y < ny ? nx - x : 0;
    at.beside_left = edge_x && x + step_x >= 0 && y < ny ? nx - x - step_x : 0;
    at.beyond = step_y * nx;
    at.beside = step_x;
    at.aligned = aligned;
    return at;
}

/* From a plane that `exists`; zero outside of the grid. */
static __device__ __forceinline__ vector load_points(const float *from, int left, position at, bool exists)
{
    return load_part<VECTOR>(from, exists ? left : 0, at.aligned, 0);
}

static __device__ __forceinline__ float load_point(const float *from, int left, bool exists)
{
    return load_part<1>(from, exists ? left : 0, true, 0);
}

static __device__ __forceinline__ void sweep_block(const float *__restrict__ before, float *__restrict__ after, int nx,
                                                   int ny, int nz, bool aligned, shared_tile *tiles)
{
    int tx = threadIdx.x, ty = threadIdx.y;
    int x = (blockIdx.x * BLOCK_X + tx) * VECTOR;
    int y = blockIdx.y * BLOCK_Y + ty;
    int first = blockIdx.z * CHUNK;
    int end = min(first + CHUNK, nz);
    int last = min(end, nz - 1); /* plane that is needed */
    position at = position_of(x, y, nx, ny, aligned);
    ptrdiff_t plane = (ptrdiff_t)nx * ny;
    const float *from = before + first * plane + (ptrdiff_t)y * nx + x; /* plane z */
    float *to = after + first * plane + (ptrdiff_t)y * nx + x;

    /* own[i] is of plane z - 1 + i; the points around the tile are of plane z + i. */
    vector own[AHEAD + 3];
    vector beyond[AHEAD + 2];
    float beside[AHEAD + 2];
    own[0] = load_points(from - plane, at.own_left, at, first > 0);
#pragma unroll
    for (int i = 0; i < AHEAD + 1; i++) {
        own[i + 1] = load_points(from + i * plane, at.own_left, at, first + i <= last);
#if HALO_shared
        beyond[i] = load_points(from + i * plane + at.beyond, at.beyond_left, at, first + i < end);
        beside[i] = load_point(from + i * plane + at.beside, at.beside_left, first + i < end);
#endif
    }

#pragma unroll unroll
    for (int z = first; z < end; z++) {
        vector(*tile)[BLOCK_X + 2] = tiles[(z - first) % 2];
        const float *ahead = from + (AHEAD + 1) * plane;
        own[AHEAD + 2] = load_points(ahead, at.own_left, at, z + AHEAD + 1 <= last);
        tile[ty + 1][tx + 1] = own[1];
#if HALO_shared
        beyond[AHEAD + 1] = load_points(ahead + at.beyond, at.beyond_left, at, z + AHEAD + 1 < end);
        beside[AHEAD + 1] = load_point(ahead + at.beside, at.beside_left, z + AHEAD + 1 < end);
        if (ty == 0 || ty == BLOCK_Y - 1)
            tile[ty == 0 ? 0 : BLOCK_Y + 1][tx + 1] = beyond[0];
        if (tx == 0)
            word(tile[ty + 1][0], VECTOR - 1) = beside[0];
        if (tx == BLOCK_X - 1)
            word(tile[ty + 1][BLOCK_X + 1], 0) = beside[0];
#endif
        __syncthreads();

#if HALO_shared
        vector south = tile[ty][tx + 1], north = tile[ty + 2][tx + 1];
        float west = word(tile[ty + 1][tx], VECTOR - 1), east = word(tile[ty + 1][tx + 2], 0);
#else
        beyond[0] = load_points(from + at.beyond, at.beyond_left, at, true);
        beside[0] = load_point(from + at.beside, at.beside_left, true);
        vector south = ty == 0 ? beyond[0] : tile[ty][tx + 1];
        vector north = ty == BLOCK_Y - 1 ? beyond[0] : tile[ty + 2][tx + 1];
        float west = tx == 0 ? beside[0] : word(tile[ty + 1][tx], VECTOR - 1);
        float east = tx == BLOCK_X - 1 ? beside[0] : word(tile[ty + 1][tx + 2], 0);
#endif
        vector result;
#pragma unroll
        for (int i = 0; i < VECTOR; i++)
            word(result, i) = weighted(word(own[1], i), i > 0 ? word(own[1], i - 1) : west,
                                       i + 1 < VECTOR ? word(own[1], i + 1) : east, word(south, i), word(north, i),
                                       word(own[0], i), word(own[2], i));
        store_part<VECTOR>(to, result, at.own_left, at.aligned, STREAM > 0);

        from += plane;
        to += plane;
#pragma unroll
        for (int i = 0; i < AHEAD + 2; i++)
            own[i] = own[i + 1];
#if HALO_shared
#pragma unroll
        for (int i = 0; i < AHEAD + 1; i++) {
            beyond[i] = beyond[i + 1];
            beside[i] = beside[i + 1];
        }
#endif
    }
}

__global__ void __launch_bounds__(BLOCK_X * BLOCK_Y)
    sweep(const float *__restrict__ before, float *__restrict__ after, int nx, int ny, int nz)
{
    __shared__ shared_tile tiles[2];

    if (nx % VECTOR == 0)
        sweep_block(before, after, nx, ny, nz, true, tiles);
    else
        sweep_block(before, after, nx, ny, nz, false, tiles);
}

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * plane.cu - a sweep of the 7-point stencil: registers.cu with the plane at hand in shared memory.
 *
 * A point is wanted by its four neighbours in the plane, too, which are other threads of the block. Each thread puts its
 * points into a shared tile, and after a barrier all take their neighbours from there: one load per point, and those around
 * the tile. There are two tiles, used in turns: a thread may fill one while others still read the other, so that a plane
 * costs one barrier.
 *
 * With VECTOR > 1 a thread has VECTOR neighbouring points along x and moves them at once: a quarter of the loads, stores
 * and addresses with 4, and most neighbours along x are in the thread's own registers. In grids with NX not a multiple of
 * VECTOR, rows start where no vector may, and are accessed word by word.
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

#if HALO_cache
#define AT_EDGE(condition) (condition)
#else
#define AT_EDGE(condition) false /* the tile has what is around it */
#endif

typedef vector_of<VECTOR>::type vector;

struct grid {
    const float *before;
    int nx, ny, nz;
    bool aligned; /* rows are whole vectors */
};

/* The points from (x, y, z) on: zero outside of the grid. A plane from `end` on is not needed. */
static __device__ __forceinline__ vector load_points(grid g, int x, int y, int z, int end)
{
    bool inside = y >= 0 && y < g.ny && z >= 0 && z < min(end, g.nz);
    return load_part<VECTOR>(g.before + ((size_t)z * g.ny + y) * g.nx + x, inside ? g.nx - x : 0, g.aligned, false);
}

static __device__ __forceinline__ float load_point(grid g, int x, int y, int z, int end)
{
    bool inside = x >= 0 && x < g.nx && y >= 0 && y < g.ny && z >= 0 && z < min(end, g.nz);
    return inside ? __ldg(g.before + ((size_t)z * g.ny + y) * g.nx + x) : 0.0f;
}

/* With the points around the tile, left and right one vector each. */
typedef vector shared_tile[BLOCK_Y + 2][BLOCK_X + 2];

static __device__ __forceinline__ void sweep_block(grid g, float *__restrict__ after, shared_tile *tiles)
{
    int tx = threadIdx.x, ty = threadIdx.y;
    int x = (blockIdx.x * BLOCK_X + tx) * VECTOR;
    int y = blockIdx.y * BLOCK_Y + ty;
    int first = blockIdx.z * CHUNK;
    int end = min(first + CHUNK, g.nz);

    /* Threads at an edge of the tile also have a point outside of it, beside their first or last one, or a row. */
    int beside = tx == 0 ? x - 1 : tx == BLOCK_X - 1 ? x + VECTOR : -1;
    int beyond = ty == 0 ? y - 1 : ty == BLOCK_Y - 1 ? y + 1 : -1;

    /* own[i] is plane z - 1 + i; the points outside are of plane z + i. */
    vector own[AHEAD + 3];
    vector row[AHEAD + 2];
    float point[AHEAD + 2];
#pragma unroll
    for (int i = 0; i < AHEAD + 2; i++)
        own[i] = load_points(g, x, y, first - 1 + i, end + 1);
#if HALO_shared
#pragma unroll
    for (int i = 0; i < AHEAD + 1; i++) {
        row[i] = load_points(g, x, beyond, first + i, end);
        point[i] = load_point(g, beside, y, first + i, end);
    }
#endif

#pragma unroll unroll
    for (int z = first; z < end; z++) {
        vector(*tile)[BLOCK_X + 2] = tiles[(z - first) % 2];
        own[AHEAD + 2] = load_points(g, x, y, z + AHEAD + 1, end + 1);
        tile[ty + 1][tx + 1] = own[1];
#if HALO_shared
        row[AHEAD + 1] = load_points(g, x, beyond, z + AHEAD + 1, end);
        point[AHEAD + 1] = load_point(g, beside, y, z + AHEAD + 1, end);
        if (ty == 0 || ty == BLOCK_Y - 1)
            tile[ty == 0 ? 0 : BLOCK_Y + 1][tx + 1] = row[0];
        if (tx == 0)
            word(tile[ty + 1][0], VECTOR - 1) = point[0];
        if (tx == BLOCK_X - 1)
            word(tile[ty + 1][BLOCK_X + 1], 0) = point[0];
#endif
        __syncthreads();

        vector south = AT_EDGE(ty == 0) ? load_points(g, x, beyond, z, end) : tile[ty][tx + 1];
        vector north = AT_EDGE(ty == BLOCK_Y - 1) ? load_points(g, x, beyond, z, end) : tile[ty + 2][tx + 1];
        float west = AT_EDGE(tx == 0) ? load_point(g, beside, y, z, end) : word(tile[ty + 1][tx], VECTOR - 1);
        float east = AT_EDGE(tx == BLOCK_X - 1) ? load_point(g, beside, y, z, end) : word(tile[ty + 1][tx + 2], 0);
        vector result;
#pragma unroll
        for (int i = 0; i < VECTOR; i++)
            word(result, i) = weighted(word(own[1], i), i > 0 ? word(own[1], i - 1) : west,
                                       i + 1 < VECTOR ? word(own[1], i + 1) : east, word(south, i), word(north, i),
                                       word(own[0], i), word(own[2], i));
        store_part<VECTOR>(after + ((size_t)z * g.ny + y) * g.nx + x, result, y < g.ny ? g.nx - x : 0, g.aligned,
                           STREAM > 0);

#pragma unroll
        for (int i = 0; i < AHEAD + 2; i++)
            own[i] = own[i + 1];
#if HALO_shared
#pragma unroll
        for (int i = 0; i < AHEAD + 1; i++) {
            row[i] = row[i + 1];
            point[i] = point[i + 1];
        }
#endif
    }
}

__global__ void __launch_bounds__(BLOCK_X * BLOCK_Y)
    sweep(const float *__restrict__ before, float *__restrict__ after, int nx, int ny, int nz)
{
    __shared__ shared_tile tiles[2];

    if (nx % VECTOR == 0)
        sweep_block({before, nx, ny, nz, true}, after, tiles);
    else
        sweep_block({before, nx, ny, nz, false}, after, tiles);
}

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * tiled.cu - the electrostatic potential on a grid, COARSEN by ROWS points of a slice per thread.
 *
 * The points of a thread's tile share more than those of a row do: x - atom.x serves a column of them, and the squared
 * distance along y and z a row, so a pair is left with a multiply-add for the squared distance, its root, and a
 * multiply-add for the sum: three instructions, and in the time of one root a multiprocessor could issue eight. NEWTON
 * puts the free slots to use: for that many of the tile's points the root is an integer trick and two Newton steps on
 * the multiply-add units; see root.cuh.
 *
 * All slices are one launch: atoms are prepared for every slice beforehand, and a block takes those of its slice.
 *
 *   BLOCK_X, BLOCK_Y  threads per block along x and y.
 *   COARSEN, ROWS     points per thread along x and y, BLOCK_X and BLOCK_Y apart.
 *   NEWTON            of the COARSEN * ROWS points, how many have their roots by Newton's method.
 *   FETCH             constant  CHUNK atoms at a time in constant memory, one launch for each chunk of each slice.
 *                     shared    CHUNK atoms at a time copied to shared memory by the block: 16 bytes, a whole atom, are
 *                               broadcast by one instruction.
 *                     readonly  all atoms in global memory, through the read-only cache.
 *   SPREAD, SPLIT, MIN_BLOCKS  how points and atoms are divided among blocks; see even_parts.cuh.
 *   UNROLL            unroll factor of the loop over atoms.
 *   PADDED            1: the grid is a whole number of blocks, so no thread tests for its edge.
 *
 * Limit: the special function units, at one root per pair and 16 per cycle and multiprocessor; with NEWTON the issue
 * slots.
 */
#include "../even_parts.cuh"
#include "root.cuh"

constexpr int unroll = UNROLL; /* macros are not expanded in pragmas */

enum { POINTS = COARSEN * ROWS };

#if FETCH_constant
__constant__ float4 chunk[CHUNK]; /* x, y, squared distance along z, charge */
#endif

/* Prepares the atoms for each slice, and on the way clears energies that will reach memory piece by piece. */
__global__ void slice_all(const float4 *__restrict__ atoms, float4 *__restrict__ sliced, float *__restrict__ energy,
                          int count, float spacing, int points)
{
    int n = blockIdx.x * blockDim.x + threadIdx.x;
    int k = blockIdx.y;
#if IN_PARTS || FETCH_constant
    int threads = gridDim.x * gridDim.y * blockDim.x;
    for (int point = (k * gridDim.x + blockIdx.x) * blockDim.x + threadIdx.x; point < points; point += threads)
        energy[point] = 0.0f;
#endif
    if (n >= count)
        return;
    float4 atom = atoms[n];
    float dz = spacing * (float)k - atom.z;
    atom.z = dz * dz;
    sliced[(size_t)k * count + n] = atom;
}

struct tile {
    float x[COARSEN], y[ROWS];
    float sum[POINTS];
};

/* NEWTON of the points, evenly among the others, so that both kinds of units have work at any time. */
static __device__ __forceinline__ constexpr bool by_newton(int point)
{
    return point * NEWTON % POINTS < NEWTON;
}

static __device__ __forceinline__ void add_atom(tile &own, float4 atom)
{
    float rest[ROWS];
#pragma unroll
    for (int r = 0; r < ROWS; r++) {
        float dy = own.y[r] - atom.y;
        rest[r] = fmaf(dy, dy, atom.z);
    }
#pragma unroll
    for (int c = 0; c < COARSEN; c++) {
        float dx = own.x[c] - atom.x;
#pragma unroll
        for (int r = 0; r < ROWS; r++) {
            int point = c * ROWS + r;
            float d = fmaf(dx, dx, rest[r]);
            own.sum[point] = fmaf(atom.w, by_newton(point) ? root_newton(d) : root_special(d), own.sum[point]);
        }
    }
}

static __device__ __forceinline__ void add_atoms(tile &own, const float4 *__restrict__ atoms, int first, int last)
{
#if FETCH_constant
#pragma unroll unroll
    for (int n = first; n < last; n++)
        add_atom(own, chunk[n]);
#elif FETCH_shared
    __shared__ float4 some[CHUNK];
    for (int begin = first; begin < last; begin += CHUNK) {
        int count = min(CHUNK, last - begin);
        __syncthreads(); /* nobody reads those of before any more */
        for (int n = threadIdx.y * BLOCK_X + threadIdx.x; n < count; n += BLOCK_X * BLOCK_Y)
            some[n] = atoms[begin + n];
        __syncthreads();
#pragma unroll unroll
        for (int n = 0; n < count; n++)
            add_atom(own, some[n]);
    }
#else
#pragma unroll unroll
    for (int n = first; n < last; n++)
        add_atom(own, atoms[n]);
#endif
}

/* `count` atoms of slice k and the following ones in z: those of the chunk, or those at `sliced`, slice by slice. */
__global__ void BOUNDED(BLOCK_X * BLOCK_Y)
    add_tiles(const float4 *__restrict__ sliced, float *__restrict__ energy, int count, float spacing, int nx, int ny,
              int k, int slices)
{
#if SPREAD
    int across = (nx - 1) / (BLOCK_X * COARSEN) + 1, down = (ny - 1) / (BLOCK_Y * ROWS) + 1;
    share work = block_share(across * down * slices, count, blockIdx.x);
#else
    share work = block_share(slices, count, blockIdx.z); /* of a column of tiles */
#endif
    part now;
    while (take_part(work, now)) {
#if SPREAD
        int column = now.tile % across, line = now.tile / across % down, slice = now.tile / across / down;
#else
        int column = blockIdx.x, line = blockIdx.y, slice = now.tile;
#endif
        int i = column * (BLOCK_X * COARSEN) + threadIdx.x;
        int j = line * (BLOCK_Y * ROWS) + threadIdx.y;
        tile own; /* __fmul_rn: products that the compiler may not make part of a multiply-add in the loop */
#pragma unroll
        for (int c = 0; c < COARSEN; c++)
            own.x[c] = __fmul_rn(spacing, (float)(i + c * BLOCK_X));
#pragma unroll
        for (int r = 0; r < ROWS; r++)
            own.y[r] = __fmul_rn(spacing, (float)(j + r * BLOCK_Y));
#pragma unroll
        for (int p = 0; p < POINTS; p++)
            own.sum[p] = 0.0f;

        add_atoms(own, sliced + (size_t)slice * count, now.first, now.last);

#if FETCH_constant
        now.whole = false; /* each chunk adds its sum to those of before */
#endif
#pragma unroll
        for (int r = 0; r < ROWS; r++) {
            float *row = energy + ((size_t)(k + slice) * ny + j + r * BLOCK_Y) * nx;
#pragma unroll
            for (int c = 0; c < COARSEN; c++) {
                int point = c * ROWS + r;
                float sum = by_newton(point) ? NEWTON_SCALE * own.sum[point] : own.sum[point];
                if (PADDED || (i + c * BLOCK_X < nx && j + r * BLOCK_Y < ny))
                    put_sum(&row[i + c * BLOCK_X], sum, now.whole);
            }
        }
    }
}

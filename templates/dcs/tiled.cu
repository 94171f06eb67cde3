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
 *   NEWTON_ROWS       0: all warps do the same. n: the second half of a block's warps computes n rows, all by Newton's
 *                     method, beside ROWS of the others. A thread that mixes both kinds of roots spends time waiting
 *                     for the special function units together with its neighbours, and then nobody has work for the
 *                     others; a warp that never needs them always has.
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

/* Rows of a block, and its threads along y that share each kind of rows. */
#if NEWTON_ROWS
enum { SHARING = BLOCK_Y / 2, BLOCK_ROWS = SHARING * (ROWS + NEWTON_ROWS) };
#else
enum { SHARING = BLOCK_Y, BLOCK_ROWS = BLOCK_Y * ROWS };
#endif

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
    bool newton; /* all of it, and only NEWTON_ROWS */
    float x[COARSEN], y[ROWS];
    float sum[COARSEN][ROWS];
};

/* NEWTON of the points, evenly among the others, so that both kinds of units have work at any time. */
static __device__ __forceinline__ constexpr bool by_newton(int c, int r)
{
    return (c * ROWS + r) * NEWTON % (COARSEN * ROWS) < NEWTON;
}

/* Adds an atom to the first `rows` rows. */
template <int rows, bool newton> static __device__ __forceinline__ void add_atom(tile &own, float4 atom)
{
    float rest[rows];
#pragma unroll
    for (int r = 0; r < rows; r++) {
        float dy = own.y[r] - atom.y;
        rest[r] = fmaf(dy, dy, atom.z);
    }
#pragma unroll
    for (int c = 0; c < COARSEN; c++) {
        float dx = own.x[c] - atom.x;
#pragma unroll
        for (int r = 0; r < rows; r++) {
            float d = fmaf(dx, dx, rest[r]);
            own.sum[c][r] = fmaf(atom.w, newton || by_newton(c, r) ? root_newton(d) : root_special(d), own.sum[c][r]);
        }
    }
}

static __device__ __forceinline__ void add_all(tile &own, const float4 *atoms, int first, int last)
{
#if NEWTON_ROWS
    if (own.newton) {
#pragma unroll unroll
        for (int n = first; n < last; n++)
            add_atom<NEWTON_ROWS, true>(own, atoms[n]);
        return;
    }
#endif
#pragma unroll unroll
    for (int n = first; n < last; n++)
        add_atom<ROWS, false>(own, atoms[n]);
}

static __device__ __forceinline__ void add_atoms(tile &own, const float4 *__restrict__ atoms, int first, int last)
{
#if FETCH_constant
    add_all(own, chunk, first, last);
#elif FETCH_shared
    __shared__ float4 some[CHUNK];
    for (int begin = first; begin < last; begin += CHUNK) {
        int count = min(CHUNK, last - begin);
        __syncthreads(); /* nobody reads those of before any more */
        for (int n = threadIdx.y * BLOCK_X + threadIdx.x; n < count; n += BLOCK_X * BLOCK_Y)
            some[n] = atoms[begin + n];
        __syncthreads();
        add_all(own, some, 0, count);
    }
#else
    add_all(own, atoms, first, last);
#endif
}

/* `count` atoms of slice k and the following ones in z: those of the chunk, or those at `sliced`, slice by slice. */
__global__ void BOUNDED(BLOCK_X * BLOCK_Y)
    add_tiles(const float4 *__restrict__ sliced, float *__restrict__ energy, int count, float spacing, int nx, int ny,
              int k, int slices)
{
#if SPREAD
    int across = (nx - 1) / (BLOCK_X * COARSEN) + 1, down = (ny - 1) / BLOCK_ROWS + 1;
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
        int j = line * BLOCK_ROWS + threadIdx.y;
        tile own;
        own.newton = false;
#if NEWTON_ROWS
        own.newton = threadIdx.y >= SHARING;
        if (own.newton)
            j += SHARING * (ROWS - 1); /* below the others' rows */
#endif
        /* __fmul_rn: products that the compiler may not make part of a multiply-add in the loop */
#pragma unroll
        for (int c = 0; c < COARSEN; c++)
            own.x[c] = __fmul_rn(spacing, (float)(i + c * BLOCK_X));
#pragma unroll
        for (int r = 0; r < ROWS; r++)
            own.y[r] = __fmul_rn(spacing, (float)(j + r * SHARING));
#pragma unroll
        for (int c = 0; c < COARSEN; c++)
#pragma unroll
            for (int r = 0; r < ROWS; r++)
                own.sum[c][r] = 0.0f;

        add_atoms(own, sliced + (size_t)slice * count, now.first, now.last);

#if FETCH_constant
        now.whole = false; /* each chunk adds its sum to those of before */
#endif
#pragma unroll
        for (int r = 0; r < ROWS; r++) {
            float *row = energy + ((size_t)(k + slice) * ny + j + r * SHARING) * nx;
            if (own.newton && r >= NEWTON_ROWS)
                break;
#pragma unroll
            for (int c = 0; c < COARSEN; c++) {
                float scale = own.newton || by_newton(c, r) ? NEWTON_SCALE : 1.0f;
                if (PADDED || (i + c * BLOCK_X < nx && j + r * SHARING < ny))
                    put_sum(&row[i + c * BLOCK_X], scale * own.sum[c][r], now.whole);
            }
        }
    }
}

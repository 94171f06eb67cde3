/* SPDX-License-Identifier: Apache-2.0 */
/*
 * flat.cu - two passes over all curves, without any nesting: count points, find out where each curve begins, emit points.
 *
 *   count_all    a thread a curve: how many points it has, and how many a section of curves has.
 *   find_starts  a prefix sum: where each section begins and in it each curve. Where a curve reaches into a new tile of
 *                points, it leaves its number for that tile.
 *   emit         tiles of BLOCK * POINTS points, a thread a point at a time (emit.cuh): a curve with many points gets
 *                many threads, of several blocks if need be, and short curves share a warp.
 *
 * Points are without gaps and in the order of their curves. How many there are only the device knows, so as many blocks as
 * fit it take tile after tile; and there is memory for as many as there might be.
 *
 *   BLOCK, POINTS  see emit.cuh.
 *   CURVES         curves of a block, a section, in the two kernels before that.
 *   BLOCKS_PER_SM  blocks of `emit` on a multiprocessor.
 *
 * Limit: the bandwidth of memory: control points are read twice, starts written and read again.
 */
#include "../sums.cuh"
#include "emit.cuh"
#include "places.cuh"

enum { EACH = CURVES / BLOCK, TILE = BLOCK * POINTS }; /* curves of a thread, points of a block */
static_assert(CURVES % BLOCK == 0, "threads have as many curves each");

__global__ void __launch_bounds__(BLOCK)
    count_all(const float2 *__restrict__ controls, int *__restrict__ counts, unsigned *__restrict__ totals, int curves,
              int most)
{
    unsigned sum = 0;
#pragma unroll
    for (int c = 0; c < EACH; c++) {
        int n = blockIdx.x * CURVES + c * BLOCK + threadIdx.x;
        if (n < curves) {
            int count = count_points(load_curve(controls, n), most);
            counts[n] = count;
            sum += (unsigned)count;
        }
    }
    sum = sum_up_to<BLOCK>(sum);
    if (threadIdx.x == BLOCK - 1)
        totals[blockIdx.x] = sum;
}

/* `firsts`: the curve that each tile begins with. starts[curves] is the number of points. */
__global__ void __launch_bounds__(BLOCK)
    find_starts(const int *__restrict__ counts, const unsigned *__restrict__ totals, unsigned *__restrict__ starts,
                int *__restrict__ firsts, int curves)
{
    __shared__ unsigned sum_before;
    unsigned before = 0, own = 0, lengths[EACH];
    for (int section = threadIdx.x; section < blockIdx.x; section += BLOCK)
        before += totals[section];
    before = sum_up_to<BLOCK>(before);
    if (threadIdx.x == BLOCK - 1)
        sum_before = before;
    int first = blockIdx.x * CURVES + threadIdx.x * EACH;
#pragma unroll
    for (int c = 0; c < EACH; c++) {
        lengths[c] = first + c < curves ? (unsigned)counts[first + c] : 0;
        own += lengths[c];
    }
    unsigned start = sum_up_to<BLOCK>(own) - own + sum_before; /* which is there after sum_up_to's barriers */
#pragma unroll
    for (int c = 0; c < EACH; c++) {
        if (first + c <= curves)
            starts[first + c] = start;
        for (unsigned tile = (start + TILE - 1) / TILE; tile * TILE < start + lengths[c]; tile++)
            firsts[tile] = first + c;
        start += lengths[c];
    }
}

__global__ void __launch_bounds__(BLOCK)
    emit(const float2 *__restrict__ controls, const unsigned *__restrict__ starts, const int *__restrict__ firsts,
         float2 *__restrict__ packed, int curves)
{
    __shared__ unsigned begins[TILE / LEAST + 2]; /* of the curves of a tile, and the end of the last */
    unsigned points = starts[curves];
    for (unsigned tile = blockIdx.x; tile * TILE < points; tile += gridDim.x) {
        unsigned end = min(points, (tile + 1) * TILE);
        int first = firsts[tile];
        int last = end < points ? firsts[tile + 1] : curves - 1; /* that tile's first curve may begin with it */
        __syncthreads();                                         /* nobody reads those of before any more */
        for (int c = threadIdx.x; c <= last + 1 - first; c += BLOCK)
            begins[c] = starts[first + c];
        __syncthreads();
        unsigned number = tile * TILE + threadIdx.x / 32 * (32 * POINTS) + threadIdx.x % 32;
        emit_points(controls, packed, begins, last + 1 - first, first, number, end);
    }
}

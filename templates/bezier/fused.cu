/* SPDX-License-Identifier: Apache-2.0 */
/*
 * fused.cu - count, scan and emit in one kernel: a block has curves of its own.
 *
 * It counts their points, adds them up, takes room for all of them by a single atomic addition, and emits them, a thread a
 * point (emit.cuh). Curves are read once from memory, and nothing is written but results. What is given up is that pieces
 * of points are in the order of their curves: where a curve begins is a result like the points themselves.
 *
 *   BLOCK, POINTS  see emit.cuh.
 *   CURVES         curves of a block, as many for each thread to count. Many even out how many points blocks have.
 *
 * Limit: the bandwidth of memory.
 */
#include "../sums.cuh"
#include "emit.cuh"
#include "places.cuh"

enum { EACH = CURVES / BLOCK }; /* curves of a thread */
static_assert(CURVES % BLOCK == 0, "threads have as many curves each");

/* counters[0]: points so far. */
__global__ void __launch_bounds__(BLOCK)
    tessellate(const float2 *__restrict__ controls, float2 *__restrict__ packed, unsigned *__restrict__ starts,
               int *__restrict__ counts, unsigned *counters, int curves, int most)
{
    __shared__ unsigned begins[CURVES + 1];
    __shared__ unsigned room;
    int first = blockIdx.x * CURVES, own = min(CURVES, curves - first);
    unsigned lengths[EACH], sum = 0;
#pragma unroll
    for (int c = 0; c < EACH; c++) {
        int n = threadIdx.x * EACH + c;
        lengths[c] = n < own ? (unsigned)count_points(load_curve(controls, first + n), most) : 0;
        sum += lengths[c];
    }
    unsigned end = sum_up_to<BLOCK>(sum);
    if (threadIdx.x == BLOCK - 1)
        room = atomicAdd(&counters[0], end);
    __syncthreads();
    unsigned start = room + end - sum;
#pragma unroll
    for (int c = 0; c < EACH; c++) {
        int n = threadIdx.x * EACH + c;
        if (n < own) {
            begins[n] = start;
            starts[first + n] = start;
            counts[first + n] = (int)lengths[c];
        }
        start += lengths[c];
    }
    if (threadIdx.x == BLOCK - 1)
        begins[own] = start; /* no length is behind the last curve's */
    __syncthreads();
    for (unsigned some = begins[0]; some < begins[own]; some += BLOCK * POINTS) {
        unsigned number = some + threadIdx.x / 32 * (32 * POINTS) + threadIdx.x % 32;
        emit_points(controls, packed, begins, own, first, number, begins[own]);
    }
}

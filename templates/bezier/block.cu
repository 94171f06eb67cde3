/* SPDX-License-Identifier: Apache-2.0 */
/*
 * block.cu - a block a curve: its threads compute its points side by side.
 *
 * Where a curve's points go must be known before it is known how many there are, so there is room for the largest number
 * for each: of the memory, most stays empty. Of the threads, most have nothing to do either, and which blocks do depends
 * on the data: a curve with few points takes a block's time for them, and one with many may be the last to end.
 *
 *   BLOCK   threads of a block.
 *   CURVES  curves of a block; see groups.cuh. Fewer threads a curve waste fewer of them.
 *
 * Limit: how fast blocks start and end, for large ones; then how fast points are written in pieces of one curve each.
 */
#include "groups.cuh"
#include "places.cuh"

__global__ void __launch_bounds__(BLOCK)
    tessellate(const float2 *__restrict__ controls, float2 *__restrict__ packed, unsigned *__restrict__ starts,
               int *__restrict__ counts, int curves, int most)
{
    int n = blockIdx.x * CURVES + threadIdx.x / GROUP;
    if (n >= curves)
        return;
    curve own = load_curve(controls, n);
    int count = count_points(own, most);
    unsigned start = (unsigned)n * (unsigned)most;
    put_points(own, count, packed + start);
    if (threadIdx.x % GROUP == 0) {
        starts[n] = start;
        counts[n] = count;
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * direct.cu - nearest neighbours, a thread a query, points straight from global memory.
 *
 * A thread compares its point with all points in turn and keeps the nearest so far. A point has to be nearer to take
 * its place, so that of several at the same distance the one with the lowest index stays.
 *
 *   BLOCK   threads of a block.        UNROLL  points written out.
 *
 * Limit: three loads a pair, which wait for the L1 cache. All threads of a warp read the same point.
 */
#include "distance.cuh"

__global__ void __launch_bounds__(BLOCK)
    nearest(const float *__restrict__ points, int *__restrict__ index, float *__restrict__ distance, int count)
{
    int query = blockIdx.x * BLOCK + threadIdx.x;
    if (query >= count)
        return;
    point p = load_point(points, query);
    float best = FARTHEST;
    int nearest = -1;
#pragma unroll unroll
    for (int j = 0; j < count; j++) {
        point other = load_point(points, j);
        float d = squared_distance(other.x, other.y, other.z, p);
        if (d < best && j != query) {
            best = d;
            nearest = j;
        }
    }
    store_result(points, index, distance, query, p, nearest);
}

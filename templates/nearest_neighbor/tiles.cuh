/* SPDX-License-Identifier: Apache-2.0 */
/*
 * tiles.cuh - shared by blocked.cu and widened.cu: a thread a query, points from a tile in shared memory.
 *
 * A block loads TILE points at a time, each thread its share, and then all threads compare their queries with all of
 * them: a point is read from global memory once a block instead of once a query. `struct shared_point` is a point as
 * it lies in shared memory.
 */
#ifndef NEAREST_NEIGHBOR_TILES_CUH
#define NEAREST_NEIGHBOR_TILES_CUH

#include "distance.cuh"

__shared__ shared_point tile[TILE];

__global__ void __launch_bounds__(BLOCK)
    nearest(const float *__restrict__ points, int *__restrict__ index, float *__restrict__ distance, int count)
{
    int query = blockIdx.x * BLOCK + threadIdx.x;
    point p = load_point(points, min(query, count - 1)); /* all threads load tiles, also those without a query */
    float best = FARTHEST;
    int nearest = -1;
    for (int first = 0; first < count; first += TILE) {
        int here = min(TILE, count - first);
        for (int i = threadIdx.x; i < here; i += BLOCK) {
            point other = load_point(points, first + i);
            tile[i].x = other.x;
            tile[i].y = other.y;
            tile[i].z = other.z;
        }
        __syncthreads();
#pragma unroll unroll
        for (int i = 0; i < here; i++) {
            shared_point other = tile[i];
            float d = squared_distance(other.x, other.y, other.z, p);
            if (d < best && first + i != query) {
                best = d;
                nearest = first + i;
            }
        }
        __syncthreads();
    }
    if (query < count)
        store_result(points, index, distance, query, p, nearest);
}

#endif

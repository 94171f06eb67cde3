/* SPDX-License-Identifier: Apache-2.0 */
/*
 * queries.cu - nearest neighbours: widened.cu with several queries a thread.
 *
 * A point read from shared memory serves QUERIES queries, whose comparisons are independent of each other, so that a
 * thread has always one to go on with.
 *
 *   BLOCK    threads of a block.
 *   QUERIES  queries of a thread.
 *   TILE     points of a tile.
 *   SPLIT    parts of the points; see split.cuh.
 *   UNROLL   points of a tile written out.
 *
 * Limit: ten operations a pair, of which six are the distance.
 */
#include "split.cuh"

__shared__ float4 tile[TILE];

__global__ void __launch_bounds__(BLOCK)
    find(const float *__restrict__ points, finding *__restrict__ findings, int count)
{
    int query = first_query_of_warp() + threadIdx.x % 32;
    point p[QUERIES];
    float best[QUERIES];
    int nearest[QUERIES];
#pragma unroll
    for (int k = 0; k < QUERIES; k++) {
        p[k] = load_point(points, min(query + 32 * k, count - 1));
        best[k] = FARTHEST;
        nearest[k] = -1;
    }
    part part = part_of_block(count);
    for (int t = part.begin; t < part.end; t++) {
        int first = t * TILE;
        int here = min(TILE, count - first);
        for (int i = threadIdx.x; i < here; i += BLOCK) {
            point other = load_point(points, first + i);
            tile[i] = make_float4(other.x, other.y, other.z, 0.0f);
        }
        __syncthreads();
#pragma unroll unroll
        for (int i = 0; i < here; i++) {
            float4 other = tile[i];
#pragma unroll
            for (int k = 0; k < QUERIES; k++) {
                float d = squared_distance(other.x, other.y, other.z, p[k]);
                if (d < best[k] && first + i != query + 32 * k) {
                    best[k] = d;
                    nearest[k] = first + i;
                }
            }
        }
        __syncthreads();
    }
#pragma unroll
    for (int k = 0; k < QUERIES; k++)
        if (query + 32 * k < count)
            findings[(size_t)(query + 32 * k) * SPLIT + blockIdx.y] =
                make_finding(best[k], nearest[k]);
}

__global__ void choose(const float *__restrict__ points, const finding *__restrict__ findings,
                       int *__restrict__ index, float *__restrict__ distance, int count)
{
    int query = blockIdx.x * blockDim.x + threadIdx.x;
    if (query < count)
        store_result(points, index, distance, query, load_point(points, query),
                     (int)(unsigned)least_finding(findings, query));
}

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * chunked.cu - nearest neighbours: queries.cu, but the index is looked up afterwards; see chunks.cuh.
 *
 *   BLOCK    threads of a block.
 *   QUERIES  queries of a thread.
 *   TILE     points of a tile.
 *   CHUNK    points after which a thread looks whether it has found a nearer one; divides TILE.
 *   SPLIT    parts of the points; see split.cuh.
 *   LEAST    floats or integers: how minimums are taken; see chunks.cuh.
 *   UNROLL   pairs of points of a chunk written out.
 *
 * Limit: seven operations a pair: three subtractions, a product, two multiply-adds, a minimum or half of one.
 */
#include "distance.cuh"

struct query {
    point at;
};

static __device__ __forceinline__ query make_query(point p)
{
    return {p};
}

static __device__ __forceinline__ float4 widen(point p, float)
{
    return make_float4(p.x, p.y, p.z, 0.0f);
}

static __device__ __forceinline__ float4 infinitely_far()
{
    return make_float4(INFINITE, 0.0f, 0.0f, 0.0f);
}

static __device__ __forceinline__ float measure(float4 other, const query &query)
{
    return squared_distance(other.x, other.y, other.z, query.at);
}

#include "chunks.cuh"

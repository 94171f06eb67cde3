/* SPDX-License-Identifier: Apache-2.0 */
/*
 * expanded.cu - nearest neighbours: chunked.cu with the square expanded, |p - q|^2 = p^2 - 2 p q + q^2.
 *
 * For one query p the term p^2 is the same for all points, so that q^2 - 2 p q is to be minimised. q^2 is computed
 * once when a point is loaded to shared memory, and becomes the fourth float there; with -2 p in registers three
 * multiply-adds are left. With LEAST = integers the sums must not be negative: a constant that is greater than any
 * p^2 is added to q^2, which costs accuracy.
 *
 *   BLOCK, QUERIES, TILE, CHUNK, SPLIT, LEAST, UNROLL  as in chunked.cu.
 *
 * Limit: four operations a pair, one of them the minimum, or three and a half. An H200 comes to two thirds of that:
 * it stalls on dispatch, as if every second instruction read two registers of one bank. And the error: it is relative
 * to the extent of all points, not to the distance, so that neighbours are mistaken whose squared distances differ by
 * less than some 10^-5 of the squared extent. (The distance that is stored is computed from the difference.)
 */
#include "distance.cuh"

struct query {
    float x, y, z; /* -2 p */
};

static __device__ __forceinline__ query make_query(point p)
{
    return {-2.0f * p.x, -2.0f * p.y, -2.0f * p.z};
}

static __device__ __forceinline__ float4 widen(point p, float offset)
{
    return make_float4(p.x, p.y, p.z, fmaf(p.x, p.x, fmaf(p.y, p.y, fmaf(p.z, p.z, offset))));
}

static __device__ __forceinline__ float4 infinitely_far()
{
    return make_float4(0.0f, 0.0f, 0.0f, INFINITE);
}

static __device__ __forceinline__ float measure(float4 other, const query &query)
{
    return fmaf(other.x, query.x, fmaf(other.y, query.y, fmaf(other.z, query.z, other.w)));
}

#include "chunks.cuh"

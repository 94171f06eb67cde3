/* SPDX-License-Identifier: Apache-2.0 */
/*
 * chunks.cuh - shared by chunked.cu and expanded.cu: first the least distance, then whose it is.
 *
 * To keep the index of the nearest point takes a comparison and two selections for each pair; to keep only the least
 * distance takes one operation. After each chunk of CHUNK points a thread looks whether its least distance fell, and
 * then keeps the chunk's number: two operations for CHUNK pairs. At the end `choose` goes through that one chunk
 * again, and takes the first point at exactly the least distance. The same operations on the same values give the
 * same bits, so there is one; and as a chunk has to be better to take the place of an earlier one, of several such
 * points it is the one with the lowest index.
 *
 * LEAST says how minimums are taken. Numbers that are not negative are ordered like the integers with the same bits,
 * and since compute capability 9.0 one instruction takes the least of three integers: half an instruction a pair.
 * Alone it takes 2.6 cycles on an H200, where a minimum of two floats takes 2.3, so it gains less than it seems to.
 * `floats` takes an instruction a pair, and what is minimised may be negative.
 *
 * A query is no neighbour of itself. Its own chunk is among those of its warp's queries, 32 * QUERIES neighbouring
 * ones, and only there each pair is tested for being one point.
 *
 * The including file defines
 *   struct query                               what a thread keeps of a query,
 *   make_query(point)                          that for a point,
 *   widen(point, offset)                       a point as it lies in shared memory; `offset` as the template has it,
 *   infinitely_far()                           one whose measure is infinite,
 *   float measure(float4, const query &)       what to minimise.
 */
#ifndef NEAREST_NEIGHBOR_CHUNKS_CUH
#define NEAREST_NEIGHBOR_CHUNKS_CUH

#include "split.cuh"

__shared__ float4 tile[TILE];

static __device__ __forceinline__ float least_of(float a, float b, float c)
{
#if LEAST_integers
    return __int_as_float(min(min(__float_as_int(a), __float_as_int(b)), __float_as_int(c)));
#else
    return fminf(fminf(a, b), c);
#endif
}

/* The least of `least` and the measures of a chunk's points for each query. `own`: how far the first query is from
   the chunk's first point in the order of points. */
template <bool OWN>
static __device__ __forceinline__ void scan_chunk(float (&least)[QUERIES], const query (&queries)[QUERIES],
                                                  const float4 *chunk, int own)
{
#pragma unroll unroll
    for (int i = 0; i < CHUNK; i += 2) {
        float4 one = chunk[i];
        float4 other = chunk[i + 1];
#pragma unroll
        for (int k = 0; k < QUERIES; k++) {
            float first = measure(one, queries[k]);
            float second = measure(other, queries[k]);
            if (OWN && i == own + 32 * k)
                first = INFINITE;
            if (OWN && i + 1 == own + 32 * k)
                second = INFINITE;
            least[k] = least_of(least[k], first, second);
        }
    }
}

__global__ void __launch_bounds__(BLOCK)
    find(const float *__restrict__ points, finding *__restrict__ findings, int count, float offset)
{
    int begin = first_query_of_warp();
    int query0 = begin + threadIdx.x % 32;
    query queries[QUERIES];
    float least[QUERIES];
    int nearest[QUERIES]; /* chunk */
#pragma unroll
    for (int k = 0; k < QUERIES; k++) {
        queries[k] = make_query(load_point(points, min(query0 + 32 * k, count - 1)));
        least[k] = FARTHEST;
        nearest[k] = -1;
    }
    part part = part_of_block(count);
    for (int t = part.begin; t < part.end; t++) {
        for (int i = threadIdx.x; i < TILE; i += BLOCK) {
            int j = t * TILE + i;
            tile[i] = j < count ? widen(load_point(points, j), offset) : infinitely_far();
        }
        __syncthreads();
        for (int c = 0; c < TILE; c += CHUNK) {
            int first = t * TILE + c;
            float before[QUERIES];
#pragma unroll
            for (int k = 0; k < QUERIES; k++)
                before[k] = least[k];
            if (first < begin + 32 * QUERIES && first + CHUNK > begin)
                scan_chunk<true>(least, queries, tile + c, query0 - first);
            else
                scan_chunk<false>(least, queries, tile + c, 0);
#pragma unroll
            for (int k = 0; k < QUERIES; k++)
                nearest[k] = least[k] < before[k] ? first / CHUNK : nearest[k];
        }
        __syncthreads();
    }
#pragma unroll
    for (int k = 0; k < QUERIES; k++)
        if (query0 + 32 * k < count)
            findings[(size_t)(query0 + 32 * k) * SPLIT + blockIdx.y] = make_finding(least[k], nearest[k]);
}

/*
 * A thread has a query. For each in turn, the lanes of its warp look at the points of its chunk, neighbouring lanes at
 * neighbouring points.
 */
__global__ void choose(const float *__restrict__ points, const finding *__restrict__ findings,
                       int *__restrict__ index, float *__restrict__ distance, int count, float offset)
{
    int query0 = blockIdx.x * blockDim.x + threadIdx.x;
    int lane = threadIdx.x % 32;
    point p = load_point(points, min(query0, count - 1));
    finding least = least_finding(findings, min(query0, count - 1));
    int nearest = -1;
#pragma unroll 4
    for (int l = 0; l < 32; l++) {
        point at = {__shfl_sync(0xffffffffu, p.x, l), __shfl_sync(0xffffffffu, p.y, l),
                    __shfl_sync(0xffffffffu, p.z, l)};
        unsigned bits = __shfl_sync(0xffffffffu, (unsigned)(least >> 32), l);
        int chunk = __shfl_sync(0xffffffffu, (int)(unsigned)least, l);
        query query = make_query(at);
        int found = -1;
#pragma unroll
        for (int i = (CHUNK - 1) / 32 * 32; i >= 0; i -= 32) {
            int j = chunk * CHUNK + i + lane;
            bool counts = chunk >= 0 && i + lane < CHUNK && j < count && j != query0 - lane + l;
            float d = counts ? measure(widen(load_point(points, j), offset), query) : INFINITE;
            unsigned same = __ballot_sync(0xffffffffu, ordered_bits(d) == bits);
            if (same != 0)
                found = chunk * CHUNK + i + __ffs((int)same) - 1;
        }
        if (l == lane)
            nearest = found;
    }
    if (query0 < count)
        store_result(points, index, distance, query0, p, nearest);
}

#endif

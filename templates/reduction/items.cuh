/* SPDX-License-Identifier: Apache-2.0 */
/*
 * items.cuh - what a thread makes of its own vectors, ITEMS of VECTOR floats, BLOCK vectors apart.
 */
#ifndef REDUCTION_ITEMS_CUH
#define REDUCTION_ITEMS_CUH

#include "operation.cuh"

#if INDEXED
/* Those beyond the end are NaN; `inside` there are none. */
static __device__ __forceinline__ void load_vector(float *values, const float *__restrict__ x, long long at,
                                                   long long n, bool inside)
{
    if (inside) {
#if VECTOR == 4
        float4 all = *(const float4 *)(x + at);
        values[0] = all.x, values[1] = all.y, values[2] = all.z, values[3] = all.w;
#elif VECTOR == 2
        float2 all = *(const float2 *)(x + at);
        values[0] = all.x, values[1] = all.y;
#else
        values[0] = x[at];
#endif
    } else {
#pragma unroll
        for (int v = 0; v < VECTOR; v++)
            values[v] = at + v < n ? x[at + v] : __int_as_float(0x7fffffff);
    }
}

/*
 * A thread meets its values in the order of their indices, so only what is strictly better replaces what it has, and
 * which of its values that was is a small number until the end: four instructions a value. It begins with its first
 * one, so that there is one if all are NaN.
 */
static __device__ __forceinline__ partial find(const float *__restrict__ x, long long first, long long n, bool inside)
{
    constexpr int unroll = UNROLL;
    float best = x[first];
    int item = 0;
#pragma unroll unroll
    for (int i = 0; i < ITEMS; i++) {
        float values[VECTOR];
        load_vector(values, x, first + (long long)i * (BLOCK * VECTOR), n, inside);
#pragma unroll
        for (int v = 0; v < VECTOR; v++) {
            bool as_good = OPERATION == 4 ? best <= values[v] : best >= values[v]; /* false if one is NaN */
            bool better = !as_good && values[v] == values[v];
            best = better ? values[v] : best;
            item = better ? i * VECTOR + v : item;
        }
    }
    return single(best, first + (long long)(item / VECTOR) * (BLOCK * VECTOR) + item % VECTOR);
}

/* The thread's first vector is number `first`. */
static __device__ partial reduce_items(const float *__restrict__ x, long long first, long long n)
{
    first *= VECTOR;
    if (first >= n)
        return nothing();
    if (first + (ITEMS - 1ll) * (BLOCK * VECTOR) + VECTOR <= n)
        return find(x, first, n, true);
    return find(x, first, n, false);
}
#else
static __device__ partial load_vector(const float *__restrict__ x, long long index, long long n)
{
#if VECTOR == 4
    if (4 * index + 3 < n) {
        float4 v = ((const float4 *)x)[index];
        return combine(combine(single(v.x), single(v.y)), combine(single(v.z), single(v.w)));
    }
#elif VECTOR == 2
    if (2 * index + 1 < n) {
        float2 v = ((const float2 *)x)[index];
        return combine(single(v.x), single(v.y));
    }
#endif
    partial all = nothing();
    for (long long i = VECTOR * index; i < VECTOR * index + VECTOR && i < n; i++)
        all = combine(all, single(x[i]));
    return all;
}

/* The thread's first vector is number `first`. */
static __device__ partial reduce_items(const float *__restrict__ x, long long first, long long n)
{
    constexpr int unroll = UNROLL;
    partial all = nothing();
#pragma unroll unroll
    for (int i = 0; i < ITEMS; i++)
        all = combine(all, load_vector(x, first + (long long)i * BLOCK, n));
    return all;
}
#endif

#endif

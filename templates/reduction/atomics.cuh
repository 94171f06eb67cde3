/* SPDX-License-Identifier: Apache-2.0 */
/*
 * atomics.cuh - partial results that come together in one place, by an atomic operation each.
 *
 * There are such operations for sums of floats, but not for their minimum. The bits of floats without a sign are in the
 * order of integers; those of one with a sign, in the reverse order and above all others if they are unsigned. So the
 * minimum takes one operation on the float's bits, which depends on its sign, and begins with bits that both replace,
 * those of a NaN.
 *
 * A value and its index are one key of 64 bits, whose order is theirs, if the index has 32 bits. What begins is above
 * all keys, and NaN above all numbers.
 */
#ifndef REDUCTION_ATOMICS_CUH
#define REDUCTION_ATOMICS_CUH

#include "operation.cuh"

#if INDEXED
typedef unsigned long long meeting;

static __device__ __forceinline__ meeting key_of(finding found)
{
    float value = (OPERATION == 4 ? found.value : -found.value) + 0.0f; /* no -0 */
    int bits = __float_as_int(value);
    unsigned order = value != value ? 0xffffffffu : (unsigned)(bits ^ (bits >> 31 | (int)0x80000000));
    return (meeting)order << 32 | (unsigned)found.index;
}

static __device__ __forceinline__ void meet(meeting *result, finding found)
{
    atomicMin(result, key_of(found));
}

__global__ void begin(meeting *result)
{
    result[0] = ~0ull;
}

__global__ void unpack(const float *x, const meeting *result, float *total, long long *index)
{
    index[0] = (long long)(unsigned)result[0];
    total[0] = x[(unsigned)result[0]];
}
#elif OPERATION == 1
typedef float meeting;

static __device__ __forceinline__ void meet(float *result, float sum)
{
    atomicAdd(result, sum);
}
#else
typedef float meeting;

static __device__ __forceinline__ void meet(float *result, float value)
{
    int bits = __float_as_int(value);
    if (value != value)
        return;
#if OPERATION == 2
    if (bits >= 0)
        atomicMin((int *)result, bits);
    else
        atomicMax((unsigned *)result, (unsigned)bits);
#else
    if (bits >= 0)
        atomicMax((int *)result, bits);
    else
        atomicMin((unsigned *)result, (unsigned)bits);
#endif
}

__global__ void begin(float *result)
{
    result[0] = __int_as_float(OPERATION == 2 ? 0x7fffffff : -1);
}
#endif

#endif

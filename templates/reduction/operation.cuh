/* SPDX-License-Identifier: Apache-2.0 */
/*
 * operation.cuh - what is reduced to one: `partial` is what is known of some of the values, `combine` joins two of
 * them, and `nothing` is what is known of none.
 *
 *   OPERATION  1: the sum of the values; 2: the least; 3: the greatest; 4, 5: the least or greatest, and where it is.
 *
 * Least and greatest are of those that are numbers: NaN counts only if there is nothing else; then the result is NaN,
 * too. Of several at the same value, and 0 and -0 are the same, the index is the lowest one; of NaN alone likewise. So
 * these results do not depend on the order of evaluation, but for the sign of a zero and the bits of a NaN. A sum is
 * NaN as soon as one value is, or infinities of both signs are.
 */
#ifndef REDUCTION_OPERATION_CUH
#define REDUCTION_OPERATION_CUH

#define INDEXED (OPERATION > 3)

#if INDEXED
struct finding {
    float value;
    int padding; /* a name for it: what is copied should be something */
    long long index;
};
typedef finding partial;

static __device__ __forceinline__ partial nothing()
{
    return {__int_as_float(0x7fffffff), 0, 0x7fffffffffffffffll};
}

static __device__ __forceinline__ partial single(float value, long long index)
{
    return {value, 0, index};
}

static __device__ __forceinline__ partial combine(partial a, partial b)
{
    bool less = OPERATION == 4 ? b.value < a.value : b.value > a.value;
    bool greater = OPERATION == 4 ? a.value < b.value : a.value > b.value;
    bool number = b.value == b.value;
    bool same_kind = number == (a.value == a.value);
    bool better = same_kind ? less || (!greater && b.index < a.index) : number;
    return better ? b : a;
}

static __device__ __forceinline__ partial from_below(partial value, int distance)
{
    return {__shfl_down_sync(0xffffffffu, value.value, distance), 0,
            __shfl_down_sync(0xffffffffu, value.index, distance)};
}
#else
typedef float partial;

static __device__ __forceinline__ partial nothing()
{
    return OPERATION == 1 ? 0.0f : __int_as_float(0x7fffffff);
}

static __device__ __forceinline__ partial single(float value)
{
    return value;
}

static __device__ __forceinline__ partial combine(partial a, partial b)
{
    return OPERATION == 1 ? a + b : OPERATION == 2 ? fminf(a, b) : fmaxf(a, b);
}

/* That of the lane `distance` further on. */
static __device__ __forceinline__ partial from_below(partial value, int distance)
{
    return __shfl_down_sync(0xffffffffu, value, distance);
}
#endif

#endif

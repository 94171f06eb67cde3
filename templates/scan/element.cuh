/* SPDX-License-Identifier: Apache-2.0 */
/*
 * element.cuh - what is scanned: floats, or unsigned integers modulo 2^32; one, two or four at once.
 *
 *   NUMBERS  1: floats; 2: integers.      KIND  1: inclusive; 2: exclusive.
 * Both belong to the problem (scan.template).
 */
#ifndef SCAN_ELEMENT_CUH
#define SCAN_ELEMENT_CUH

#define EXCLUSIVE (KIND == 2)

template <int WIDTH> struct pack_of;
#if NUMBERS == 2
typedef unsigned element;
template <> struct pack_of<1> {
    typedef unsigned type;
};
template <> struct pack_of<2> {
    typedef uint2 type;
};
template <> struct pack_of<4> {
    typedef uint4 type;
};
#else
typedef float element;
template <> struct pack_of<1> {
    typedef float type;
};
template <> struct pack_of<2> {
    typedef float2 type;
};
template <> struct pack_of<4> {
    typedef float4 type;
};
#endif

static __device__ __forceinline__ unsigned bits_of(element value)
{
#if NUMBERS == 2
    return value;
#else
    return (unsigned)__float_as_int(value);
#endif
}

static __device__ __forceinline__ element element_of(unsigned bits)
{
#if NUMBERS == 2
    return bits;
#else
    return __int_as_float((int)bits);
#endif
}

/* WIDTH elements from or to an address that is a multiple of their size. */
template <int WIDTH> static __device__ __forceinline__ void load_pack(element *values, const element *from)
{
    typename pack_of<WIDTH>::type all = *(const typename pack_of<WIDTH>::type *)from;
#pragma unroll
    for (int i = 0; i < WIDTH; i++)
        values[i] = ((const element *)&all)[i];
}

/* `streams`: they are hinted not to be read again soon. */
template <int WIDTH>
static __device__ __forceinline__ void store_pack(element *to, const element *values, bool streams)
{
    typedef typename pack_of<WIDTH>::type pack;
    pack all;
#pragma unroll
    for (int i = 0; i < WIDTH; i++)
        ((element *)&all)[i] = values[i];
    if (streams)
        __stcs((pack *)to, all);
    else
        *(pack *)to = all;
}

#endif

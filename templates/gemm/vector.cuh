/* SPDX-License-Identifier: Apache-2.0 */
/*
 * vector.cuh - load and store 1, 2 or 4 floats in one instruction, to and from arrays in registers.
 *
 * `struct vector_of<N>::type` is float, float2 or float4. Once the surrounding loops are unrolled, the arrays are
 * indexed by constants and never touch memory.
 */
#ifndef GEMM_VECTOR_CUH
#define GEMM_VECTOR_CUH

template <int WIDTH> struct vector_of;
template <> struct vector_of<1> {
    typedef float type;
};
template <> struct vector_of<2> {
    typedef float2 type;
};
template <> struct vector_of<4> {
    typedef float4 type;
};

static __device__ __forceinline__ void unpack(float *to, float from)
{
    to[0] = from;
}

static __device__ __forceinline__ void unpack(float *to, float2 from)
{
    to[0] = from.x;
    to[1] = from.y;
}

static __device__ __forceinline__ void unpack(float *to, float4 from)
{
    to[0] = from.x;
    to[1] = from.y;
    to[2] = from.z;
    to[3] = from.w;
}

/* WIDTH floats from an address that is a multiple of their size. */
template <int WIDTH> static __device__ __forceinline__ void load_vector(float *to, const float *from)
{
    unpack(to, *(const typename vector_of<WIDTH>::type *)from);
}

static __device__ __forceinline__ void store_vector4(float *to, const float *from)
{
    float4 value;
    value.x = from[0];
    value.y = from[1];
    value.z = from[2];
    value.w = from[3];
    *(float4 *)to = value;
}

#endif

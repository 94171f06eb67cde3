/* SPDX-License-Identifier: Apache-2.0 */
/*
 * vectors.cuh - 1, 2 or 4 floats loaded or stored by one instruction, with or without a cache hint.
 *
 * `vector_of<N>::type` is float, float2 or float4; `word(v, i)` is its i-th float. In unrolled loops, where i is a
 * constant, the vectors stay in registers. A store that `streams` says that its data will not be used again: the caches
 * then replace it first, and keep what will be. A load may name how many bytes the L2 cache should `fetch` from memory
 * around what is asked for, 128 or 256; 0 leaves it to the cache.
 */
#ifndef TEMPLATES_VECTORS_CUH
#define TEMPLATES_VECTORS_CUH

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

template <class T> static __device__ __forceinline__ float &word(T &vector, int i)
{
    return ((float *)&vector)[i];
}

template <class T> static __device__ __forceinline__ float word(const T &vector, int i)
{
    return ((const float *)&vector)[i];
}

#ifdef __CUDA_ARCH__
#define FETCHING_LOADS(bytes)                                                                                          \
    static __device__ __forceinline__ void load_fetching_##bytes(float &to, const float *from)                         \
    {                                                                                                                  \
        asm("ld.global.nc.L2::" #bytes "B.f32 %0, [%1];" : "=f"(to) : "l"(from));                                      \
    }                                                                                                                  \
    static __device__ __forceinline__ void load_fetching_##bytes(float2 &to, const float *from)                        \
    {                                                                                                                  \
        asm("ld.global.nc.L2::" #bytes "B.v2.f32 {%0, %1}, [%2];" : "=f"(to.x), "=f"(to.y) : "l"(from));               \
    }                                                                                                                  \
    static __device__ __forceinline__ void load_fetching_##bytes(float4 &to, const float *from)                        \
    {                                                                                                                  \
        asm("ld.global.nc.L2::" #bytes "B.v4.f32 {%0, %1, %2, %3}, [%4];"                                              \
            : "=f"(to.x), "=f"(to.y), "=f"(to.z), "=f"(to.w)                                                           \
            : "l"(from));                                                                                              \
    }
FETCHING_LOADS(128)
FETCHING_LOADS(256)
#endif

/* WIDTH floats at once, from or to an address that is a multiple of their size. `fetch` is a constant. */
template <int WIDTH>
static __device__ __forceinline__ typename vector_of<WIDTH>::type load_vector(const float *from, int fetch)
{
    typedef typename vector_of<WIDTH>::type vector;
#ifdef __CUDA_ARCH__
    vector value;
    if (fetch == 128)
        load_fetching_128(value, from);
    else if (fetch == 256)
        load_fetching_256(value, from);
    else
        value = __ldg((const vector *)from);
    return value;
#else
    (void)fetch;
    return *(const vector *)from;
#endif
}

template <int WIDTH>
static __device__ __forceinline__ void store_vector(float *to, typename vector_of<WIDTH>::type value, bool streams)
{
    typedef typename vector_of<WIDTH>::type vector;
    if (streams)
        __stcs((vector *)to, value);
    else
        *(vector *)to = value;
}

/*
 * Up to WIDTH floats of a row of which `left` are left, none if that is negative; the others are zero. In `aligned`
 * rows, which start at a vector and consist of whole ones, there are always WIDTH or none.
 */
template <int WIDTH>
static __device__ __forceinline__ typename vector_of<WIDTH>::type load_part(const float *from, int left, bool aligned,
                                                                            int fetch)
{
    typename vector_of<WIDTH>::type value = {};
    if (WIDTH == 1 || aligned) {
        if (left > 0)
            value = load_vector<WIDTH>(from, fetch);
    } else {
#pragma unroll
        for (int i = 0; i < WIDTH; i++)
            if (i < left)
                word(value, i) = word(load_vector<1>(from + i, fetch), 0);
    }
    return value;
}

template <int WIDTH>
static __device__ __forceinline__ void store_part(float *to, typename vector_of<WIDTH>::type value, int left,
                                                  bool aligned, bool streams)
{
    if (WIDTH == 1 || aligned) {
        if (left > 0)
            store_vector<WIDTH>(to, value, streams);
    } else {
#pragma unroll
        for (int i = 0; i < WIDTH; i++)
            if (i < left)
                to[i] = word(value, i);
    }
}

#endif

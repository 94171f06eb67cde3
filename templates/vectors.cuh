/* SPDX-License-Identifier: Apache-2.0 */
/*
 * vectors.cuh - 1, 2 or 4 floats loaded or stored by one instruction, with or without a cache hint.
 *
 * `vector_of<N>::type` is float, float2 or float4; `word(v, i)` is its i-th float. In unrolled loops, where i is a
 * constant, the vectors stay in registers. A load or store that streams says that its data will not be used again: the
 * caches then replace it first, and keep what will be.
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

/* WIDTH floats at once, from or to an address that is a multiple of their size. */
template <int WIDTH>
static __device__ __forceinline__ typename vector_of<WIDTH>::type load_vector(const float *from, bool streams)
{
    typedef typename vector_of<WIDTH>::type vector;
    return streams ? __ldcs((const vector *)from) : __ldg((const vector *)from);
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
                                                                            bool streams)
{
    typename vector_of<WIDTH>::type value = {};
    if (WIDTH == 1 || aligned) {
        if (left > 0)
            value = load_vector<WIDTH>(from, streams);
    } else {
#pragma unroll
        for (int i = 0; i < WIDTH; i++)
            if (i < left)
                word(value, i) = __ldg(from + i);
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

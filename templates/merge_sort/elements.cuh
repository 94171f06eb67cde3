/* SPDX-License-Identifier: Apache-2.0 */
/*
 * elements.cuh - what is sorted: keys of 32 bits, alone or each with a value of 32 bits, and where their runs lie.
 *
 * In memory keys and values are arrays of their own, as in CUB's sorts; in registers and shared memory an element is
 * one thing. `values` are not touched if there are none.
 *
 *   WORDS  of an element: 1, a key; 2, a key and a value.
 */
#ifndef MERGE_SORT_ELEMENTS_CUH
#define MERGE_SORT_ELEMENTS_CUH

#if WORDS == 2
typedef uint2 element; /* key, value */
#else
typedef unsigned element;
#endif

static __device__ __forceinline__ unsigned key_of(unsigned key)
{
    return key;
}

static __device__ __forceinline__ unsigned key_of(uint2 pair)
{
    return pair.x;
}

/* One of two, without a branch. */
static __device__ __forceinline__ unsigned choose(bool first, unsigned a, unsigned b)
{
    return first ? a : b;
}

static __device__ __forceinline__ uint2 choose(bool first, uint2 a, uint2 b)
{
    return make_uint2(first ? a.x : b.x, first ? a.y : b.y);
}

/* Behind all others, if behind those with the same key. */
static __device__ __forceinline__ element last_element()
{
#if WORDS == 2
    return make_uint2(0xffffffffu, 0);
#else
    return 0xffffffffu;
#endif
}

struct input {
    const unsigned *__restrict__ keys;
    const unsigned *__restrict__ values;

    __device__ __forceinline__ element operator[](unsigned i) const
    {
#if WORDS == 2
        return make_uint2(keys[i], values[i]);
#else
        return keys[i];
#endif
    }
};

struct output {
    unsigned *__restrict__ keys;
    unsigned *__restrict__ values;

    __device__ __forceinline__ void put(unsigned i, element e) const
    {
#if WORDS == 2
        keys[i] = e.x;
        values[i] = e.y;
#else
        keys[i] = e;
#endif
    }
};

/* Two neighbouring runs that become one: a, from `first` on, and b behind it. Of n elements the last run is shorter.
 */
struct run_pair {
    unsigned first, a_length, b_length;

    __device__ __forceinline__ run_pair(unsigned number, unsigned run, unsigned n)
    {
        first = min(number * (2 * run), n);
        a_length = min(run, n - first);
        b_length = min(run, n - first - a_length);
    }
    __device__ __forceinline__ unsigned b() const
    {
        return first + a_length;
    }
    __device__ __forceinline__ unsigned length() const
    {
        return a_length + b_length;
    }
};

#endif

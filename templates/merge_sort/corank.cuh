/* SPDX-License-Identifier: Apache-2.0 */
/*
 * corank.cuh - where to divide two sorted sequences so that what stands before makes the first k elements of their
 * merge (C. Siebert and J. Träff, "Perfectly load-balanced, optimal, stable, parallel merge", 2013; also known as
 * merge path). An element of a comes before one of b with the same key: that makes a sort stable.
 */
#ifndef MERGE_SORT_CORANK_CUH
#define MERGE_SORT_CORANK_CUH

#include "elements.cuh"

/*
 * How many of the first k come from a; the others, k minus that, from b. `a(i)` and `b(j)` are their keys. Binary
 * search: i is too small as long as the a(i) that would not be taken belongs before the last of b that would.
 */
template <class A, class B>
static __device__ __forceinline__ unsigned corank(unsigned k, A a, unsigned a_length, B b, unsigned b_length)
{
    unsigned low = k > b_length ? k - b_length : 0, high = min(k, a_length);
    while (low < high) {
        unsigned i = (low + high) / 2;
        if (a(i) <= b(k - 1 - i))
            low = i + 1;
        else
            high = i;
    }
    return low;
}

/* The keys of elements one after the other. */
template <class T> struct keys_from {
    const T *at;

    __device__ __forceinline__ unsigned operator()(unsigned i) const
    {
        return key_of(at[i]);
    }
};

#endif

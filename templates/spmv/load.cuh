/* SPDX-License-Identifier: Apache-2.0 */
/*
 * load.cuh - an element of the matrix, which is used once.
 *
 *   STREAM  1: the load says so, and the caches replace it before x.
 */
#ifndef SPMV_LOAD_CUH
#define SPMV_LOAD_CUH

template <class T> static __device__ __forceinline__ T load_once(const T *from)
{
#if STREAM
    return __ldcs(from);
#else
    return __ldg(from);
#endif
}

#endif

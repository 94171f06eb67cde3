/* SPDX-License-Identifier: Apache-2.0 */
/*
 * own_vertex.cuh - which threads a vertex has, or whatever else they share: THREADS that follow each other.
 *
 *   THREADS  threads a vertex, a power of two up to 32. Many read a long list in whole lines, and are idle at a short one.
 */
#ifndef BFS_OWN_VERTEX_CUH
#define BFS_OWN_VERTEX_CUH

static_assert(THREADS >= 1 && THREADS <= 32 && (THREADS & (THREADS - 1)) == 0, "a warp has whole vertices");

static __device__ __forceinline__ long long own_vertex()
{
    return ((long long)blockIdx.x * blockDim.x + threadIdx.x) / THREADS;
}

/* Which of them this thread is. */
static __device__ __forceinline__ int own_part() { return threadIdx.x % THREADS; }

#endif

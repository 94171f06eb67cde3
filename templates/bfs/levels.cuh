/* SPDX-License-Identifier: Apache-2.0 */
/*
 * levels.cuh - the levels that vertices have so far, while other threads find out more of them.
 *
 * Accesses are relaxed ones to the L2 cache: each is of a whole word, and no order of two of them matters.
 */
#ifndef BFS_LEVELS_CUH
#define BFS_LEVELS_CUH

enum { UNREACHED = -1 };

static __device__ __forceinline__ int peek(const int *word)
{
#ifdef __CUDA_ARCH__
    int value;
    asm volatile("ld.relaxed.gpu.global.s32 %0, [%1];" : "=r"(value) : "l"(word));
    return value;
#else
    return __atomic_load_n(word, __ATOMIC_RELAXED);
#endif
}

static __device__ __forceinline__ void put(int *word, int value)
{
#ifdef __CUDA_ARCH__
    asm volatile("st.relaxed.gpu.global.s32 [%0], %1;" ::"l"(word), "r"(value) : "memory");
#else
    __atomic_store_n(word, value, __ATOMIC_RELAXED);
#endif
}

/* Reach vertex v. Of all threads that try, one is told that it did; those that come late cost no atomic. */
static __device__ __forceinline__ bool claim(int *levels, int v, int level)
{
    return peek(&levels[v]) == UNREACHED && atomicCAS(&levels[v], UNREACHED, level) == UNREACHED;
}

/* For all threads of a block: the level has vertices if any of them has found one. */
static __device__ __forceinline__ void tell(int *grown, bool found)
{
    if (__syncthreads_or(found) && threadIdx.x == 0)
        put(grown, 1);
}

static __device__ __forceinline__ void start_levels(int *levels, int source, int vertices)
{
    int v = blockIdx.x * blockDim.x + threadIdx.x;
    if (v < vertices)
        levels[v] = v == source ? 0 : UNREACHED;
}

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * async_copy.cuh - copies from global to shared memory that run on their own (cp.async, compute capability 8.0).
 *
 * A plain load brings its value to a register, from where a store takes it to shared memory: the thread waits, and the
 * register is taken all the while. An asynchronous copy takes neither. Copies are counted in groups: `async_commit`
 * closes a group, `async_wait<N>` waits until at most the last N groups are under way. Each thread waits for its own
 * copies; that those of other threads have arrived takes a barrier as well.
 *
 * A copy that is not `inside` writes zeros and reads nothing. On older GPUs and on the CPU device the copy is a load
 * and a store, done at once.
 */
#ifndef GEMM_ASYNC_COPY_CUH
#define GEMM_ASYNC_COPY_CUH

#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
#define ASYNC_COPY 1
#endif

/* FLOATS (1 or 4) floats; both addresses are multiples of their size. */
template <int FLOATS> static __device__ __forceinline__ void copy_async(float *to, const float *from, bool inside)
{
#ifdef ASYNC_COPY
    unsigned at = (unsigned)__cvta_generic_to_shared(to);
    if (FLOATS == 4)
        asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(at), "l"(from), "r"(inside ? 16 : 0));
    else
        asm volatile("cp.async.ca.shared.global [%0], [%1], 4, %2;" ::"r"(at), "l"(from), "r"(inside ? 4 : 0));
#else
#pragma unroll
    for (int i = 0; i < FLOATS; i++)
        to[i] = inside ? from[i] : 0.0f;
#endif
}

static __device__ __forceinline__ void async_commit()
{
#ifdef ASYNC_COPY
    asm volatile("cp.async.commit_group;" ::: "memory");
#endif
}

template <int GROUPS> static __device__ __forceinline__ void async_wait()
{
#ifdef ASYNC_COPY
    asm volatile("cp.async.wait_group %0;" ::"n"(GROUPS) : "memory");
#endif
}

#endif

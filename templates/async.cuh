/* SPDX-License-Identifier: Apache-2.0 */
/*
 * async.cuh - copies from global to shared memory that pass no register and that nobody waits for (cp.async, from
 * compute capability 8.0). Elsewhere the copy is an ordinary one and complete at once, which is right as well.
 *
 * Copies are issued, closed as a group by copies_commit, and awaited by copies_wait<N>: all groups but the last N have
 * arrived, for the thread that issued them; others see them after a barrier. `inside` false stores zeros and reads
 * nothing.
 */
#ifndef TEMPLATES_ASYNC_CUH
#define TEMPLATES_ASYNC_CUH

#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
#define ASYNC_COPIES 1
#else
#define ASYNC_COPIES 0
#endif

static __device__ __forceinline__ void copy1(float *to, const float *from, bool inside)
{
#if ASYNC_COPIES
    asm volatile("cp.async.ca.shared.global [%0], [%1], 4, %2;" ::"r"((unsigned)__cvta_generic_to_shared(to)),
                 "l"(from), "r"(inside ? 4 : 0));
#else
    *to = inside ? *from : 0.0f;
#endif
}

/* Four floats; both addresses are multiples of 16 bytes. */
static __device__ __forceinline__ void copy4(float *to, const float *from, bool inside)
{
#if ASYNC_COPIES
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"((unsigned)__cvta_generic_to_shared(to)),
                 "l"(from), "r"(inside ? 16 : 0));
#else
    *(float4 *)to = inside ? *(const float4 *)from : make_float4(0.0f, 0.0f, 0.0f, 0.0f);
#endif
}

static __device__ __forceinline__ void copies_commit()
{
#if ASYNC_COPIES
    asm volatile("cp.async.commit_group;" ::: "memory");
#endif
}

template <int PENDING> static __device__ __forceinline__ void copies_wait()
{
#if ASYNC_COPIES
    asm volatile("cp.async.wait_group %0;" ::"n"(PENDING) : "memory");
#endif
}

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * bulk_copy.cuh - asynchronous copies from global into shared memory by the copy engine of a multiprocessor.
 *
 * One thread starts a copy of any number of bytes, a multiple of 16 between addresses that are too, and no register holds
 * what is under way. A barrier in shared memory counts what has arrived: each phase of it ends when all that take part
 * have named the bytes that they expect, and these have come. (PTX ISA, cp.async.bulk and mbarrier: sm_90 and later.)
 *
 * Without the engine, on the CPU device, a copy is done when it is started, and waiting is a barrier of the block: all of
 * its threads must wait at the same place.
 */
#ifndef TEMPLATES_BULK_COPY_CUH
#define TEMPLATES_BULK_COPY_CUH

#ifdef __CUDA_ARCH__
static __device__ __forceinline__ unsigned bulk_shared(const void *address)
{
    return (unsigned)__cvta_generic_to_shared(address);
}
#endif

/* By one thread, and a barrier of the block before anybody uses it. */
static __device__ __forceinline__ void bulk_init(unsigned long long *barrier, int threads)
{
#ifdef __CUDA_ARCH__
    asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(bulk_shared(barrier)), "r"(threads) : "memory");
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory"); /* visible to the copy engine */
#else
    (void)barrier, (void)threads;
#endif
}

/* By each of the threads that take part, once a phase: so many bytes will come from what this thread starts. */
static __device__ __forceinline__ void bulk_expect(unsigned long long *barrier, int bytes)
{
#ifdef __CUDA_ARCH__
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(bulk_shared(barrier)), "r"(bytes)
                 : "memory");
#else
    (void)barrier, (void)bytes;
#endif
}

static __device__ __forceinline__ void bulk_copy(float *to, const float *from, int bytes, unsigned long long *barrier)
{
#ifdef __CUDA_ARCH__
    asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(
                     bulk_shared(to)),
                 "l"(__cvta_generic_to_global(from)), "r"(bytes), "r"(bulk_shared(barrier))
                 : "memory");
#else
    for (int i = 0; i < bytes / 4; i++)
        to[i] = from[i];
    (void)barrier;
#endif
}

/* Until the phase ends that began with `phase` others before it. */
static __device__ __forceinline__ void bulk_wait(unsigned long long *barrier, int phase)
{
#ifdef __CUDA_ARCH__
    unsigned done = 0;
    while (!done)
        asm volatile("{\n"
                     "    .reg .pred p;\n"
                     "    mbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2;\n"
                     "    selp.u32 %0, 1, 0, p;\n"
                     "}"
                     : "=r"(done)
                     : "r"(bulk_shared(barrier)), "r"(phase & 1)
                     : "memory");
#else
    (void)barrier, (void)phase;
    __syncthreads();
#endif
}

#endif

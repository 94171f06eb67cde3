/* SPDX-License-Identifier: Apache-2.0 */
/*
 * meeting.cuh - where more threads than those of a block wait for each other: all blocks of a cooperative launch, or of a
 * cluster (sm_90 and later). What cooperative_groups' this_grid() and this_cluster() do, without that header: NVRTC needs
 * 0.7 s for it and 0.05 s for a kernel of these, which counts where thousands of them are compiled.
 *
 * What a thread has written before a meeting, all others see after it. The CPU device has cooperative_groups only.
 */
#ifndef TEMPLATES_MEETING_CUH
#define TEMPLATES_MEETING_CUH

#ifndef __CUDA_ARCH__
#include <cooperative_groups.h>
#endif

/*
 * By all threads of all blocks, of one dimension. `gate` is 0 before the first meeting. Its highest bit tells one meeting
 * from the next: it changes when all have come, since what they add is 2^31 in all. (To begin at 0 again for each meeting
 * would need a second one.)
 */
static __device__ __forceinline__ void meet_all_blocks(unsigned *gate)
{
#ifdef __CUDA_ARCH__
    __syncthreads();
    if (threadIdx.x == 0) {
        unsigned own = blockIdx.x == 0 ? 0x80000000u - (gridDim.x - 1) : 1, before, now;
        asm volatile("atom.add.acq_rel.gpu.global.u32 %0, [%1], %2;" : "=r"(before) : "l"(gate), "r"(own) : "memory");
        do
            asm volatile("ld.acquire.gpu.global.u32 %0, [%1];" : "=r"(now) : "l"(gate) : "memory");
        while (((now ^ before) & 0x80000000u) == 0);
    }
    __syncthreads();
#else
    (void)gate;
    cooperative_groups::this_grid().sync();
#endif
}

/* By all threads of the cluster. */
static __device__ __forceinline__ void meet_cluster()
{
#ifdef __CUDA_ARCH__
    asm volatile("barrier.cluster.arrive.release.aligned;\n\tbarrier.cluster.wait.acquire.aligned;" ::: "memory");
#else
    cooperative_groups::this_cluster().sync();
#endif
}

/* Which block of its cluster this one is. */
static __device__ __forceinline__ unsigned rank_in_cluster()
{
#ifdef __CUDA_ARCH__
    unsigned rank;
    asm("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
    return rank;
#else
    return cooperative_groups::this_cluster().block_rank();
#endif
}

/* Where block `rank` of the cluster has what this one has at `address` of its shared memory. */
static __device__ __forceinline__ unsigned *shared_of_rank(unsigned *address, unsigned rank)
{
#ifdef __CUDA_ARCH__
    unsigned *there;
    asm("mapa.u64 %0, %1, %2;" : "=l"(there) : "l"(address), "r"(rank));
    return there;
#else
    return cooperative_groups::this_cluster().map_shared_rank(address, rank);
#endif
}

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * three_phase.cu - a prefix sum in sections of several values a thread, in three phases: a thread scans the values of
 * its own, one after the other; the threads' totals are scanned; each thread adds the total before it.
 *
 * A thread's values are neighbours, which would make poor use of memory; so neighbouring threads bring neighbouring
 * values to shared memory, where each finds its own (corner turning), and the results go back the same way. Only one
 * value a thread takes part in a scan with barriers: n - 1 additions, then BLOCK log2(BLOCK), then n. A section is as
 * long as shared memory allows, not as a block has threads.
 *
 *   BLOCK   threads of a block, a power of two.
 *   ITEMS   values of a thread.
 *   SCAN    how the threads' totals are scanned; see kinds.cuh.
 *   PAD     1: a word is left out after every 32, so that the values of a warp's threads lie in different banks
 *           whatever ITEMS is; 0: with ITEMS = 16, up to 16 share one.
 *   VECTOR is 1.
 *
 * Limit: shared memory, through which each value passes several times. Across sections see three_kernels.cuh.
 */
#include "kinds.cuh"

enum { SECTION = BLOCK * ITEMS };

struct section {
    element before; /* the threads' before this one */
};

static __device__ __forceinline__ element &value_at(int i)
{
    extern __shared__ element values[];
    return values[PAD ? i + i / 32 : i];
}

/* As whole_section.cuh has them. Here the shared memory has inclusive sums of each thread's own values. */
template <bool> static __device__ __forceinline__ element scan_section(section &own, const element *from, int count)
{
#pragma unroll
    for (int i = 0; i < ITEMS; i++) {
        int at = i * BLOCK + threadIdx.x;
        value_at(at) = at < count ? from[at] : 0;
    }
    __syncthreads();
    int first = threadIdx.x * ITEMS;
    element sum = 0;
#pragma unroll
    for (int i = 0; i < ITEMS; i++)
        value_at(first + i) = sum += value_at(first + i);
    element total;
    own.before = before_thread(sum, total);
    return total;
}

template <bool EXCLUSIVELY>
static __device__ __forceinline__ void store_section(const section &own, element *to, int count, element before)
{
    int first = threadIdx.x * ITEMS;
#pragma unroll
    for (int i = 0; i < ITEMS; i++)
        value_at(first + i) += own.before;
    __syncthreads();
#pragma unroll
    for (int i = 0; i < ITEMS; i++) {
        int at = i * BLOCK + threadIdx.x;
        int upto = EXCLUSIVELY ? at - 1 : at;
        if (at < count)
            to[at] = before + (upto < 0 ? 0 : value_at(upto));
    }
}

#include "three_kernels.cuh"

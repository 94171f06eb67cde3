/* SPDX-License-Identifier: Apache-2.0 */
/*
 * whole_section.cuh - a section of the input that is scanned in shared memory as it is: SECTION values, SECTION / BLOCK
 * a thread, which are BLOCK apart so that neighbouring threads read and write neighbouring values.
 *
 * A variant includes a scan_in_place of shared memory before this, and says how long a section is.
 */
#ifndef SCAN_WHOLE_SECTION_CUH
#define SCAN_WHOLE_SECTION_CUH

#include "element.cuh"

struct section {
    const element *sums; /* in shared memory, inclusive */
};

/* By all threads: scan `count` values. Returns their total, in all threads. */
template <bool> static __device__ __forceinline__ element scan_section(section &own, const element *from, int count)
{
    __shared__ element values[SCAN_ROOM(SECTION)];
#pragma unroll
    for (int i = threadIdx.x; i < SECTION; i += BLOCK)
        values[i] = i < count ? from[i] : 0;
    own.sums = scan_in_place<SECTION>(values);
    return own.sums[SECTION - 1];
}

/* By all threads: write the results, to each of which `before` is added. A barrier must follow before the next scan. */
template <bool EXCLUSIVELY>
static __device__ __forceinline__ void store_section(const section &own, element *to, int count, element before)
{
#pragma unroll
    for (int i = threadIdx.x; i < SECTION; i += BLOCK) {
        int upto = EXCLUSIVELY ? i - 1 : i;
        if (i < count)
            to[i] = before + (upto < 0 ? 0 : own.sums[upto]);
    }
}

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * three_kernels.cuh - a scan of any length from scans of sections, in three kernels:
 *   scan_sections   a block scans a section and stores its total;
 *   scan_totals     a single block scans the totals, section by section, and carries the sum on;
 *   add_totals      each value takes in the total of all sections before its own.
 * That one kernel has ended before the next one begins is the synchronisation between blocks.
 *
 * The including file has struct section, scan_section() and store_section(). scan_upper is for hierarchical.cu.
 *
 * Limit: the results are written, read again and written again: 16 bytes an element where 8 would do.
 */
#ifndef SCAN_THREE_KERNELS_CUH
#define SCAN_THREE_KERNELS_CUH

template <bool EXCLUSIVELY>
static __device__ __forceinline__ void scan_one(const element *from, element *to, element *totals, long long n)
{
    section own;
    long long first = (long long)blockIdx.x * SECTION;
    int count = (int)min(n - first, (long long)SECTION);
    element total = scan_section<EXCLUSIVELY>(own, from + first, count);
    store_section<EXCLUSIVELY>(own, to + first, count, 0);
    if (threadIdx.x == 0)
        totals[blockIdx.x] = total;
}

__global__ void __launch_bounds__(BLOCK)
    scan_sections(const element *__restrict__ x, element *__restrict__ y, element *__restrict__ totals, long long n)
{
    scan_one<EXCLUSIVE>(x, y, totals, n);
}

/* Totals themselves, in place. */
__global__ void __launch_bounds__(BLOCK) scan_upper(element *totals, element *upper, long long count)
{
    scan_one<false>(totals, totals, upper, count);
}

__global__ void __launch_bounds__(BLOCK) scan_totals(element *totals, long long count)
{
    element before = 0;
    for (long long first = 0; first < count; first += SECTION) {
        section own;
        int here = (int)min(count - first, (long long)SECTION);
        element total = scan_section<false>(own, totals + first, here);
        store_section<false>(own, totals + first, here, before);
        before += total;
        __syncthreads();
    }
}

/* Block b has section b + 1: the first one is right already. */
__global__ void __launch_bounds__(BLOCK)
    add_totals(element *__restrict__ y, const element *__restrict__ totals, long long n)
{
    long long first = (blockIdx.x + 1ll) * SECTION;
    int count = (int)min(n - first, (long long)SECTION);
    element before = totals[blockIdx.x];
    element *to = y + first;
    for (int i = threadIdx.x * VECTOR; i < count; i += BLOCK * VECTOR) {
        element values[VECTOR];
        if (i + VECTOR <= count) {
            load_pack<VECTOR>(values, to + i);
#pragma unroll
            for (int v = 0; v < VECTOR; v++)
                values[v] += before;
            store_pack<VECTOR>(to + i, values, false);
        } else {
            for (int last = i; last < count; last++)
                to[last] += before;
        }
    }
}

#endif

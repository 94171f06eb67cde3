/* SPDX-License-Identifier: Apache-2.0 */
/*
 * sorting.cuh - dynamic bins: each as long as it has atoms, one behind the other, without dummies.
 *
 *   count_atoms     an atom's place within its bin is what the bin's counter was when the atom was added to it.
 *   add_sections    how many atoms each section of the bins has,
 *   find_starts     and from that, by a prefix sum, where each bin starts.
 *   place_atoms     copies each atom to its bin's start plus its place.
 *
 * Bins that follow each other along x follow each other in memory, so the atoms of a row of bins are one piece.
 *
 * With a CAPACITY, atoms beyond it go to an overflow list at the end of the same memory, which keeps a crowded bin from
 * holding up its neighbours' blocks (surplus.cuh). 0: bins hold what there is.
 */
#ifndef DCS_CUTOFF_SORTING_CUH
#define DCS_CUTOFF_SORTING_CUH

#include "../sums.cuh"

#if CAPACITY
#include "surplus.cuh"
#else
#include "volume.cuh"
#endif

enum {
    SUMMING = 256,            /* threads */
    EACH = 4,                 /* bins of a thread */
    SECTION = SUMMING * EACH, /* bins of a block */
};

/* `places`: -1 of an atom that is in no bin. The counter behind those of the bins is the overflow list's. */
__global__ void count_atoms(const float4 *__restrict__ atoms, float4 *__restrict__ list, unsigned *counts, int *places,
                            int count, grid given)
{
    volume all = volume_of(given);
    int n = blockIdx.x * blockDim.x + threadIdx.x;
    if (n >= count)
        return;
    float4 atom = atoms[n];
    int place = -1; /* an atom without charge adds nothing */
    if (atom.w != 0.0f)
        place = (int)atomicAdd(&counts[bin_of(atom, all)], 1u);
#if CAPACITY
    if (place >= CAPACITY) {
        add_to_list(list, &counts[bin_count(all)], atom);
        place = -1;
    }
#else
    (void)list;
#endif
    places[n] = place;
}

static __device__ __forceinline__ unsigned bin_length(const unsigned *counts, int bin, int bins)
{
    unsigned length = bin < bins ? counts[bin] : 0;
#if CAPACITY
    length = min(length, (unsigned)CAPACITY);
#endif
    return length;
}

__global__ void add_sections(const unsigned *__restrict__ counts, unsigned *__restrict__ sections, int bins)
{
    unsigned sum = 0;
#pragma unroll
    for (int n = 0; n < EACH; n++)
        sum += bin_length(counts, blockIdx.x * SECTION + n * SUMMING + threadIdx.x, bins);
    sum = sum_up_to<SUMMING>(sum);
    if (threadIdx.x == SUMMING - 1)
        sections[blockIdx.x] = sum;
}

/* `starts` has one element more than there are bins: where the last one ends. */
__global__ void find_starts(const unsigned *__restrict__ counts, const unsigned *__restrict__ sections,
                            unsigned *__restrict__ starts, int bins)
{
    __shared__ unsigned sum_before;
    unsigned before = 0, own = 0, lengths[EACH];
    for (int section = threadIdx.x; section < blockIdx.x; section += SUMMING)
        before += sections[section];
    before = sum_up_to<SUMMING>(before);
    if (threadIdx.x == SUMMING - 1)
        sum_before = before;
    int first = blockIdx.x * SECTION + threadIdx.x * EACH;
#pragma unroll
    for (int n = 0; n < EACH; n++) {
        lengths[n] = bin_length(counts, first + n, bins);
        own += lengths[n];
    }
    unsigned start = sum_up_to<SUMMING>(own) - own + sum_before; /* sum_before is there after sum_up_to's barriers */
#pragma unroll
    for (int n = 0; n < EACH; n++) {
        if (first + n <= bins)
            starts[first + n] = start;
        start += lengths[n];
    }
}

__global__ void place_atoms(const float4 *__restrict__ atoms, const int *__restrict__ places,
                            const unsigned *__restrict__ starts, float4 *__restrict__ sorted, int count, grid given)
{
    volume all = volume_of(given);
    int n = blockIdx.x * blockDim.x + threadIdx.x;
    if (n >= count || places[n] < 0)
        return;
    float4 atom = atoms[n];
    sorted[starts[bin_of(atom, all)] + places[n]] = atom;
}

#endif

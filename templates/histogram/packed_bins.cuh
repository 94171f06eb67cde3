/* SPDX-License-Identifier: Apache-2.0 */
/*
 * packed_bins.cuh - several counters in a word of shared memory, so that the bins of 16-bit samples fit: 65,536
 * counters of 16 bits take 128 KiB. The bins may be divided among the blocks of a cluster, as in cluster.cu.
 *
 *   COUNTER  bits of a counter: 8, 16 or 32.
 *   LAYOUT   adjacent: neighbouring bins share a word. split: bins far apart do.
 *   COPIES   private copies of all bins; thread t counts in copy t % COPIES.
 *   CLUSTER  blocks that share the bins: bin b belongs to block b % CLUSTER, as its bin b / CLUSTER.
 *
 * A counter may pass its end: it goes on from 0, and carries into the counter above it in the word. Nothing has to be
 * undone. Whoever adds sees the word as it was before, and so knows by how much each of its counters has changed, and
 * by how much it should have: the difference goes to the bins in global memory. For each counter these differences
 * and what is left in it at the end add up to all that was added, whatever the order; in the bins, modulo 2^32. So an
 * addition is one atomic operation, and a counter of w bits is corrected once in 2^w samples of its bin.
 */
#ifndef HISTOGRAM_PACKED_BINS_CUH
#define HISTOGRAM_PACKED_BINS_CUH

#include "runs.cuh"

#define PER_WORD   (32 / COUNTER)
#define OWN_BINS   (BINS / CLUSTER)
#define COPY_WORDS (OWN_BINS / PER_WORD)
#define MOST_COUNT (COUNTER == 32 ? 0xffffffffu : (1u << COUNTER % 32) - 1)

/* Where a bin is counted: in which of its block's words, and from which bit on. */
struct bin_place {
    unsigned word, shift;
};

/* `own`: the bin's number among those of its block; and the other way round. */
static __device__ __forceinline__ bin_place place_of(unsigned own)
{
#if LAYOUT_split
    return {own % COPY_WORDS, own / COPY_WORDS * COUNTER};
#else
    return {own / PER_WORD, own % PER_WORD * COUNTER};
#endif
}

static __device__ __forceinline__ unsigned bin_at(bin_place place)
{
#if LAYOUT_split
    return place.shift / COUNTER * COPY_WORDS + place.word;
#else
    return place.word * PER_WORD + place.shift / COUNTER;
#endif
}

static __device__ __forceinline__ unsigned counter_in(unsigned word, unsigned shift)
{
    return word >> shift & MOST_COUNT;
}

/* Zeros, by all threads of a block; a barrier must follow. */
static __device__ __forceinline__ void clear_words(unsigned *words)
{
    for (int i = threadIdx.x; i < COPIES * COPY_WORDS; i += BLOCK)
        words[i] = 0;
}

/* To the bins in global memory, those of block `rank`; by all threads of it, behind a barrier. */
static __device__ __forceinline__ void merge_words(const unsigned *words, unsigned rank, unsigned *__restrict__ bins)
{
    for (int i = threadIdx.x; i < COPY_WORDS; i += BLOCK)
#pragma unroll
        for (unsigned shift = 0; shift < 32; shift += COUNTER) {
            unsigned count = 0;
            for (int copy = 0; copy < COPIES; copy++)
                count += counter_in(words[copy * COPY_WORDS + i], shift);
            if (count > 0)
                atomicAdd(bins + (bin_at({(unsigned)i, shift}) * CLUSTER + rank), count);
        }
}

/* Seldom: what counters lack after a bin's has passed its end, if the word was `before`. */
static __device__ __noinline__ void correct_bins(unsigned *bins, unsigned bin, unsigned before)
{
    bin_place place = place_of(bin / CLUSTER);
    atomicAdd(bins + bin, MOST_COUNT + 1);
    for (place.shift += COUNTER; place.shift < 32; place.shift += COUNTER) {
        bool passed = counter_in(before, place.shift) == MOST_COUNT;
        atomicAdd(bins + (bin_at(place) * CLUSTER + bin % CLUSTER), passed ? MOST_COUNT : 0xffffffffu);
        if (!passed)
            break;
    }
}

/* `words(rank)` is where the own copy of the words of a block of the cluster begins. */
template <class WORDS> struct packed_bins {
    WORDS words;
    unsigned *bins;

    /* Returns the word as it was before. */
    __device__ __forceinline__ unsigned put(unsigned bin, unsigned count)
    {
        bin_place place = place_of(bin / CLUSTER);
        return atomicAdd(words(bin % CLUSTER) + place.word, count << place.shift);
    }
    __device__ __forceinline__ bool overflows(unsigned bin, unsigned count, unsigned before)
    {
        return counter_in(before, place_of(bin / CLUSTER).shift) + count > MOST_COUNT;
    }
    /* At most MOST_COUNT. */
    __device__ __forceinline__ void add(unsigned bin, unsigned count)
    {
        if (COUNTER == 32) {
            put(bin, count);
        } else {
            unsigned before = put(bin, count);
            if (overflows(bin, count, before))
                correct_bins(bins, bin, before);
        }
    }
};

/* All additions of a vector are under way before the first is looked at. */
template <class WORDS> struct packed_samples {
    packed_bins<WORDS> table;

    __device__ __forceinline__ void vector(const sample_vector &v)
    {
        if (COUNTER == 32) {
#pragma unroll
            for (int i = 0; i < VECTOR; i++)
                table.add(v[i], 1);
            return;
        }
        unsigned before[VECTOR];
        bool any = false;
#pragma unroll
        for (int i = 0; i < VECTOR; i++)
            before[i] = table.put(v[i], 1);
#pragma unroll
        for (int i = 0; i < VECTOR; i++)
            any |= table.overflows(v[i], 1, before[i]);
        if (any) {
#pragma unroll
            for (int i = 0; i < VECTOR; i++)
                if (table.overflows(v[i], 1, before[i]))
                    correct_bins(table.bins, v[i], before[i]);
        }
    }
    __device__ __forceinline__ void one(unsigned bin)
    {
        table.add(bin, 1);
    }
    __device__ __forceinline__ void finish()
    {
    }
};

#if AGGREGATE
template <class WORDS> using packed_counts = runs_of_samples<packed_bins<WORDS>, MOST_COUNT>;
#else
template <class WORDS> using packed_counts = packed_samples<WORDS>;
#endif

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * samples.cuh - how the threads of a grid read the samples: common to all variants, which differ in how they count.
 *
 * Neighbouring threads load neighbouring vectors, so that a warp reads whole lines, and the grid strides over the
 * samples: it has as many blocks as the device runs at once, not as many as there are samples, so that private copies
 * are cleared and merged a few times only.
 *
 *   BLOCK   threads of a block.
 *   VECTOR  samples of a load, at most 16 bytes.
 *   ITEMS   vectors that a thread loads before it counts the first, BLOCK vectors apart.
 *   AHEAD   1: the next ITEMS vectors are loaded before these are counted, so that loads are always under way. Takes
 *           registers; several blocks a multiprocessor do the same.
 *   BITS    of a sample, 8 or 16.
 */
#ifndef HISTOGRAM_SAMPLES_CUH
#define HISTOGRAM_SAMPLES_CUH

#if BITS == 8
typedef unsigned char sample;
#else
typedef unsigned short sample;
#endif

#define BINS         (1 << BITS)
#define VECTOR_BYTES (VECTOR * BITS / 8)
#define VECTOR_WORDS ((VECTOR_BYTES + 3) / 4)

/* VECTOR samples, the first in the lowest bits. */
struct sample_vector {
    unsigned words[VECTOR_WORDS];

    __device__ __forceinline__ unsigned operator[](int i) const
    {
        constexpr int in_word = VECTOR / VECTOR_WORDS;
        return words[i / in_word] >> (i % in_word * BITS) & (BINS - 1);
    }
};

static __device__ __forceinline__ sample_vector load_samples(const sample *from)
{
#if VECTOR_BYTES == 16
    uint4 v = __ldg((const uint4 *)from);
    return {{v.x, v.y, v.z, v.w}};
#elif VECTOR_BYTES == 8
    uint2 v = __ldg((const uint2 *)from);
    return {{v.x, v.y}};
#elif VECTOR_BYTES == 4
    return {{__ldg((const unsigned *)from)}};
#elif VECTOR_BYTES == 2
    return {{__ldg((const unsigned short *)from)}};
#else
    return {{__ldg((const unsigned char *)from)}};
#endif
}

/* ITEMS vectors, BLOCK apart. */
struct sample_batch {
    sample_vector vectors[ITEMS];

    __device__ __forceinline__ void load(const sample *from)
    {
#pragma unroll
        for (int i = 0; i < ITEMS; i++)
            vectors[i] = load_samples(from + i * (BLOCK * VECTOR));
    }
};

/*
 * Every sample is counted by one thread of the grid: `counts.vector(v)` for most, `counts.one(sample)` for those at
 * the end, which fill no vector or no batch; at last counts.finish(), by every thread.
 */
template <class COUNTS>
static __device__ __forceinline__ void count_samples(const sample *__restrict__ x, long long n, COUNTS &counts)
{
    const long long vectors = n / VECTOR, step = (long long)gridDim.x * (BLOCK * ITEMS);
    const long long last = vectors - (ITEMS - 1) * BLOCK; /* a whole batch begins before this vector */
    long long at = (long long)blockIdx.x * (BLOCK * ITEMS) + threadIdx.x;

    sample_batch next;
    if (AHEAD && at < last)
        next.load(x + at * VECTOR);
    while (at < last) {
        if (!AHEAD)
            next.load(x + at * VECTOR);
        sample_batch batch = next;
        at += step;
        if (AHEAD && at < last)
            next.load(x + at * VECTOR);
#pragma unroll
        for (int i = 0; i < ITEMS; i++)
            counts.vector(batch.vectors[i]);
    }
#pragma unroll 1
    for (int i = 0; i < ITEMS && at < vectors; i++, at += BLOCK)
#pragma unroll 1
        for (int j = 0; j < VECTOR; j++)
            counts.one(x[at * VECTOR + j]);
    long long rest = vectors * VECTOR + (long long)blockIdx.x * BLOCK + threadIdx.x;
    if (rest < n)
        counts.one(x[rest]);
    counts.finish();
}

/* Each sample is counted on its own: bins.add(sample, 1). */
template <class TABLE> struct each_sample {
    TABLE table;

    __device__ __forceinline__ void vector(const sample_vector &v)
    {
#pragma unroll
        for (int i = 0; i < VECTOR; i++)
            table.add(v[i], 1);
    }
    __device__ __forceinline__ void one(unsigned bin)
    {
        table.add(bin, 1);
    }
    __device__ __forceinline__ void finish()
    {
    }
};

#endif

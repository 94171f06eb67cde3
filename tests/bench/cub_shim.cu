/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cub_shim.cu - CUB's device-wide algorithms as functions of a shared library, for cub_peers.c: CUB is a C++ template
 * library that only nvcc compiles, and most machines that build the tests have none.
 *
 * All functions have one signature. As CUB's own, they say how much temporary memory they need if `room` is NULL, and
 * else queue the work in the default stream; 0 is success. Elements are counted with an int where that is enough, which
 * is never slower than 64 bits.
 */
#include <climits>
#include <cub/device/device_radix_sort.cuh>
#include <cub/device/device_reduce.cuh>
#include <cub/device/device_scan.cuh>
#include <cub/version.cuh>

#define PEER(name)                                                                                                     \
    extern "C" int name(void *room, size_t *room_bytes, const void *from, void *to, long long count)

template <class Call> static int with_count(long long count, Call call)
{
    return count <= INT_MAX ? call((int)count) : call(count);
}

/* 300001 is 3.0.1. */
extern "C" int cub_peer_version()
{
    return CUB_VERSION;
}

#define SCAN(name, algorithm, type)                                                                                    \
    PEER(name)                                                                                                         \
    {                                                                                                                  \
        return with_count(count, [=](auto n) {                                                                         \
            return cub::DeviceScan::algorithm(room, *room_bytes, (const type *)from, (type *)to, n);                   \
        });                                                                                                            \
    }
SCAN(cub_inclusive_sum, InclusiveSum, float)
SCAN(cub_exclusive_sum, ExclusiveSum, float)
SCAN(cub_inclusive_sum_integers, InclusiveSum, unsigned)
SCAN(cub_exclusive_sum_integers, ExclusiveSum, unsigned)

#define REDUCTION(name, algorithm)                                                                                     \
    PEER(name)                                                                                                         \
    {                                                                                                                  \
        return with_count(count, [=](auto n) {                                                                         \
            return cub::DeviceReduce::algorithm(room, *room_bytes, (const float *)from, (float *)to, n);               \
        });                                                                                                            \
    }
REDUCTION(cub_sum, Sum)
REDUCTION(cub_min, Min)
REDUCTION(cub_max, Max)

/* The value, and 8 bytes behind it the index. */
#define INDEX_OF(name, algorithm)                                                                                      \
    PEER(name)                                                                                                         \
    {                                                                                                                  \
        return cub::DeviceReduce::algorithm(room, *room_bytes, (const float *)from, (float *)to, (long long *)to + 1,  \
                                            (::cuda::std::int64_t)count);                                              \
    }
INDEX_OF(cub_argmin, ArgMin)
INDEX_OF(cub_argmax, ArgMax)

/* Pairs of words, by the lowest bits of the first: both are `from`, and behind the sorted keys are their values. */
#define SORT(name, bits)                                                                                               \
    PEER(name)                                                                                                         \
    {                                                                                                                  \
        const unsigned *words = (const unsigned *)from;                                                                \
        return with_count(count, [=](auto n) {                                                                         \
            return cub::DeviceRadixSort::SortPairs(room, *room_bytes, words, (unsigned *)to, words,                    \
                                                   (unsigned *)to + count, n, 0, bits);                                \
        });                                                                                                            \
    }
SORT(cub_sort_pairs_16, 16)
SORT(cub_sort_pairs_24, 24)
SORT(cub_sort_pairs_32, 32)

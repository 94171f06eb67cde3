/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cub_counting.cu - CUB's histograms and merge sorts as functions of C, and the inputs of the templates `histogram` and
 * `merge_sort`, made by their own kernels. counting_against_cub.sh makes it a library, which cub_counting.c opens:
 *     nvcc -O3 -arch=native -I. -shared -Xcompiler -fPIC -o libcub_counting.so tests/bench/cub_counting.cu
 *
 * All return a cudaError_t. With room = NULL the sizes of temporary memory are found and nothing else is done.
 */
#include <cub/device/device_histogram.cuh>
#include <cub/device/device_merge_sort.cuh>
#include <cub/version.cuh>
#include <cuda/std/functional>

#include "templates/hash.cuh"
#include "templates/merge_sort/setup.cu"

namespace bits8 {
#define BITS 8
#include "templates/histogram/setup.cu"
#undef BITS
}
namespace bits16 {
#define BITS 16
#include "templates/histogram/setup.cu"
#undef BITS
}

extern "C" int cub_version(void)
{
    return CUB_VERSION;
}

extern "C" int cub_make_samples(const unsigned *random, void *samples, long long n, int bits, int shape)
{
    unsigned blocks = (unsigned)((n + 255) / 256);
    if (bits == 8)
        bits8::make_samples<<<blocks, 256>>>(random, (unsigned char *)samples, n, shape);
    else
        bits16::make_samples<<<blocks, 256>>>(random, (unsigned char *)samples, n, shape);
    return cudaDeviceSynchronize();
}

extern "C" int cub_make_keys(const unsigned *random, unsigned *keys, long long n, int shape)
{
    make_keys<<<(unsigned)((n + 255) / 256), 256>>>(random, keys, n, shape);
    return cudaDeviceSynchronize();
}

extern "C" int cub_histogram(void *room, size_t *bytes, const void *samples, unsigned *bins, int n, int bits)
{
    if (bits == 8)
        return cub::DeviceHistogram::HistogramEven(room, *bytes, (const unsigned char *)samples, bins, 257, 0, 256, n);
    return cub::DeviceHistogram::HistogramEven(room, *bytes, (const unsigned short *)samples, bins, 65537, 0, 65536, n);
}

/* values = NULL: keys alone. */
extern "C" int cub_merge_sort(void *room, size_t *bytes, const unsigned *keys, const unsigned *values,
                              unsigned *sorted_keys, unsigned *sorted_values, long long n)
{
    if (!values)
        return cub::DeviceMergeSort::SortKeysCopy(room, *bytes, keys, sorted_keys, n, cuda::std::less<>());
    return cub::DeviceMergeSort::SortPairsCopy(room, *bytes, keys, values, sorted_keys, sorted_values, n,
                                               cuda::std::less<>());
}

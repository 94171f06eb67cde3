/* SPDX-License-Identifier: Apache-2.0 */
/* cub/block/block_histogram.cuh - counts how often each value from 0 to bins - 1 is among the items of a block. */
#ifndef TUNE_CUB_BLOCK_HISTOGRAM
#define TUNE_CUB_BLOCK_HISTOGRAM
#include <tune/collective.hpp>
namespace cub {

enum BlockHistogramAlgorithm { BLOCK_HISTO_SORT, BLOCK_HISTO_ATOMIC };

template <class T, int x, int items, int bins, BlockHistogramAlgorithm algorithm = BLOCK_HISTO_SORT, int y = 1,
          int z = 1>
class BlockHistogram : tune_block<x, y, z>
{
    typedef tune_block<x, y, z> block;
    using block::rank;
    using block::sync;
    using block::threads;

  public:
    struct TempStorage : NullType {};

    __forceinline__ BlockHistogram(int line = __builtin_LINE()) : block(line) {}
    __forceinline__ BlockHistogram(TempStorage &, int line = __builtin_LINE()) : block(line) {}

    template <class counter_type> __forceinline__ void InitHistogram(counter_type histogram[bins])
    {
        for (int i = rank(); i < bins; i += threads)
            histogram[i] = 0;
    }
    template <class counter_type> __forceinline__ void Composite(T (&in)[items], counter_type histogram[bins])
    {
        for (int i = 0; i < items; i++)
            atomicAdd(histogram + (size_t)in[i], 1);
    }
    template <class counter_type> __forceinline__ void Histogram(T (&in)[items], counter_type histogram[bins])
    {
        InitHistogram(histogram);
        sync();
        Composite(in, histogram);
    }
};

}
#endif

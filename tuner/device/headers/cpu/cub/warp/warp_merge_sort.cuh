/* SPDX-License-Identifier: Apache-2.0 */
/* cub/warp/warp_merge_sort.cuh - merge_sort.hpp for each part of a warp that has `width` lanes. */
#ifndef TUNE_CUB_WARP_MERGE_SORT
#define TUNE_CUB_WARP_MERGE_SORT
#include <tune/collective.hpp>
#include <tune/merge_sort.hpp>
namespace cub {
template <class key_type, int items, int width = TUNE_WARP, class value_type = NullType>
class WarpMergeSort : public tune_merge_sort<key_type, value_type, items, tune_lanes<width>>
{
    typedef tune_merge_sort<key_type, value_type, items, tune_lanes<width>> base;

  public:
    using typename base::TempStorage;
    __forceinline__ WarpMergeSort(TempStorage &room, int line = __builtin_LINE()) : base(room, line) {}
};
}
#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* cub/block/block_merge_sort.cuh - merge_sort.hpp for the threads of a block. */
#ifndef TUNE_CUB_BLOCK_MERGE_SORT
#define TUNE_CUB_BLOCK_MERGE_SORT
#include <tune/collective.hpp>
#include <tune/merge_sort.hpp>
namespace cub {
template <class key_type, int x, int items, class value_type = NullType, int y = 1, int z = 1>
class BlockMergeSort : public tune_merge_sort<key_type, value_type, items, tune_block<x, y, z>>
{
    typedef tune_merge_sort<key_type, value_type, items, tune_block<x, y, z>> base;

  public:
    using typename base::TempStorage;
    __forceinline__ BlockMergeSort(int line = __builtin_LINE()) : base(tune_own_room<TempStorage>(), line) {}
    __forceinline__ explicit BlockMergeSort(TempStorage &room, int line = __builtin_LINE()) : base(room, line) {}
};
}
#endif

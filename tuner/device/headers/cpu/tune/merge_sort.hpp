/* SPDX-License-Identifier: Apache-2.0 */
/*
 * merge_sort.hpp - a stable sort of the items of a block or warp, blocked, by a comparison; values may go with the
 * keys. Each thread sorts its own items; then rows of sorted items are merged in pairs. Each thread finds by
 * bisection where its part of the merged row begins in both (the "merge path" of Odeh et al., IPDPSW 2012).
 */
#ifndef TUNE_MERGE_SORT
#define TUNE_MERGE_SORT
#include <cub/util_type.cuh>
#include <tune/places.hpp>
#include <type_traits>
namespace cub {

/* `threads_type` is tune_block or tune_lanes. */
template <class key_type, class value_type, int items, class threads_type>
class tune_merge_sort : protected threads_type
{
    static constexpr int tile = threads_type::threads * items;
    static_assert((threads_type::threads & (threads_type::threads - 1)) == 0,
                  "the threads of a merge sort are a power of two");
    static constexpr bool has_values = !std::is_same_v<value_type, NullType>;

  public:
    struct TempStorage {
        union {
            tune_room<key_type, tile> keys;
            tune_room<value_type, tile> values;
        };
    };

  protected:
    using threads_type::rank;
    using threads_type::sync;
    TempStorage &room;
    __forceinline__ tune_merge_sort(TempStorage &room, int line) : threads_type(line), room(room) {}

  private:
    template <class op_type>
    static __forceinline__ void sort_own(key_type (&keys)[items], value_type (&values)[items], op_type less)
    {
        for (int i = 1; i < items; i++) {
            key_type key = keys[i];
            value_type value;
            if constexpr (has_values)
                value = values[i];
            int at = i;
            for (; at > 0 && less(key, keys[at - 1]); at--) {
                keys[at] = keys[at - 1];
                if constexpr (has_values)
                    values[at] = values[at - 1];
            }
            keys[at] = key;
            if constexpr (has_values)
                values[at] = value;
        }
    }
    /* How many of the first `count` items of two merged rows are of the left one. */
    template <class op_type>
    __forceinline__ int split(int left, int left_count, int right, int right_count, int count, op_type less) const
    {
        int low = count > right_count ? count - right_count : 0, high = count < left_count ? count : left_count;
        while (low < high) {
            int middle = (low + high) / 2;
            if (less(room.keys[right + count - 1 - middle], room.keys[left + middle]))
                high = middle;
            else
                low = middle + 1;
        }
        return low;
    }
    /* Two rows of `row` items become one; `from` are the places that the items come from. */
    template <class op_type>
    __forceinline__ void merge(key_type (&keys)[items], int (&from)[items], int row, op_type less) const
    {
        int here = rank() * items, left = here / (2 * row) * (2 * row), right = left + row;
        int end = right + row, taken = split(left, row, right, row, here - left, less);
        int a = left + taken, b = right + (here - left - taken);
        for (int i = 0; i < items; i++) {
            bool take_right = a == right || (b < end && less(room.keys[b], room.keys[a]));
            from[i] = take_right ? b++ : a++;
            keys[i] = room.keys[from[i]];
        }
    }
    template <class op_type>
    __forceinline__ void sort(key_type (&keys)[items], value_type (&values)[items], op_type less)
    {
        tune_places here = tune_blocked<items>(rank());
        sort_own(keys, values, less);
        for (int row = items; row < tile; row *= 2) {
            int from[items];
            if (row > items)
                sync();
            for (int i = 0; i < items; i++)
                room.keys[here[i]] = keys[i];
            sync();
            merge(keys, from, row, less);
            if constexpr (has_values) {
                sync();
                for (int i = 0; i < items; i++)
                    room.values[here[i]] = values[i];
                sync();
                for (int i = 0; i < items; i++)
                    values[i] = room.values[from[i]];
            }
        }
    }
    __forceinline__ void fill(key_type (&keys)[items], int valid, const key_type &otherwise) const
    {
        for (int i = 0; i < items; i++) {
            if (rank() * items + i >= valid)
                keys[i] = otherwise;
        }
    }

  public:
    template <class op_type> __forceinline__ void StableSort(key_type (&keys)[items], op_type less)
    {
        value_type none[items];
        sort(keys, none, less);
    }
    template <class op_type>
    __forceinline__ void StableSort(key_type (&keys)[items], value_type (&values)[items], op_type less)
    {
        sort(keys, values, less);
    }
    template <class op_type>
    __forceinline__ void StableSort(key_type (&keys)[items], op_type less, int valid, key_type otherwise)
    {
        fill(keys, valid, otherwise);
        StableSort(keys, less);
    }
    template <class op_type, bool last = true>
    __forceinline__ void StableSort(key_type (&keys)[items], value_type (&values)[items], op_type less, int valid,
                                    key_type otherwise)
    {
        fill(keys, valid, otherwise);
        sort(keys, values, less);
    }
    template <class op_type> __forceinline__ void Sort(key_type (&keys)[items], op_type less)
    {
        StableSort(keys, less);
    }
    template <class op_type>
    __forceinline__ void Sort(key_type (&keys)[items], value_type (&values)[items], op_type less)
    {
        StableSort(keys, values, less);
    }
    template <class op_type>
    __forceinline__ void Sort(key_type (&keys)[items], op_type less, int valid, key_type otherwise)
    {
        StableSort(keys, less, valid, otherwise);
    }
    template <class op_type, bool last = true>
    __forceinline__ void Sort(key_type (&keys)[items], value_type (&values)[items], op_type less, int valid,
                              key_type otherwise)
    {
        StableSort(keys, values, less, valid, otherwise);
    }
};

}
#endif

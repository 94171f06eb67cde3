/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cub/block/block_radix_sort.cuh - sorts the keys of a block, and values with them: digit by digit, from the lowest,
 * by stable counting. The first thread counts and gives each item its place. Keys are numbers: there are no
 * decomposers.
 */
#ifndef TUNE_CUB_BLOCK_RADIX_SORT
#define TUNE_CUB_BLOCK_RADIX_SORT
#include <cub/block/block_scan.cuh>
#include <tune/places.hpp>
#include <tune/radix_order.hpp>

enum cudaSharedMemConfig {
    cudaSharedMemBankSizeDefault,
    cudaSharedMemBankSizeFourByte,
    cudaSharedMemBankSizeEightByte,
};

namespace cub {

template <class key_type, int x, int items, class value_type = NullType, int radix_bits = 4, bool memoize = true,
          BlockScanAlgorithm inner = BLOCK_SCAN_WARP_SCANS, cudaSharedMemConfig banks = cudaSharedMemBankSizeFourByte,
          int y = 1, int z = 1>
class BlockRadixSort : tune_block<x, y, z>
{
    typedef tune_block<x, y, z> block;
    using block::rank;
    using block::sync;
    using block::threads;
    static constexpr int tile = threads * items, digits = 1 << radix_bits;
    static constexpr int all_bits = 8 * sizeof(key_type);
    static_assert(tile <= 0xffff, "a tile of a radix sort has at most 65535 items");

  public:
    struct TempStorage {
        union {
            tune_room<unsigned short, tile> places; /* first the digits of the items */
            tune_room<key_type, tile> keys;
            tune_room<value_type, tile> values;
        };
    };

  private:
    TempStorage &room;
    /* Digits become places. */
    __forceinline__ void count()
    {
        unsigned int next[digits] = {}, before = 0;
        for (int i = 0; i < tile; i++)
            next[room.places[i]]++;
        for (int digit = 0; digit < digits; digit++) {
            unsigned int here = next[digit];
            next[digit] = before;
            before += here;
        }
        for (int i = 0; i < tile; i++)
            room.places[i] = (unsigned short)next[room.places[i]]++;
    }
    __forceinline__ void rank_items(const key_type (&keys)[items], int (&places)[items], int bit, int bits,
                                    bool descending)
    {
        unsigned int most = (1u << bits) - 1;
        for (int i = 0; i < items; i++) {
            unsigned int digit = unsigned(tune_radix_order(keys[i]) >> bit) & most;
            room.places[rank() * items + i] = (unsigned short)(descending ? most - digit : digit);
        }
        sync();
        if (rank() == 0)
            count();
        sync();
        for (int i = 0; i < items; i++)
            places[i] = room.places[rank() * items + i];
        sync();
    }
    template <class T, class rank_type>
    __forceinline__ void move(T (&all)[items], rank_type &there, const int (&places)[items], tune_places then)
    {
        for (int i = 0; i < items; i++)
            there[places[i]] = all[i];
        sync();
        for (int i = 0; i < items; i++)
            all[i] = there[then[i]];
    }
    static constexpr bool has_values = !std::is_same_v<value_type, NullType>;
    template <bool striped>
    __forceinline__ void sort(key_type (&keys)[items], value_type (&values)[items], int begin, int end,
                              bool descending)
    {
        for (int bit = begin;; bit += radix_bits) {
            int bits = end - bit < radix_bits ? end - bit : radix_bits, places[items];
            bool last = end - bit <= radix_bits;
            tune_places then = striped && last ? tune_striped<threads>(rank()) : tune_blocked<items>(rank());
            rank_items(keys, places, bit, bits, descending);
            move(keys, room.keys, places, then);
            if constexpr (has_values) {
                sync();
                move(values, room.values, places, then);
            }
            if (last)
                break;
            sync();
        }
    }
    template <bool striped> __forceinline__ void sort(key_type (&keys)[items], int begin, int end, bool descending)
    {
        static_assert(!has_values, "a radix sort of pairs takes keys and values");
        value_type none[items];
        sort<striped>(keys, none, begin, end, descending);
    }

  public:
    __forceinline__ BlockRadixSort(int line = __builtin_LINE()) : block(line), room(tune_own_room<TempStorage>()) {}
    __forceinline__ BlockRadixSort(TempStorage &room, int line = __builtin_LINE()) : block(line), room(room) {}

    __forceinline__ void Sort(key_type (&keys)[items], int begin = 0, int end = all_bits)
    {
        sort<false>(keys, begin, end, false);
    }
    __forceinline__ void Sort(key_type (&keys)[items], value_type (&values)[items], int begin = 0, int end = all_bits)
    {
        sort<false>(keys, values, begin, end, false);
    }
    __forceinline__ void SortDescending(key_type (&keys)[items], int begin = 0, int end = all_bits)
    {
        sort<false>(keys, begin, end, true);
    }
    __forceinline__ void SortDescending(key_type (&keys)[items], value_type (&values)[items], int begin = 0,
                                        int end = all_bits)
    {
        sort<false>(keys, values, begin, end, true);
    }
    __forceinline__ void SortBlockedToStriped(key_type (&keys)[items], int begin = 0, int end = all_bits)
    {
        sort<true>(keys, begin, end, false);
    }
    __forceinline__ void SortBlockedToStriped(key_type (&keys)[items], value_type (&values)[items], int begin = 0,
                                              int end = all_bits)
    {
        sort<true>(keys, values, begin, end, false);
    }
    __forceinline__ void SortDescendingBlockedToStriped(key_type (&keys)[items], int begin = 0, int end = all_bits)
    {
        sort<true>(keys, begin, end, true);
    }
    __forceinline__ void SortDescendingBlockedToStriped(key_type (&keys)[items], value_type (&values)[items],
                                                        int begin = 0, int end = all_bits)
    {
        sort<true>(keys, values, begin, end, true);
    }
};

}
#endif

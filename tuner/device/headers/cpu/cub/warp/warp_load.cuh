/* SPDX-License-Identifier: Apache-2.0 */
/* cub/warp/warp_load.cuh - a tile of items from memory, by each part of a warp that has `width` lanes. */
#ifndef TUNE_CUB_WARP_LOAD
#define TUNE_CUB_WARP_LOAD
#include <cub/block/block_load.cuh>
#include <cub/warp/warp_exchange.cuh>
namespace cub {

enum WarpLoadAlgorithm { WARP_LOAD_DIRECT, WARP_LOAD_STRIPED, WARP_LOAD_VECTORIZE, WARP_LOAD_TRANSPOSE };

template <class T, int items, WarpLoadAlgorithm algorithm = WARP_LOAD_DIRECT, int width = TUNE_WARP>
class WarpLoad : tune_lanes<width>
{
    typedef tune_lanes<width> lanes;
    typedef WarpExchange<T, items, width> exchange;
    using lanes::line;
    using lanes::rank;
    static constexpr bool transposes = algorithm == WARP_LOAD_TRANSPOSE;

  public:
    struct TempStorage {
        std::conditional_t<transposes, typename exchange::TempStorage, NullType> exchanged;
    };

  private:
    TempStorage &room;

  public:
    __forceinline__ WarpLoad(TempStorage &room, int line = __builtin_LINE()) : lanes(line), room(room) {}

    template <class iterator_type> __forceinline__ void Load(iterator_type from, T (&to)[items])
    {
        if constexpr (algorithm == WARP_LOAD_VECTORIZE && tune_vectorizes<T, iterator_type>)
            tune_load_vectors<T>(rank(), from, to);
        else
            Load(from, to, tune_all);
    }
    template <class iterator_type> __forceinline__ void Load(iterator_type from, T (&to)[items], int valid)
    {
        if constexpr (algorithm == WARP_LOAD_STRIPED || transposes)
            LoadDirectStriped<width>(rank(), from, to, valid);
        else
            LoadDirectBlocked(rank(), from, to, valid);
        if constexpr (transposes)
            exchange(room.exchanged, line).StripedToBlocked(to, to);
    }
    template <class iterator_type, class default_type>
    __forceinline__ void Load(iterator_type from, T (&to)[items], int valid, default_type otherwise)
    {
        tune_fill(to, otherwise);
        Load(from, to, valid);
    }
};

}
#endif

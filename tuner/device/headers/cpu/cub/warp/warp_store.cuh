/* SPDX-License-Identifier: Apache-2.0 */
/* cub/warp/warp_store.cuh - a tile of items to memory, by each part of a warp that has `width` lanes. */
#ifndef TUNE_CUB_WARP_STORE
#define TUNE_CUB_WARP_STORE
#include <cub/block/block_store.cuh>
#include <cub/warp/warp_exchange.cuh>
namespace cub {

enum WarpStoreAlgorithm { WARP_STORE_DIRECT, WARP_STORE_STRIPED, WARP_STORE_VECTORIZE, WARP_STORE_TRANSPOSE };

template <class T, int items, WarpStoreAlgorithm algorithm = WARP_STORE_DIRECT, int width = TUNE_WARP>
class WarpStore : tune_lanes<width>
{
    typedef tune_lanes<width> lanes;
    typedef WarpExchange<T, items, width> exchange;
    using lanes::line;
    using lanes::rank;
    static constexpr bool transposes = algorithm == WARP_STORE_TRANSPOSE;

  public:
    struct TempStorage {
        std::conditional_t<transposes, typename exchange::TempStorage, NullType> exchanged;
    };

  private:
    TempStorage &room;

  public:
    __forceinline__ WarpStore(TempStorage &room, int line = __builtin_LINE()) : lanes(line), room(room) {}

    template <class iterator_type> __forceinline__ void Store(iterator_type to, T (&from)[items])
    {
        if constexpr (algorithm == WARP_STORE_VECTORIZE && tune_vectorizes<T, iterator_type>)
            StoreDirectBlockedVectorized(rank(), to, from);
        else
            Store(to, from, tune_all);
    }
    template <class iterator_type> __forceinline__ void Store(iterator_type to, T (&from)[items], int valid)
    {
        if constexpr (transposes)
            exchange(room.exchanged, line).BlockedToStriped(from, from);
        if constexpr (algorithm == WARP_STORE_STRIPED || transposes)
            StoreDirectStriped<width>(rank(), to, from, valid);
        else
            StoreDirectBlocked(rank(), to, from, valid);
    }
};

}
#endif

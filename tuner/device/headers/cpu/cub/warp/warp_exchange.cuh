/* SPDX-License-Identifier: Apache-2.0 */
/* cub/warp/warp_exchange.cuh - items change lanes, within each part of a warp that has `width` lanes. */
#ifndef TUNE_CUB_WARP_EXCHANGE
#define TUNE_CUB_WARP_EXCHANGE
#include <tune/collective.hpp>
#include <tune/places.hpp>
namespace cub {

enum WarpExchangeAlgorithm { WARP_EXCHANGE_SMEM, WARP_EXCHANGE_SHUFFLE };

template <class T, int items, int width = TUNE_WARP, WarpExchangeAlgorithm algorithm = WARP_EXCHANGE_SMEM>
class WarpExchange : tune_lanes<width>
{
    typedef tune_lanes<width> lanes;
    using lanes::rank;
    using lanes::sync;

  public:
    struct TempStorage {
        tune_room<T, width * items> tile;
    };

  private:
    TempStorage &room;
    template <class other_type, class places_type>
    __forceinline__ void move(const T (&in)[items], other_type (&out)[items], const places_type &to, tune_places from)
    {
        for (int i = 0; i < items; i++)
            room.tile[int(to[i])] = in[i];
        sync();
        for (int i = 0; i < items; i++)
            out[i] = room.tile[from[i]];
    }

  public:
    __forceinline__ explicit WarpExchange(TempStorage &room, int line = __builtin_LINE()) : lanes(line), room(room) {}

    template <class other_type> __forceinline__ void BlockedToStriped(const T (&in)[items], other_type (&out)[items])
    {
        move(in, out, tune_blocked<items>(rank()), tune_striped<width>(rank()));
    }
    template <class other_type> __forceinline__ void StripedToBlocked(const T (&in)[items], other_type (&out)[items])
    {
        move(in, out, tune_striped<width>(rank()), tune_blocked<items>(rank()));
    }
    template <class other_type, class rank_type>
    __forceinline__ void ScatterToStriped(const T (&in)[items], other_type (&out)[items], rank_type (&ranks)[items])
    {
        move(in, out, ranks, tune_striped<width>(rank()));
    }
    template <class rank_type> __forceinline__ void ScatterToStriped(T (&all)[items], rank_type (&ranks)[items])
    {
        ScatterToStriped(all, all, ranks);
    }
};

}
#endif

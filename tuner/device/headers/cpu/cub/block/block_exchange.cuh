/* SPDX-License-Identifier: Apache-2.0 */
/* cub/block/block_exchange.cuh - items change threads, through shared memory. */
#ifndef TUNE_CUB_BLOCK_EXCHANGE
#define TUNE_CUB_BLOCK_EXCHANGE
#include <tune/collective.hpp>
#include <tune/places.hpp>
namespace cub {

template <class T, int x, int items, bool time_slicing = false, int y = 1, int z = 1>
class BlockExchange : tune_block<x, y, z>
{
    typedef tune_block<x, y, z> block;
    using block::rank;
    using block::sync;
    using block::threads;

  public:
    struct TempStorage {
        tune_room<T, threads * items> tile;
    };

  private:
    TempStorage &room;
    static __forceinline__ tune_places blocked() { return tune_blocked<items>(rank()); }
    static __forceinline__ tune_places striped() { return tune_striped<threads>(rank()); }
    static __forceinline__ tune_places warp_striped()
    {
        static_assert(threads < TUNE_WARP || threads % TUNE_WARP == 0, "warp striped items need whole warps");
        return threads < TUNE_WARP ? striped() : tune_warp_striped<items>(rank());
    }
    template <class places_type> __forceinline__ void put(const T (&from)[items], const places_type &to)
    {
        for (int i = 0; i < items; i++)
            room.tile[to[i]] = from[i];
    }
    template <class other_type> __forceinline__ void take(other_type (&to)[items], tune_places from)
    {
        for (int i = 0; i < items; i++)
            to[i] = room.tile[from[i]];
    }
    template <class other_type, class places_type>
    __forceinline__ void move(const T (&in)[items], other_type (&out)[items], const places_type &to, tune_places from)
    {
        put(in, to);
        sync();
        take(out, from);
    }
    /* Within each warp, which need not wait for the others. */
    template <class other_type>
    __forceinline__ void move_in_warp(const T (&in)[items], other_type (&out)[items], tune_places to,
                                      tune_places from)
    {
        put(in, to);
        __syncwarp(~0u, block::line);
        take(out, from);
    }
    /* Some items have no rank, and then some places no item: they keep what they get here. */
    template <class other_type, class rank_type, class flag_type>
    __forceinline__ void move_some(const T (&in)[items], other_type (&out)[items], const rank_type (&ranks)[items],
                                   flag_type is_valid)
    {
        put(in, striped());
        sync();
        for (int i = 0; i < items; i++) {
            if (is_valid(i))
                room.tile[int(ranks[i])] = in[i];
        }
        sync();
        take(out, striped());
    }

  public:
    __forceinline__ BlockExchange(int line = __builtin_LINE()) : block(line), room(tune_own_room<TempStorage>()) {}
    __forceinline__ BlockExchange(TempStorage &room, int line = __builtin_LINE()) : block(line), room(room) {}

    template <class other_type> __forceinline__ void StripedToBlocked(const T (&in)[items], other_type (&out)[items])
    {
        move(in, out, striped(), blocked());
    }
    template <class other_type> __forceinline__ void BlockedToStriped(const T (&in)[items], other_type (&out)[items])
    {
        move(in, out, blocked(), striped());
    }
    template <class other_type>
    __forceinline__ void WarpStripedToBlocked(const T (&in)[items], other_type (&out)[items])
    {
        move_in_warp(in, out, warp_striped(), blocked());
    }
    template <class other_type>
    __forceinline__ void BlockedToWarpStriped(const T (&in)[items], other_type (&out)[items])
    {
        move_in_warp(in, out, blocked(), warp_striped());
    }
    template <class other_type, class rank_type>
    __forceinline__ void ScatterToBlocked(const T (&in)[items], other_type (&out)[items], rank_type (&ranks)[items])
    {
        move(in, out, ranks, blocked());
    }
    template <class other_type, class rank_type>
    __forceinline__ void ScatterToStriped(const T (&in)[items], other_type (&out)[items], rank_type (&ranks)[items])
    {
        move(in, out, ranks, striped());
    }
    template <class other_type, class rank_type>
    __forceinline__ void ScatterToStripedGuarded(const T (&in)[items], other_type (&out)[items],
                                                 rank_type (&ranks)[items])
    {
        move_some(in, out, ranks, [&](int i) { return ranks[i] >= 0; });
    }
    template <class other_type, class rank_type, class flag_type>
    __forceinline__ void ScatterToStripedFlagged(const T (&in)[items], other_type (&out)[items],
                                                 rank_type (&ranks)[items], flag_type (&is_valid)[items])
    {
        move_some(in, out, ranks, [&](int i) { return bool(is_valid[i]); });
    }

    __forceinline__ void StripedToBlocked(T (&all)[items]) { StripedToBlocked(all, all); }
    __forceinline__ void BlockedToStriped(T (&all)[items]) { BlockedToStriped(all, all); }
    __forceinline__ void WarpStripedToBlocked(T (&all)[items]) { WarpStripedToBlocked(all, all); }
    __forceinline__ void BlockedToWarpStriped(T (&all)[items]) { BlockedToWarpStriped(all, all); }
    template <class rank_type> __forceinline__ void ScatterToBlocked(T (&all)[items], rank_type (&ranks)[items])
    {
        ScatterToBlocked(all, all, ranks);
    }
    template <class rank_type> __forceinline__ void ScatterToStriped(T (&all)[items], rank_type (&ranks)[items])
    {
        ScatterToStriped(all, all, ranks);
    }
    template <class rank_type>
    __forceinline__ void ScatterToStripedGuarded(T (&all)[items], rank_type (&ranks)[items])
    {
        ScatterToStripedGuarded(all, all, ranks);
    }
    template <class rank_type, class flag_type>
    __forceinline__ void ScatterToStripedFlagged(T (&all)[items], rank_type (&ranks)[items],
                                                 flag_type (&is_valid)[items])
    {
        ScatterToStripedFlagged(all, all, ranks, is_valid);
    }
};

}
#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* cub/block/block_discontinuity.cuh - flags the items that differ from the one before (heads) or behind (tails), by
 * op(before, behind), or op(before, behind, index of the latter). An item without such another is flagged. */
#ifndef TUNE_CUB_BLOCK_DISCONTINUITY
#define TUNE_CUB_BLOCK_DISCONTINUITY
#include <tune/neighbours.hpp>
#include <type_traits>
namespace cub {

template <class T, class op_type, class = void> struct tune_takes_index : std::false_type {};
template <class T, class op_type>
struct tune_takes_index<T, op_type,
                        std::void_t<decltype(std::declval<op_type>()(std::declval<T>(), std::declval<T>(), 0))>>
    : std::true_type {};

template <class T, int x, int y = 1, int z = 1> class BlockDiscontinuity : tune_neighbours<T, x, y, z>
{
    typedef tune_neighbours<T, x, y, z> base;
    using base::rank;

    template <class op_type>
    static __forceinline__ bool differ(op_type op, const T &before, const T &behind, int index)
    {
        if constexpr (tune_takes_index<T, op_type>::value)
            return op(before, behind, index);
        else
            return op(before, behind);
    }
    /* `beyond` is the item before the tile; NULL: none. */
    template <int items, class flag_type, class op_type>
    __forceinline__ void heads(flag_type (&flags)[items], T (&in)[items], T *before, op_type op, const T *beyond)
    {
        this->show_last(in[items - 1]);
        for (int i = items - 1; i > 0; i--) {
            before[i] = in[i - 1];
            flags[i] = differ(op, before[i], in[i], rank() * items + i);
        }
        if (this->has_previous())
            before[0] = this->previous();
        else if (beyond)
            before[0] = *beyond;
        flags[0] = this->has_previous() || beyond ? differ(op, before[0], in[0], rank() * items) : true;
    }
    template <int items, class flag_type, class op_type>
    __forceinline__ void tails(flag_type (&flags)[items], T (&in)[items], op_type op, const T *beyond)
    {
        this->show_first(in[0]);
        int end = (rank() + 1) * items;
        for (int i = 0; i < items - 1; i++)
            flags[i] = differ(op, in[i], in[i + 1], end - items + i + 1);
        if (this->has_next())
            flags[items - 1] = differ(op, in[items - 1], this->next(), end);
        else
            flags[items - 1] = beyond ? differ(op, in[items - 1], *beyond, end) : true;
    }

  public:
    using typename base::TempStorage;
    __forceinline__ BlockDiscontinuity(int line = __builtin_LINE()) : base(tune_own_room<TempStorage>(), line) {}
    __forceinline__ BlockDiscontinuity(TempStorage &room, int line = __builtin_LINE()) : base(room, line) {}

    template <int items, class flag_type, class op_type>
    __forceinline__ void FlagHeads(flag_type (&flags)[items], T (&in)[items], T (&before)[items], op_type op)
    {
        heads(flags, in, before, op, nullptr);
    }
    template <int items, class flag_type, class op_type>
    __forceinline__ void FlagHeads(flag_type (&flags)[items], T (&in)[items], T (&before)[items], op_type op,
                                   T predecessor)
    {
        heads(flags, in, before, op, &predecessor);
    }
    template <int items, class flag_type, class op_type>
    __forceinline__ void FlagHeads(flag_type (&flags)[items], T (&in)[items], op_type op)
    {
        T before[items];
        heads(flags, in, before, op, nullptr);
    }
    template <int items, class flag_type, class op_type>
    __forceinline__ void FlagHeads(flag_type (&flags)[items], T (&in)[items], op_type op, T predecessor)
    {
        T before[items];
        heads(flags, in, before, op, &predecessor);
    }
    template <int items, class flag_type, class op_type>
    __forceinline__ void FlagTails(flag_type (&flags)[items], T (&in)[items], op_type op)
    {
        tails(flags, in, op, nullptr);
    }
    template <int items, class flag_type, class op_type>
    __forceinline__ void FlagTails(flag_type (&flags)[items], T (&in)[items], op_type op, T successor)
    {
        tails(flags, in, op, &successor);
    }

    template <int items, class flag_type, class op_type>
    __forceinline__ void FlagHeadsAndTails(flag_type (&heads)[items], flag_type (&tails)[items], T (&in)[items],
                                           op_type op)
    {
        FlagHeads(heads, in, op);
        FlagTails(tails, in, op);
    }
    template <int items, class flag_type, class op_type>
    __forceinline__ void FlagHeadsAndTails(flag_type (&heads)[items], flag_type (&tails)[items], T successor,
                                           T (&in)[items], op_type op)
    {
        FlagHeads(heads, in, op);
        FlagTails(tails, in, op, successor);
    }
    template <int items, class flag_type, class op_type>
    __forceinline__ void FlagHeadsAndTails(flag_type (&heads)[items], T predecessor, flag_type (&tails)[items],
                                           T (&in)[items], op_type op)
    {
        FlagHeads(heads, in, op, predecessor);
        FlagTails(tails, in, op);
    }
    template <int items, class flag_type, class op_type>
    __forceinline__ void FlagHeadsAndTails(flag_type (&heads)[items], T predecessor, flag_type (&tails)[items],
                                           T successor, T (&in)[items], op_type op)
    {
        FlagHeads(heads, in, op, predecessor);
        FlagTails(tails, in, op, successor);
    }
};

}
#endif

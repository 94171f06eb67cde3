/* SPDX-License-Identifier: Apache-2.0 */
/* cub/block/block_adjacent_difference.cuh - of each item and the one on its left or right, op(item, other). An item
 * without such another, or that is not valid, stays as it is. */
#ifndef TUNE_CUB_BLOCK_ADJACENT_DIFFERENCE
#define TUNE_CUB_BLOCK_ADJACENT_DIFFERENCE
#include <tune/neighbours.hpp>
#include <tune/places.hpp>
namespace cub {

template <class T, int x, int y = 1, int z = 1> class BlockAdjacentDifference : tune_neighbours<T, x, y, z>
{
    typedef tune_neighbours<T, x, y, z> base;
    using base::rank;

  public:
    using typename base::TempStorage;
    __forceinline__ BlockAdjacentDifference(int line = __builtin_LINE()) : base(tune_own_room<TempStorage>(), line) {}
    __forceinline__ BlockAdjacentDifference(TempStorage &room, int line = __builtin_LINE()) : base(room, line) {}

    template <int items, class other_type, class op_type>
    __forceinline__ void SubtractLeftPartialTile(T (&in)[items], other_type (&out)[items], op_type op, int valid)
    {
        left(in, out, op, valid, this->has_previous(), nullptr);
    }
    template <int items, class other_type, class op_type>
    __forceinline__ void SubtractLeftPartialTile(T (&in)[items], other_type (&out)[items], op_type op, int valid,
                                                 T predecessor)
    {
        left(in, out, op, valid, true, &predecessor);
    }
    template <int items, class other_type, class op_type>
    __forceinline__ void SubtractLeft(T (&in)[items], other_type (&out)[items], op_type op)
    {
        SubtractLeftPartialTile(in, out, op, tune_all);
    }
    template <int items, class other_type, class op_type>
    __forceinline__ void SubtractLeft(T (&in)[items], other_type (&out)[items], op_type op, T predecessor)
    {
        SubtractLeftPartialTile(in, out, op, tune_all, predecessor);
    }
    template <int items, class other_type, class op_type>
    __forceinline__ void SubtractRight(T (&in)[items], other_type (&out)[items], op_type op)
    {
        right(in, out, op, tune_all, this->has_next(), nullptr);
    }
    template <int items, class other_type, class op_type>
    __forceinline__ void SubtractRight(T (&in)[items], other_type (&out)[items], op_type op, T successor)
    {
        right(in, out, op, tune_all, true, &successor);
    }
    template <int items, class other_type, class op_type>
    __forceinline__ void SubtractRightPartialTile(T (&in)[items], other_type (&out)[items], op_type op, int valid)
    {
        right(in, out, op, valid, this->has_next(), nullptr);
    }

  private:
    /* From the last item on, since both arrays may be the same. */
    template <int items, class other_type, class op_type>
    __forceinline__ void left(T (&in)[items], other_type (&out)[items], op_type op, int valid, bool has_other,
                              T *beyond)
    {
        this->show_last(in[items - 1]);
        for (int i = items - 1; i >= 0; i--) {
            bool known = rank() * items + i < valid && (i > 0 || has_other);
            if (!known)
                out[i] = in[i];
            else if (i > 0)
                out[i] = op(in[i], in[i - 1]);
            else
                out[i] = op(in[i], this->has_previous() ? this->previous() : *beyond);
        }
    }
    template <int items, class other_type, class op_type>
    __forceinline__ void right(T (&in)[items], other_type (&out)[items], op_type op, int valid, bool has_other,
                               T *beyond)
    {
        this->show_first(in[0]);
        for (int i = 0; i < items; i++) {
            bool known = rank() * items + i < valid - 1 && (i < items - 1 || has_other);
            if (!known)
                out[i] = in[i];
            else if (i < items - 1)
                out[i] = op(in[i], in[i + 1]);
            else
                out[i] = op(in[i], this->has_next() ? this->next() : *beyond);
        }
    }
};

}
#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* cub/warp/warp_reduce.cuh - the items of a warp, or of each part of it that has `width` lanes, combined in order.
 * The first lane gets the result, or each segment's first lane its segment's; the others get what they gave. */
#ifndef TUNE_CUB_WARP_REDUCE
#define TUNE_CUB_WARP_REDUCE
#include <cub/thread/thread_operators.cuh>
#include <tune/collective.hpp>
namespace cub {

template <class T, int width = TUNE_WARP> class WarpReduce : tune_lanes<width>
{
    typedef tune_lanes<width> lanes;
    typedef cuda::std::plus<> sum;
    using lanes::first;
    using lanes::line;
    using lanes::mask;
    using lanes::rank;

  public:
    struct TempStorage : NullType {};

  private:
    /* From the calling lane to lane `end` of its part. */
    template <class op_type> __forceinline__ T fold(T input, op_type op, int end, unsigned int wanted)
    {
        tune_gathered<T> all = tune_gather(mask(), input, line);
        for (int lane = first() + rank() + 1; wanted && lane < first() + end; lane++) {
            if (all.present >> lane & 1)
                input = op(input, all.values[lane]);
        }
        return input;
    }
    /* `heads`: the lanes that begin a segment. */
    template <class op_type> __forceinline__ T fold_segment(T input, op_type op, unsigned int heads)
    {
        int end = rank() + 1;
        while (end < width && !(heads >> (first() + end) & 1))
            end++;
        return fold(input, op, end, rank() == 0 || (heads >> tune_context.lane & 1));
    }

  public:
    __forceinline__ WarpReduce(TempStorage &, int line = __builtin_LINE()) : lanes(line) {}

    template <class op_type> __forceinline__ T Reduce(T input, op_type op, int valid)
    {
        return fold(input, op, valid < width ? valid : width, rank() == 0);
    }
    template <class op_type> __forceinline__ T Reduce(T input, op_type op) { return Reduce(input, op, width); }
    __forceinline__ T Sum(T input) { return Reduce(input, sum(), width); }
    __forceinline__ T Sum(T input, int valid) { return Reduce(input, sum(), valid); }

    template <class op_type, class flag_type>
    __forceinline__ T HeadSegmentedReduce(T input, flag_type is_head, op_type op)
    {
        return fold_segment(input, op, __ballot_sync(mask(), bool(is_head), line));
    }
    template <class op_type, class flag_type>
    __forceinline__ T TailSegmentedReduce(T input, flag_type is_tail, op_type op)
    {
        return fold_segment(input, op, __ballot_sync(mask(), bool(is_tail), line) << 1);
    }
    template <class flag_type> __forceinline__ T HeadSegmentedSum(T input, flag_type is_head)
    {
        return HeadSegmentedReduce(input, is_head, sum());
    }
    template <class flag_type> __forceinline__ T TailSegmentedSum(T input, flag_type is_tail)
    {
        return TailSegmentedReduce(input, is_tail, sum());
    }
};

}
#endif

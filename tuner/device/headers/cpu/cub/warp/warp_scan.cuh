/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cub/warp/warp_scan.cuh - of each item of a warp, or of each part of it that has `width` lanes, what all before it
 * (exclusive), or these and itself (inclusive), come to. Aggregates are of the items alone. Without a value to begin
 * with the first exclusive result is undefined: it keeps what it was.
 */
#ifndef TUNE_CUB_WARP_SCAN
#define TUNE_CUB_WARP_SCAN
#include <cub/thread/thread_operators.cuh>
#include <tune/collective.hpp>
namespace cub {

template <class T, int width = TUNE_WARP> class WarpScan : tune_lanes<width>
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
    /* All results; `before` of the first lane stays. */
    template <class op_type> __forceinline__ void scan(const T &input, T &before, T &with, T &all, op_type op)
    {
        tune_gathered<T> each = tune_gather(mask(), input, line);
        T running = each.values[first()];
        with = running;
        for (int i = 1; i < width && first() + i < TUNE_WARP; i++) {
            if (!(each.present >> (first() + i) & 1))
                continue;
            if (i == rank())
                before = running;
            running = op(running, each.values[first() + i]);
            if (i == rank())
                with = running;
        }
        all = running;
    }
    template <class op_type>
    __forceinline__ void scan_from(const T &start, const T &input, T &before, T &with, T &all, op_type op)
    {
        T unseeded_before = input, unseeded_with = input;
        scan(input, unseeded_before, unseeded_with, all, op);
        before = rank() == 0 ? start : T(op(start, unseeded_before));
        with = op(start, unseeded_with);
    }

  public:
    __forceinline__ WarpScan(TempStorage &, int line = __builtin_LINE()) : lanes(line) {}

    __forceinline__ void InclusiveSum(T in, T &out) { InclusiveScan(in, out, sum()); }
    __forceinline__ void InclusiveSum(T in, T &out, T &all) { InclusiveScan(in, out, sum(), all); }
    __forceinline__ void ExclusiveSum(T in, T &out) { ExclusiveScan(in, out, T{}, sum()); }
    __forceinline__ void ExclusiveSum(T in, T &out, T &all) { ExclusiveScan(in, out, T{}, sum(), all); }

    template <class op_type> __forceinline__ void InclusiveScan(T in, T &out, op_type op)
    {
        T all;
        InclusiveScan(in, out, op, all);
    }
    template <class op_type> __forceinline__ void InclusiveScan(T in, T &out, op_type op, T &all)
    {
        T before = in;
        scan(in, before, out, all, op);
    }
    template <class op_type> __forceinline__ void InclusiveScan(T in, T &out, T start, op_type op)
    {
        T all;
        InclusiveScan(in, out, start, op, all);
    }
    template <class op_type> __forceinline__ void InclusiveScan(T in, T &out, T start, op_type op, T &all)
    {
        T before;
        scan_from(start, in, before, out, all, op);
    }
    template <class op_type> __forceinline__ void ExclusiveScan(T in, T &out, op_type op)
    {
        T all;
        ExclusiveScan(in, out, op, all);
    }
    template <class op_type> __forceinline__ void ExclusiveScan(T in, T &out, op_type op, T &all)
    {
        T with;
        scan(in, out, with, all, op);
    }
    template <class op_type> __forceinline__ void ExclusiveScan(T in, T &out, T start, op_type op)
    {
        T all;
        ExclusiveScan(in, out, start, op, all);
    }
    template <class op_type> __forceinline__ void ExclusiveScan(T in, T &out, T start, op_type op, T &all)
    {
        T with;
        scan_from(start, in, out, with, all, op);
    }
    template <class op_type> __forceinline__ void Scan(T in, T &inclusive, T &exclusive, op_type op)
    {
        T all;
        scan(in, exclusive, inclusive, all, op);
    }
    template <class op_type> __forceinline__ void Scan(T in, T &inclusive, T &exclusive, T start, op_type op)
    {
        T all;
        scan_from(start, in, exclusive, inclusive, all, op);
    }
    __forceinline__ T Broadcast(T input, unsigned int source)
    {
        return tune_gather(mask(), input, line).values[first() + int(source)];
    }
};

}
#endif

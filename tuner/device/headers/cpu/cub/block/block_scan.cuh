/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cub/block/block_scan.cuh - of each item of a block, what all before it (exclusive), or these and itself
 * (inclusive), come to. The first thread adds up what the threads gave; each then goes on from what is before it.
 * Aggregates are of the items alone. Without a value to begin with the first item's exclusive result is undefined: it
 * keeps what it was.
 */
#ifndef TUNE_CUB_BLOCK_SCAN
#define TUNE_CUB_BLOCK_SCAN
#include <cub/thread/thread_operators.cuh>
#include <tune/collective.hpp>
#include <tune/thread_scan.hpp>
namespace cub {

enum BlockScanAlgorithm { BLOCK_SCAN_RAKING, BLOCK_SCAN_RAKING_MEMOIZE, BLOCK_SCAN_WARP_SCANS };

template <class T, int x, BlockScanAlgorithm algorithm = BLOCK_SCAN_RAKING, int y = 1, int z = 1>
class BlockScan : tune_block<x, y, z>
{
    typedef tune_block<x, y, z> block;
    typedef cuda::std::plus<> sum;
    using block::rank;
    using block::sync;
    using block::threads;

  public:
    struct TempStorage {
        tune_room<T, threads> before; /* first what each thread's items come to */
        tune_room<T, 1> all, prefix;
    };

  private:
    TempStorage &room;
    /* Fills the room, from the second thread's place on. */
    template <class op_type> __forceinline__ void gather(T own, op_type op)
    {
        room.before[rank()] = own;
        sync();
        if (rank() == 0) {
            for (int i = 1; i < threads; i++) {
                T next = room.before[i];
                room.before[i] = own;
                own = op(own, next);
            }
            room.all[0] = own;
        }
        sync();
    }
    template <bool inclusive, class op_type>
    __forceinline__ void scan(const T *in, T *out, int items, op_type op, T &aggregate)
    {
        gather(tune_thread_reduce(in, items, op), op);
        aggregate = room.all[0];
        if (rank() > 0)
            tune_thread_scan<inclusive>(in, out, items, op, room.before[rank()]);
        else
            tune_thread_scan<inclusive>(in, out, items, op);
    }
    template <class op_type> __forceinline__ T after(const T &first, op_type op)
    {
        return rank() > 0 ? T(op(first, room.before[rank()])) : first;
    }
    template <bool inclusive, class op_type>
    __forceinline__ void scan_from(const T &first, const T *in, T *out, int items, op_type op, T &aggregate)
    {
        gather(tune_thread_reduce(in, items, op), op);
        aggregate = room.all[0];
        tune_thread_scan<inclusive>(in, out, items, op, after(first, op));
    }
    /* All lanes of the first warp call back; the first lane's answer counts. */
    template <bool inclusive, class op_type, class callback_type>
    __forceinline__ void scan_after(callback_type &callback, const T *in, T *out, int items, op_type op)
    {
        gather(tune_thread_reduce(in, items, op), op);
        if (rank() < TUNE_WARP) {
            T all = room.all[0], prefix = callback(all);
            if (rank() == 0)
                room.prefix[0] = prefix;
        }
        sync();
        tune_thread_scan<inclusive>(in, out, items, op, after(room.prefix[0], op));
    }

  public:
    __forceinline__ BlockScan(int line = __builtin_LINE()) : block(line), room(tune_own_room<TempStorage>()) {}
    __forceinline__ BlockScan(TempStorage &room, int line = __builtin_LINE()) : block(line), room(room) {}

    /* ---- sums ---- */

    __forceinline__ void ExclusiveSum(T in, T &out)
    {
        T all;
        scan_from<false>(T{}, &in, &out, 1, sum(), all);
    }
    __forceinline__ void ExclusiveSum(T in, T &out, T &all) { scan_from<false>(T{}, &in, &out, 1, sum(), all); }
    template <class callback_type> __forceinline__ void ExclusiveSum(T in, T &out, callback_type &callback)
    {
        scan_after<false>(callback, &in, &out, 1, sum());
    }
    template <int items> __forceinline__ void ExclusiveSum(T (&in)[items], T (&out)[items])
    {
        T all;
        scan_from<false>(T{}, in, out, items, sum(), all);
    }
    template <int items> __forceinline__ void ExclusiveSum(T (&in)[items], T (&out)[items], T &all)
    {
        scan_from<false>(T{}, in, out, items, sum(), all);
    }
    template <int items, class callback_type>
    __forceinline__ void ExclusiveSum(T (&in)[items], T (&out)[items], callback_type &callback)
    {
        scan_after<false>(callback, in, out, items, sum());
    }
    __forceinline__ void InclusiveSum(T in, T &out) { InclusiveScan(in, out, sum()); }
    __forceinline__ void InclusiveSum(T in, T &out, T &all) { scan<true>(&in, &out, 1, sum(), all); }
    template <class callback_type> __forceinline__ void InclusiveSum(T in, T &out, callback_type &callback)
    {
        scan_after<true>(callback, &in, &out, 1, sum());
    }
    template <int items> __forceinline__ void InclusiveSum(T (&in)[items], T (&out)[items])
    {
        InclusiveScan(in, out, sum());
    }
    template <int items> __forceinline__ void InclusiveSum(T (&in)[items], T (&out)[items], T &all)
    {
        scan<true>(in, out, items, sum(), all);
    }
    template <int items, class callback_type>
    __forceinline__ void InclusiveSum(T (&in)[items], T (&out)[items], callback_type &callback)
    {
        scan_after<true>(callback, in, out, items, sum());
    }

    /* ---- exclusive ---- */

    template <class op_type> __forceinline__ void ExclusiveScan(T in, T &out, op_type op)
    {
        T all;
        scan<false>(&in, &out, 1, op, all);
    }
    template <class op_type> __forceinline__ void ExclusiveScan(T in, T &out, op_type op, T &all)
    {
        scan<false>(&in, &out, 1, op, all);
    }
    template <class op_type> __forceinline__ void ExclusiveScan(T in, T &out, T first, op_type op)
    {
        T all;
        scan_from<false>(first, &in, &out, 1, op, all);
    }
    template <class op_type> __forceinline__ void ExclusiveScan(T in, T &out, T first, op_type op, T &all)
    {
        scan_from<false>(first, &in, &out, 1, op, all);
    }
    template <class op_type, class callback_type>
    __forceinline__ void ExclusiveScan(T in, T &out, op_type op, callback_type &callback)
    {
        scan_after<false>(callback, &in, &out, 1, op);
    }
    template <int items, class op_type>
    __forceinline__ void ExclusiveScan(T (&in)[items], T (&out)[items], op_type op)
    {
        T all;
        scan<false>(in, out, items, op, all);
    }
    template <int items, class op_type>
    __forceinline__ void ExclusiveScan(T (&in)[items], T (&out)[items], op_type op, T &all)
    {
        scan<false>(in, out, items, op, all);
    }
    template <int items, class op_type>
    __forceinline__ void ExclusiveScan(T (&in)[items], T (&out)[items], T first, op_type op)
    {
        T all;
        scan_from<false>(first, in, out, items, op, all);
    }
    template <int items, class op_type>
    __forceinline__ void ExclusiveScan(T (&in)[items], T (&out)[items], T first, op_type op, T &all)
    {
        scan_from<false>(first, in, out, items, op, all);
    }
    template <int items, class op_type, class callback_type>
    __forceinline__ void ExclusiveScan(T (&in)[items], T (&out)[items], op_type op, callback_type &callback)
    {
        scan_after<false>(callback, in, out, items, op);
    }

    /* ---- inclusive ---- */

    template <class op_type> __forceinline__ void InclusiveScan(T in, T &out, op_type op)
    {
        T all;
        scan<true>(&in, &out, 1, op, all);
    }
    template <class op_type> __forceinline__ void InclusiveScan(T in, T &out, op_type op, T &all)
    {
        scan<true>(&in, &out, 1, op, all);
    }
    template <class op_type, class callback_type>
    __forceinline__ void InclusiveScan(T in, T &out, op_type op, callback_type &callback)
    {
        scan_after<true>(callback, &in, &out, 1, op);
    }
    template <int items, class op_type>
    __forceinline__ void InclusiveScan(T (&in)[items], T (&out)[items], op_type op)
    {
        T all;
        scan<true>(in, out, items, op, all);
    }
    template <int items, class op_type>
    __forceinline__ void InclusiveScan(T (&in)[items], T (&out)[items], op_type op, T &all)
    {
        scan<true>(in, out, items, op, all);
    }
    template <int items, class op_type>
    __forceinline__ void InclusiveScan(T (&in)[items], T (&out)[items], T first, op_type op)
    {
        T all;
        scan_from<true>(first, in, out, items, op, all);
    }
    template <int items, class op_type>
    __forceinline__ void InclusiveScan(T (&in)[items], T (&out)[items], T first, op_type op, T &all)
    {
        scan_from<true>(first, in, out, items, op, all);
    }
    template <int items, class op_type, class callback_type>
    __forceinline__ void InclusiveScan(T (&in)[items], T (&out)[items], op_type op, callback_type &callback)
    {
        scan_after<true>(callback, in, out, items, op);
    }
};

}
#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* cub/block/block_reduce.cuh - all items of a block, or of its first threads, combined in order. The first thread
 * gets the result; the others get what they gave. */
#ifndef TUNE_CUB_BLOCK_REDUCE
#define TUNE_CUB_BLOCK_REDUCE
#include <cub/thread/thread_reduce.cuh>
#include <tune/collective.hpp>
namespace cub {

enum BlockReduceAlgorithm {
    BLOCK_REDUCE_RAKING_COMMUTATIVE_ONLY,
    BLOCK_REDUCE_RAKING,
    BLOCK_REDUCE_WARP_REDUCTIONS,
};

template <class T, int x, BlockReduceAlgorithm algorithm = BLOCK_REDUCE_WARP_REDUCTIONS, int y = 1, int z = 1>
class BlockReduce : tune_block<x, y, z>
{
    typedef tune_block<x, y, z> block;
    using block::rank;
    using block::sync;
    using block::threads;

  public:
    struct TempStorage {
        tune_room<T, threads> each;
    };

  private:
    TempStorage &room;

  public:
    __forceinline__ BlockReduce(int line = __builtin_LINE()) : block(line), room(tune_own_room<TempStorage>()) {}
    __forceinline__ BlockReduce(TempStorage &room, int line = __builtin_LINE()) : block(line), room(room) {}

    template <class op_type> __forceinline__ T Reduce(T input, op_type op, int valid)
    {
        if (rank() < valid)
            room.each[rank()] = input;
        sync();
        for (int i = 1; rank() == 0 && i < threads && i < valid; i++)
            input = op(input, room.each[i]);
        return input;
    }
    template <class op_type> __forceinline__ T Reduce(T input, op_type op) { return Reduce(input, op, threads); }
    template <int items, class op_type> __forceinline__ T Reduce(T (&inputs)[items], op_type op)
    {
        return Reduce(ThreadReduce(inputs, op), op);
    }
    __forceinline__ T Sum(T input) { return Reduce(input, cuda::std::plus<>()); }
    template <int items> __forceinline__ T Sum(T (&inputs)[items]) { return Reduce(inputs, cuda::std::plus<>()); }
    __forceinline__ T Sum(T input, int valid) { return Reduce(input, cuda::std::plus<>(), valid); }
};

}
#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* cub/block/block_shuffle.cuh - items of other threads of the block. Where there is no such thread, the output stays.
 */
#ifndef TUNE_CUB_BLOCK_SHUFFLE
#define TUNE_CUB_BLOCK_SHUFFLE
#include <tune/collective.hpp>
namespace cub {

template <class T, int x, int y = 1, int z = 1> class BlockShuffle : tune_block<x, y, z>
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
    __forceinline__ void show(const T &input)
    {
        room.each[rank()] = input;
        sync();
    }

  public:
    __forceinline__ BlockShuffle(int line = __builtin_LINE()) : block(line), room(tune_own_room<TempStorage>()) {}
    __forceinline__ BlockShuffle(TempStorage &room, int line = __builtin_LINE()) : block(line), room(room) {}

    __forceinline__ void Offset(T input, T &output, int distance = 1)
    {
        show(input);
        int from = rank() + distance;
        if (from >= 0 && from < threads)
            output = room.each[from];
    }
    __forceinline__ void Rotate(T input, T &output, unsigned int distance = 1)
    {
        show(input);
        output = room.each[int((rank() + distance) % threads)];
    }
    /* Each item becomes the one before it, or after it. */
    template <int items> __forceinline__ void Up(T (&input)[items], T (&previous)[items])
    {
        show(input[items - 1]);
        for (int i = items - 1; i > 0; i--)
            previous[i] = input[i - 1];
        if (rank() > 0)
            previous[0] = room.each[rank() - 1];
    }
    template <int items> __forceinline__ void Up(T (&input)[items], T (&previous)[items], T &last)
    {
        Up(input, previous);
        last = room.each[threads - 1];
    }
    template <int items> __forceinline__ void Down(T (&input)[items], T (&next)[items])
    {
        show(input[0]);
        for (int i = 0; i < items - 1; i++)
            next[i] = input[i + 1];
        if (rank() < threads - 1)
            next[items - 1] = room.each[rank() + 1];
    }
    template <int items> __forceinline__ void Down(T (&input)[items], T (&next)[items], T &first)
    {
        Down(input, next);
        first = room.each[0];
    }
};

}
#endif

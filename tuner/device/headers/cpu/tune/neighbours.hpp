/* SPDX-License-Identifier: Apache-2.0 */
/* neighbours.hpp - threads of a block with blocked items see the last one of the thread before, the first of the
 * next. */
#ifndef TUNE_NEIGHBOURS
#define TUNE_NEIGHBOURS
#include <tune/collective.hpp>
namespace cub {
template <class T, int x, int y, int z> class tune_neighbours : protected tune_block<x, y, z>
{
  protected:
    typedef tune_block<x, y, z> block;
    using block::rank;
    using block::threads;

  public:
    struct TempStorage {
        tune_room<T, threads> firsts, lasts;
    };

  protected:
    TempStorage &room;
    __forceinline__ tune_neighbours(TempStorage &room, int line) : block(line), room(room) {}
    __forceinline__ void show_last(const T &item)
    {
        room.lasts[rank()] = item;
        block::sync();
    }
    __forceinline__ void show_first(const T &item)
    {
        room.firsts[rank()] = item;
        block::sync();
    }
    static __forceinline__ bool has_previous() { return rank() > 0; }
    static __forceinline__ bool has_next() { return rank() < threads - 1; }
    __forceinline__ T &previous() const { return room.lasts[rank() - 1]; }
    __forceinline__ T &next() const { return room.firsts[rank() + 1]; }
};
}
#endif

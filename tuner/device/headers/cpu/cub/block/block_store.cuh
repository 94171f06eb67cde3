/* SPDX-License-Identifier: Apache-2.0 */
/* cub/block/block_store.cuh - a tile of items to memory, as far as it is `valid`. What is transposed goes through
 * shared memory, as on a GPU, and the thread's own array then holds the striped items. */
#ifndef TUNE_CUB_BLOCK_STORE
#define TUNE_CUB_BLOCK_STORE
#include <cub/block/block_exchange.cuh>
#include <cub/thread/thread_store.cuh>
#include <type_traits>
namespace cub {

/* ---- by the thread's rank ---- */

template <class T, int items, class iterator_type>
TUNE_INLINE void StoreDirectBlocked(int rank, iterator_type to, T (&from)[items], int valid = tune_all)
{
    tune_store(tune_blocked<items>(rank), to, from, valid);
}
template <class T, int items> TUNE_INLINE void StoreDirectBlockedVectorized(int rank, T *to, T (&from)[items])
{
    typedef tune_vector<T, items> vector;
    typename vector::type *vectors = reinterpret_cast<typename vector::type *>(to + rank * items);
    for (int i = 0; i < items / vector::count; i++) {
        typename vector::type one;
        for (int j = 0; j < vector::count; j++)
            one.values[j] = from[i * vector::count + j];
        vectors[i] = one;
    }
}
template <int threads, class T, int items, class iterator_type>
TUNE_INLINE void StoreDirectStriped(int rank, iterator_type to, T (&from)[items], int valid = tune_all)
{
    tune_store(tune_striped<threads>(rank), to, from, valid);
}
template <class T, int items, class iterator_type>
TUNE_INLINE void StoreDirectWarpStriped(int rank, iterator_type to, T (&from)[items], int valid = tune_all)
{
    tune_store(tune_warp_striped<items>(rank), to, from, valid);
}

/* ---- by a block ---- */

enum BlockStoreAlgorithm {
    BLOCK_STORE_DIRECT,
    BLOCK_STORE_STRIPED,
    BLOCK_STORE_VECTORIZE,
    BLOCK_STORE_TRANSPOSE,
    BLOCK_STORE_WARP_TRANSPOSE,
    BLOCK_STORE_WARP_TRANSPOSE_TIMESLICED,
};

template <class T, int x, int items, BlockStoreAlgorithm algorithm = BLOCK_STORE_DIRECT, int y = 1, int z = 1>
class BlockStore : tune_block<x, y, z>
{
    typedef tune_block<x, y, z> block;
    typedef BlockExchange<T, x, items, algorithm == BLOCK_STORE_WARP_TRANSPOSE_TIMESLICED, y, z> exchange;
    using block::line;
    using block::rank;
    using block::threads;
    static constexpr bool in_block = algorithm == BLOCK_STORE_TRANSPOSE, in_warps = algorithm > BLOCK_STORE_TRANSPOSE;
    static_assert(!in_warps || threads % TUNE_WARP == 0, "a warp-transposed tile needs whole warps");

  public:
    struct TempStorage {
        std::conditional_t<in_block || in_warps, typename exchange::TempStorage, NullType> exchanged;
    };

  private:
    TempStorage &room;

  public:
    __forceinline__ BlockStore(int line = __builtin_LINE()) : block(line), room(tune_own_room<TempStorage>()) {}
    __forceinline__ BlockStore(TempStorage &room, int line = __builtin_LINE()) : block(line), room(room) {}

    template <class iterator_type> __forceinline__ void Store(iterator_type to, T (&from)[items])
    {
        if constexpr (algorithm == BLOCK_STORE_VECTORIZE && std::is_same_v<iterator_type, T *> &&
                      std::is_trivially_copyable_v<T>)
            StoreDirectBlockedVectorized(rank(), to, from);
        else
            Store(to, from, tune_all);
    }
    template <class iterator_type> __forceinline__ void Store(iterator_type to, T (&from)[items], int valid)
    {
        if constexpr (in_block)
            exchange(room.exchanged, line).BlockedToStriped(from);
        if constexpr (in_warps)
            exchange(room.exchanged, line).BlockedToWarpStriped(from);
        if constexpr (algorithm == BLOCK_STORE_STRIPED || in_block)
            StoreDirectStriped<threads>(rank(), to, from, valid);
        else if constexpr (in_warps)
            StoreDirectWarpStriped(rank(), to, from, valid);
        else
            StoreDirectBlocked(rank(), to, from, valid);
    }
};

}
#endif

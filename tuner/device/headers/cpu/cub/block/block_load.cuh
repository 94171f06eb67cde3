/* SPDX-License-Identifier: Apache-2.0 */
/* cub/block/block_load.cuh - a tile of items from memory. Items at and beyond `valid` stay as they are, or become the
 * default. What is transposed goes through shared memory, as on a GPU. */
#ifndef TUNE_CUB_BLOCK_LOAD
#define TUNE_CUB_BLOCK_LOAD
#include <cub/block/block_exchange.cuh>
#include <cub/thread/thread_load.cuh>
#include <type_traits>
namespace cub {

/* ---- by the thread's rank ---- */

template <class T, int items, class iterator_type>
TUNE_INLINE void LoadDirectBlocked(int rank, iterator_type from, T (&to)[items], int valid = tune_all)
{
    tune_load(tune_blocked<items>(rank), from, to, valid);
}
template <class T, class default_type, int items, class iterator_type>
TUNE_INLINE void LoadDirectBlocked(int rank, iterator_type from, T (&to)[items], int valid, default_type otherwise)
{
    tune_fill(to, otherwise);
    LoadDirectBlocked(rank, from, to, valid);
}
template <class T, int items> TUNE_INLINE void tune_load_vectors(int rank, const T *from, T (&to)[items])
{
    typedef tune_vector<T, items> vector;
    const typename vector::type *vectors = reinterpret_cast<const typename vector::type *>(from + rank * items);
    for (int i = 0; i < items / vector::count; i++) {
        typename vector::type one = vectors[i];
        for (int j = 0; j < vector::count; j++)
            to[i * vector::count + j] = one.values[j];
    }
}
template <class T, int items> TUNE_INLINE void LoadDirectBlockedVectorized(int rank, T *from, T (&to)[items])
{
    tune_load_vectors<T>(rank, from, to);
}
template <int threads, class T, int items, class iterator_type>
TUNE_INLINE void LoadDirectStriped(int rank, iterator_type from, T (&to)[items], int valid = tune_all)
{
    tune_load(tune_striped<threads>(rank), from, to, valid);
}
template <int threads, class T, class default_type, int items, class iterator_type>
TUNE_INLINE void LoadDirectStriped(int rank, iterator_type from, T (&to)[items], int valid, default_type otherwise)
{
    tune_fill(to, otherwise);
    LoadDirectStriped<threads>(rank, from, to, valid);
}
template <class T, int items, class iterator_type>
TUNE_INLINE void LoadDirectWarpStriped(int rank, iterator_type from, T (&to)[items], int valid = tune_all)
{
    tune_load(tune_warp_striped<items>(rank), from, to, valid);
}
template <class T, class default_type, int items, class iterator_type>
TUNE_INLINE void LoadDirectWarpStriped(int rank, iterator_type from, T (&to)[items], int valid,
                                       default_type otherwise)
{
    tune_fill(to, otherwise);
    LoadDirectWarpStriped(rank, from, to, valid);
}

/* Vectors are read only through pointers to plain types, as CUB does. */
template <class T, class iterator_type>
constexpr bool tune_vectorizes = std::is_same_v<std::remove_const_t<std::remove_pointer_t<iterator_type>>, T>
    &&std::is_pointer_v<iterator_type> &&std::is_trivially_copyable_v<T>;

/* ---- by a block ---- */

enum BlockLoadAlgorithm {
    BLOCK_LOAD_DIRECT,
    BLOCK_LOAD_STRIPED,
    BLOCK_LOAD_VECTORIZE,
    BLOCK_LOAD_TRANSPOSE,
    BLOCK_LOAD_WARP_TRANSPOSE,
    BLOCK_LOAD_WARP_TRANSPOSE_TIMESLICED,
};

template <class T, int x, int items, BlockLoadAlgorithm algorithm = BLOCK_LOAD_DIRECT, int y = 1, int z = 1>
class BlockLoad : tune_block<x, y, z>
{
    typedef tune_block<x, y, z> block;
    typedef BlockExchange<T, x, items, algorithm == BLOCK_LOAD_WARP_TRANSPOSE_TIMESLICED, y, z> exchange;
    using block::line;
    using block::rank;
    using block::threads;
    static constexpr bool in_block = algorithm == BLOCK_LOAD_TRANSPOSE, in_warps = algorithm > BLOCK_LOAD_TRANSPOSE;
    static_assert(!in_warps || threads % TUNE_WARP == 0, "a warp-transposed tile needs whole warps");

  public:
    struct TempStorage {
        std::conditional_t<in_block || in_warps, typename exchange::TempStorage, NullType> exchanged;
    };

  private:
    TempStorage &room;

  public:
    __forceinline__ BlockLoad(int line = __builtin_LINE()) : block(line), room(tune_own_room<TempStorage>()) {}
    __forceinline__ BlockLoad(TempStorage &room, int line = __builtin_LINE()) : block(line), room(room) {}

    template <class iterator_type> __forceinline__ void Load(iterator_type from, T (&to)[items])
    {
        if constexpr (algorithm == BLOCK_LOAD_VECTORIZE && tune_vectorizes<T, iterator_type>)
            tune_load_vectors<T>(rank(), from, to);
        else
            Load(from, to, tune_all);
    }
    template <class iterator_type> __forceinline__ void Load(iterator_type from, T (&to)[items], int valid)
    {
        if constexpr (algorithm == BLOCK_LOAD_STRIPED || in_block)
            LoadDirectStriped<threads>(rank(), from, to, valid);
        else if constexpr (in_warps)
            LoadDirectWarpStriped(rank(), from, to, valid);
        else
            LoadDirectBlocked(rank(), from, to, valid);
        if constexpr (in_block)
            exchange(room.exchanged, line).StripedToBlocked(to);
        if constexpr (in_warps)
            exchange(room.exchanged, line).WarpStripedToBlocked(to);
    }
    template <class iterator_type, class default_type>
    __forceinline__ void Load(iterator_type from, T (&to)[items], int valid, default_type otherwise)
    {
        tune_fill(to, otherwise);
        Load(from, to, valid);
    }
};

}
#endif

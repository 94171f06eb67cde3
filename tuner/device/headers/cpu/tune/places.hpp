/* SPDX-License-Identifier: Apache-2.0 */
/*
 * places.hpp - how the items of a tile are spread over its threads:
 *     blocked        thread t has items t * items to t * items + items - 1
 *     striped        thread t has every `threads`-th item from t on
 *     warp striped   each warp has 32 * items items in a row, striped
 */
#ifndef TUNE_PLACES
#define TUNE_PLACES
namespace cub {

struct tune_places { /* of a thread's items in the tile */
    int first, step;
    __forceinline__ int operator[](int i) const { return first + i * step; }
};
template <int items> TUNE_INLINE tune_places tune_blocked(int rank) { return {rank * items, 1}; }
template <int threads> TUNE_INLINE tune_places tune_striped(int rank) { return {rank, threads}; }
template <int items> TUNE_INLINE tune_places tune_warp_striped(int rank)
{
    return {rank / TUNE_WARP * TUNE_WARP * items + rank % TUNE_WARP, TUNE_WARP};
}

constexpr int tune_all = __INT_MAX__; /* items are valid */

template <class T, int items, class iterator_type>
TUNE_INLINE void tune_load(tune_places at, iterator_type from, T (&to)[items], int valid)
{
    for (int i = 0; i < items; i++) {
        if (at[i] < valid)
            to[i] = from[at[i]];
    }
}
template <class T, int items, class iterator_type>
TUNE_INLINE void tune_store(tune_places at, iterator_type to, const T (&from)[items], int valid)
{
    for (int i = 0; i < items; i++) {
        if (at[i] < valid)
            to[at[i]] = from[i];
    }
}
template <class T, int items, class default_type>
TUNE_INLINE void tune_fill(T (&to)[items], const default_type &value)
{
    for (int i = 0; i < items; i++)
        to[i] = value;
}

/* Items that are loaded and stored together, whose address must be a multiple of their size: at most 16 bytes. */
template <class T, int items> struct tune_vector {
    static constexpr int count = items % 4 == 0 ? 4 : items % 2 == 0 ? 2 : 1;
    static constexpr size_t bytes = count * sizeof(T) < 16 ? count * sizeof(T) : 16;
    struct alignas((bytes & (bytes - 1)) == 0 && bytes > alignof(T) ? bytes : alignof(T)) type {
        T values[count];
    };
};

}
#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* cub/thread/thread_store.cuh - stores with hints for caches, which are ignored; a volatile store is one. */
#ifndef TUNE_CUB_THREAD_STORE
#define TUNE_CUB_THREAD_STORE
#include <cub/config.cuh>
#include <type_traits>
namespace cub {
enum CacheStoreModifier { STORE_DEFAULT, STORE_WB, STORE_CG, STORE_CS, STORE_WT, STORE_VOLATILE };
template <CacheStoreModifier modifier, class iterator_type, class T>
TUNE_INLINE void ThreadStore(iterator_type to, T value)
{
    if constexpr (std::is_pointer_v<iterator_type> && std::is_scalar_v<T> && modifier == STORE_VOLATILE)
        *static_cast<volatile std::remove_pointer_t<iterator_type> *>(to) = value;
    else
        *to = value;
}
}
#endif

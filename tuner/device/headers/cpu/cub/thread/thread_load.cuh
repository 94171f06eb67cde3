/* SPDX-License-Identifier: Apache-2.0 */
/* cub/thread/thread_load.cuh - loads with hints for caches, which are ignored; a volatile load is one. */
#ifndef TUNE_CUB_THREAD_LOAD
#define TUNE_CUB_THREAD_LOAD
#include <cub/config.cuh>
#include <type_traits>
namespace cub {
enum CacheLoadModifier { LOAD_DEFAULT, LOAD_CA, LOAD_CG, LOAD_CS, LOAD_CV, LOAD_LDG, LOAD_VOLATILE };
template <CacheLoadModifier modifier, class iterator_type> TUNE_INLINE auto ThreadLoad(iterator_type from)
{
    typedef std::remove_cv_t<std::remove_reference_t<decltype(*from)>> T;
    if constexpr (std::is_pointer_v<iterator_type> && std::is_scalar_v<T> &&
                  (modifier == LOAD_VOLATILE || modifier == LOAD_CV))
        return T(*static_cast<const volatile T *>(from));
    else
        return T(*from);
}
}
#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* gather.hpp - the values of all lanes of a warp that take part, however large. */
#ifndef TUNE_GATHER
#define TUNE_GATHER
#include <tune/room.hpp>
template <class T> struct tune_gathered {
    tune_room<T, TUNE_WARP> values;
    tune_u32 present;
};
template <class T> TUNE_INLINE tune_gathered<T> tune_gather(unsigned int mask, const T &value, int line)
{
    tune_gathered<T> all;
    for (size_t at = 0; at < sizeof(T); at += sizeof(tune_u64)) {
        size_t bytes = sizeof(T) - at < sizeof(tune_u64) ? sizeof(T) - at : sizeof(tune_u64);
        tune_u64 part = 0;
        __builtin_memcpy(&part, (const char *)&value + at, bytes);
        tune_exchanged parts = tune_exchange(mask, part, line);
        all.present = parts.present;
        for (int i = 0; i < TUNE_WARP; i++)
            __builtin_memcpy((char *)&all.values[i] + at, &parts.values[i], bytes);
    }
    return all;
}
#endif

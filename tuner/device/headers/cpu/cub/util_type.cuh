/* SPDX-License-Identifier: Apache-2.0 */
/* cub/util_type.cuh - the types that CUB's interfaces mention. */
#ifndef TUNE_CUB_UTIL_TYPE
#define TUNE_CUB_UTIL_TYPE
#include <cub/config.cuh>
#include <tune/room.hpp>
namespace cub {

/* Stands for no type, as the values of a sort of keys alone. */
struct NullType {
    template <class T> __forceinline__ NullType &operator=(const T &) { return *this; }
    __forceinline__ bool operator==(const NullType &) const { return true; }
    __forceinline__ bool operator!=(const NullType &) const { return false; }
};

template <int number> struct PowerOfTwo {
    enum { VALUE = (number & (number - 1)) == 0 };
};
/* Rounded up. */
template <int number> struct Log2 {
    enum { VALUE = number <= 1 ? 0 : 32 - __builtin_clz(unsigned(number > 1 ? number - 1 : 1)) };
};

/* Memory for a T in shared memory or a union, whose constructor is not called. */
template <class T> struct Uninitialized {
    tune_room<T, 1> room;
    __forceinline__ T &Alias() { return room[0]; }
};

template <class key_type, class value_type> struct KeyValuePair {
    typedef key_type Key;
    typedef value_type Value;
    key_type key;
    value_type value;
    KeyValuePair() = default;
    __forceinline__ KeyValuePair(const key_type &key, const value_type &value) : key(key), value(value) {}
    __forceinline__ bool operator!=(const KeyValuePair &other) const
    {
        return value != other.value || key != other.key;
    }
};

}
#endif

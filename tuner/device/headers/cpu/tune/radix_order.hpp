/* SPDX-License-Identifier: Apache-2.0 */
/* radix_order.hpp - numbers as unsigned integers in the same order. Both zeros of floating-point types are one. */
#ifndef TUNE_RADIX_ORDER
#define TUNE_RADIX_ORDER
#include <type_traits>
struct __half;
struct __nv_bfloat16;
namespace cub {

template <size_t bytes> struct tune_unsigned;
template <> struct tune_unsigned<1> {
    typedef unsigned char type;
};
template <> struct tune_unsigned<2> {
    typedef unsigned short type;
};
template <> struct tune_unsigned<4> {
    typedef unsigned int type;
};
template <> struct tune_unsigned<8> {
    typedef unsigned long long type;
};

template <class key_type>
TUNE_INLINE typename tune_unsigned<sizeof(key_type)>::type tune_radix_order(const key_type &key)
{
    constexpr bool is_real = std::is_floating_point_v<key_type> || std::is_same_v<key_type, __half> ||
                             std::is_same_v<key_type, __nv_bfloat16>;
    static_assert(is_real || std::is_integral_v<key_type>, "radix sorts on the CPU device are of numbers");
    typedef typename tune_unsigned<sizeof(key_type)>::type bits_type;
    constexpr bits_type sign = bits_type(bits_type(1) << (8 * sizeof(key_type) - 1));
    bits_type bits;
    __builtin_memcpy(&bits, &key, sizeof bits);
    if constexpr (is_real) {
        if (bits == sign)
            bits = 0;
        return bits_type(bits & sign ? ~bits : bits | sign);
    } else {
        return std::is_signed_v<key_type> ? bits_type(bits ^ sign) : bits;
    }
}

}
#endif

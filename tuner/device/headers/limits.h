/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TUNE_LIMITS_H
#define TUNE_LIMITS_H
#define CHAR_BIT   8
#define SCHAR_MIN  (-128)
#define SCHAR_MAX  127
#define UCHAR_MAX  255
#define CHAR_MIN   SCHAR_MIN
#define CHAR_MAX   SCHAR_MAX
#define SHRT_MIN   (-SHRT_MAX - 1)
#define SHRT_MAX   0x7fff
#define USHRT_MAX  0xffff
#define INT_MIN    (-INT_MAX - 1)
#define INT_MAX    0x7fffffff
#define UINT_MAX   0xffffffff
#define LONG_MIN   (-LONG_MAX - 1)
#define LONG_MAX   0x7fffffffffffffffL
#define ULONG_MAX  0xffffffffffffffffUL
#define LLONG_MIN  (-LLONG_MAX - 1)
#define LLONG_MAX  0x7fffffffffffffffLL
#define ULLONG_MAX 0xffffffffffffffffULL
#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* size_t, ptrdiff_t and NULL are there without it. */
#ifndef TUNE_STDDEF_H
#define TUNE_STDDEF_H
#ifdef TUNE_CPU
#define offsetof(type, member) __builtin_offsetof(type, member)
#else /* as NVRTC's front end, EDG's, spells it */
#define offsetof(type, member) __INTADDR__(&((type *)0)->member)
#endif
struct max_align_t {
    alignas(16) char tune_bytes[16];
};
namespace std {
using ::size_t;
using ::ptrdiff_t;
using ::max_align_t;
typedef decltype(nullptr) nullptr_t;
}
#endif

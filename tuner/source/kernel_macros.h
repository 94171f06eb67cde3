/* SPDX-License-Identifier: Apache-2.0 */
/*
 * kernel_macros.h - the words of a CUDA source that look like tunable parameters.
 *
 *     #ifndef BLOCK
 *     #define BLOCK 256        a default, which whoever compiles may replace
 *     #endif
 *     #define TILE 16          fixed: a parameter only once #ifndef is put around it
 *     ... ITEMS ...            in capitals and defined nowhere in the file: whoever compiles must say
 */
#ifndef TUNE_SOURCE_KERNEL_MACROS_H
#define TUNE_SOURCE_KERNEL_MACROS_H

#include <stdbool.h>
#include <stddef.h>

enum { KERNEL_MACRO_MOST = 127 };

enum kernel_macro_kind { KERNEL_MACRO_DEFAULT, KERNEL_MACRO_FIXED, KERNEL_MACRO_UNDEFINED };

struct kernel_macro {
    enum kernel_macro_kind kind;
    char name[KERNEL_MACRO_MOST + 1];
    long long value; /* of the first two kinds, which are whole numbers of decimal digits; else 0 */
    unsigned line;   /* where it is defined, or first used */
};

struct kernel_macros {
    struct kernel_macro *items; /* in their order, each name once */
    size_t count;
};

/* The macros of `length` bytes; free the items. `complete`: all that the source includes is known to define no such
 * words, so that the undefined ones are listed. False: out of memory. */
bool kernel_macros_scan(const char *text, size_t length, bool complete, struct kernel_macros *macros);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * macro_guard.h - a fixed macro of a source as a default, which whoever compiles may replace:
 *
 *     #define N 4096       becomes       #ifndef N
 *                                        #define N 4096
 *                                        #endif
 */
#ifndef TUNE_SOURCE_MACRO_GUARD_H
#define TUNE_SOURCE_MACRO_GUARD_H

#include <stdbool.h>
#include <stddef.h>

struct guarded_source {
    char *text; /* NUL-terminated; NULL: there is no such macro, or the source defines it again or removes it */
    size_t length;
};

/* The source with its only definition of `name` in such a guard; free the text. False: out of memory. */
bool macro_guard(const char *text, size_t length, const char *name, struct guarded_source *guarded);

#endif

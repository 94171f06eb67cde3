/* SPDX-License-Identifier: Apache-2.0 */
/*
 * For a libtune.so with Jansson inside (TUNE_STATIC). Distributions compile the archives of libraries for programs,
 * not for shared libraries, which may not refer to variables of libc as such code does. Jansson's does so once: it
 * compares a stream with stdin, for the name in messages. The linker (--wrap=stdin) gives it this one, which no
 * stream is.
 */
#include <stdio.h>

extern FILE *__wrap_stdin; /* NOLINT(bugprone-reserved-identifier): the linker's word for it */
FILE *__wrap_stdin;        /* NOLINT(bugprone-reserved-identifier) */

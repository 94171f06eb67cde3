/* SPDX-License-Identifier: Apache-2.0 */
/*
 * joined_lines.h - a source without the line ends that follow a backslash, as a preprocessor reads it.
 */
#ifndef TUNE_SOURCE_JOINED_LINES_H
#define TUNE_SOURCE_JOINED_LINES_H

#include <stdbool.h>
#include <stddef.h>

/*
 * The text with such lines joined, allocated and NUL-terminated, and its length in `*joined`; NULL: out of memory.
 * The line ends lost follow the joined line, so that numbers of lines stay right. `*uncertain` becomes true where
 * there are blanks between backslash and line end, about which compilers disagree: the lines are joined.
 */
char *joined_lines(const char *bytes, size_t length, size_t *joined, bool *uncertain);

#endif

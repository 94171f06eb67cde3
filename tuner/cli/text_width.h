/* SPDX-License-Identifier: Apache-2.0 */
/*
 * text_width.h - how many columns a UTF-8 text takes on a terminal.
 *
 * East Asian characters take two columns and combining marks none, as wcwidth has it in the present locale: main sets
 * a UTF-8 one. Where wcwidth knows nothing a character takes one column, and so does a byte that is not UTF-8.
 * Escape sequences that set a style take none.
 */
#ifndef TUNE_CLI_TEXT_WIDTH_H
#define TUNE_CLI_TEXT_WIDTH_H

#include <stddef.h>

size_t text_width(const char *text);

/* The same of its first `bytes`. */
size_t text_width_of(const char *text, size_t bytes);

/* Bytes of the longest start of `text` that fits into `columns`. */
size_t text_prefix(const char *text, size_t columns);

/*
 * Bytes of the next line of `text` folded to `columns`: it ends before a space or behind a comma where there is one,
 * else wherever the width ends. Always at least one character, unless the text is empty.
 */
size_t text_fold(const char *text, size_t columns);

#endif

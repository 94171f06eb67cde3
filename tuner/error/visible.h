/* SPDX-License-Identifier: Apache-2.0 */
/*
 * visible.h - texts of others on their way to a terminal, a log or JSON: what would act is made to show.
 *
 * A path, a database, an option, a compiler or a kernel may hold anything: sequences that move the cursor or recolor
 * the screen, characters that reverse the order of those behind them, bytes that are not UTF-8. All that is printed
 * goes through here, except texts that are known to be our own and the styles of terminal.h.
 *
 * Shown as escapes are C0 and C1 control characters and DEL (\n, \t, \r, \x1b, \u0085), the controls of direction,
 * the separators of lines and paragraphs, and the invisible ones among the format characters (\u202e, \ufeff,
 * \U000e0041), and each byte that is not UTF-8 (\xff). In texts of several lines a newline stays, and a tab is a
 * space.
 */
#ifndef TUNE_ERROR_VISIBLE_H
#define TUNE_ERROR_VISIBLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

enum visible_lines { VISIBLE_ONE_LINE, VISIBLE_LINES };

/* Is it one of those characters? */
bool visible_is_hidden(uint32_t code);

/* The text, allocated; NULL: out of memory. */
char *visible_text(const char *text, enum visible_lines lines);

/* Write the first `length` bytes of a text. Allocates nothing. */
void visible_write(FILE *stream, const char *text, size_t length, enum visible_lines lines);

/* printf, in which newlines stay and all else is shown. Where memory is short, what fits 1 KiB is printed. */
void visible_printf(FILE *stream, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* How many characters stand for the first `length` bytes of a text of one line. */
size_t visible_width(const char *text, size_t length);

/* Write a JSON text that jansson made: what it leaves as it is inside of strings, but is no text to show, becomes
 * \u escapes, so that the JSON means the same. */
void visible_write_json(FILE *stream, const char *json);

/*
 * A stream that writes to `stream` and lets nothing else through, for libraries that print themselves; NULL: out of
 * memory. It writes whole lines where it can; closing it leaves `stream` open.
 */
FILE *visible_stream(FILE *stream);

#endif

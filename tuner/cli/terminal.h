/* SPDX-License-Identifier: Apache-2.0 */
/*
 * terminal.h - what a stream leads to: whether it can be redrawn, whether to color it, and how wide it is.
 *
 * A pipe or a file gets no color, no redrawing and lines of any length, so that its lines can be searched. The
 * environment has its say: NO_COLOR switches color off, CLICOLOR_FORCE switches it on even in a pipe, and TERM=dumb
 * is a terminal that shows plain lines only.
 */
#ifndef TUNE_CLI_TERMINAL_H
#define TUNE_CLI_TERMINAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

struct terminal {
    FILE *stream;
    bool redraws; /* a terminal that can move the cursor */
    bool color;
    bool utf8;    /* shows more than ASCII */
    size_t width; /* columns; 0: no limit */
};

struct terminal terminal_of(FILE *stream);

/* Ask again: the window may have been resized. */
void terminal_update_width(struct terminal *terminal);

enum style { STYLE_PLAIN, STYLE_HEADING, STYLE_BEST, STYLE_ERROR, STYLE_FAINT };

/* The escape sequences that begin and end a style; "" without color. */
const char *style_on(const struct terminal *terminal, enum style style);
const char *style_off(const struct terminal *terminal);

/* A label and a text in this style behind it, which folds under itself within the terminal's width; one line in a
 * pipe. Both are printed as they are: texts of others must have been made visible (visible.h). */
void terminal_print_folded(const char *label, const char *text, enum style style, const struct terminal *out);

#endif

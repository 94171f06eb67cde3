/* SPDX-License-Identifier: Apache-2.0 */
/*
 * line_program.h - a program that lines of text are exchanged with, over its standard input and output.
 *
 * It has a process group of its own, no other files of this process than its standard error, and is killed with the
 * group by line_program_end; it dies with the thread that started it. Nothing here waits longer than it is told, and
 * no line takes more memory than LINE_MOST bytes.
 */
#ifndef TUNE_SEARCH_LINE_PROGRAM_H
#define TUNE_SEARCH_LINE_PROGRAM_H

#include "tuner/error/error.h"

enum { LINE_MOST = 1 << 20 };

struct line_program;

/* `command` is the program, looked for in PATH, and its arguments, between blanks: no shell reads it. ERROR_INPUT: it
 * cannot be started. */
bool line_program_start(const char *command, struct line_program **result, struct error *error);

/* Kill and reap it. */
void line_program_end(struct line_program *program);

/* Add a line to what will be sent; it is when a line is received. False: out of memory. */
bool line_program_put(struct line_program *program, const char *line);

/*
 * Send what was put, and receive a line, which belongs to the program until the next call. ERROR_WORK: it took longer
 * than `seconds`, has ended, closed its output, or sent a line of more than LINE_MOST bytes or with a NUL byte.
 */
bool line_program_receive(struct line_program *program, double seconds, char **line, struct error *error);

#endif

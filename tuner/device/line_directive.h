/* SPDX-License-Identifier: Apache-2.0 */
/*
 * line_directive.h - tell a compiler where the text that follows stands.
 */
#ifndef TUNE_DEVICE_LINE_DIRECTIVE_H
#define TUNE_DEVICE_LINE_DIRECTIVE_H

#include <stdio.h>

/* Write #line LINE "PATH" and a newline. */
void line_directive(FILE *stream, unsigned line, const char *path);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * parameter_check.h - does the source leave the parameters' macros alone?
 *
 * A source with its own `#define UNROLL 4` compiles to the same binary whatever the configuration's UNROLL is. So
 * what compilers get is the source with assertions: behind each #define of a parameter, behind each #include of a
 * file that has one, and at the end, a macro that is defined must have the value of the request's defines. It may be
 * undefined, and `#ifndef UNROLL` around a default does no harm. Nothing can be inserted into included files, so
 * there a #define that is followed by an #undef or a pop_macro is an error whatever its value.
 */
#ifndef TUNE_DEVICE_PARAMETER_CHECK_H
#define TUNE_DEVICE_PARAMETER_CHECK_H

#include "tuner/device/device.h"

#include <stdio.h>

/*
 * Write `text`, the request's source as it is to be compiled, with lines for lines, and the assertions in C++; a line
 * directive precedes it. An assertion has the place of the #define at fault, if that is in the text or in a file that
 * this includes by name, else of the text's end. What follows has the line number of the text's end. False: out of
 * memory.
 */
bool parameter_check_write(const struct compile_request *request, const char *text, size_t length, FILE *stream);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * parameter_check.h - does the source leave the parameters' macros alone?
 *
 * A source with its own `#define UNROLL 4` compiles to the same binary whatever the configuration's UNROLL is. So
 * both compilers append assertions to the user's text: each macro that is still defined must have the value of the
 * request's defines. The macro may be undefined by then, and `#ifndef UNROLL` around a default does no harm.
 */
#ifndef TUNE_DEVICE_PARAMETER_CHECK_H
#define TUNE_DEVICE_PARAMETER_CHECK_H

#include "tuner/device/device.h"

#include <stdio.h>

/*
 * Write the assertions, in C++, to follow the text on a line of their own; only for parameters that the
 * text or a file that it includes may define. They are placed
 * at the #define at fault, if it is in the text or in a file that this includes by name, else at the end of the text.
 * What follows has the line number of the text's end. False: out of memory.
 */
bool parameter_check_write(const struct compile_request *request, FILE *stream);

#endif

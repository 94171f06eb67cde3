/* SPDX-License-Identifier: Apache-2.0 */
/*
 * compiler_error.h - the first error in a compiler's messages: "FILE:LINE: error: TEXT" of GCC, Clang and NVRTC.
 */
#ifndef TUNE_CHECK_COMPILER_ERROR_H
#define TUNE_CHECK_COMPILER_ERROR_H

#include "tuner/check/diagnostic.h"

/* Fill in file, line and text. Where no line has that form, the text is the beginning of the messages, and file and
 * line stay. */
void compiler_error_first(const char *log, struct diagnostic *diagnostic);

#endif

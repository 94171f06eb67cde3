/* SPDX-License-Identifier: Apache-2.0 */
/*
 * compiler_error.h - the first error in a compiler's messages: "FILE:LINE: error: TEXT" of GCC, Clang and NVRTC.
 *
 * The devices add notes of their own behind the messages, lines "note: TEXT".
 */
#ifndef TUNE_CHECK_COMPILER_ERROR_H
#define TUNE_CHECK_COMPILER_ERROR_H

#include "tuner/check/diagnostic.h"

/* Fill in file, line and text, with the first note in parentheses. Where no line has that form, the text is the
 * beginning of the messages, and file and line stay. */
void compiler_error_first(const char *log, struct diagnostic *diagnostic);

/* The text of the first note and its length; "": there is none. */
const char *compiler_error_note(const char *log, size_t *length);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * program_output.h - run another program to completion and capture its standard output.
 */
#ifndef TUNE_CHECK_PROGRAM_OUTPUT_H
#define TUNE_CHECK_PROGRAM_OUTPUT_H

#include "tuner/error/error.h"

/*
 * Run `arguments` without a shell ([0] is looked up on PATH), with the file `input` as standard input (NULL: none)
 * and standard error discarded; after `seconds` the program is killed. `*output` is allocated and NUL-terminated. The
 * exit status is ignored. False: the program cannot be started (ERROR_WORK) or its output not be captured.
 */
bool program_output(char *const *arguments, const char *input, double seconds, char **output, struct error *error);

#endif

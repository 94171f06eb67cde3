/* SPDX-License-Identifier: Apache-2.0 */
/*
 * program_output.h - run another program to its end and read what it prints.
 */
#ifndef TUNE_CHECK_PROGRAM_OUTPUT_H
#define TUNE_CHECK_PROGRAM_OUTPUT_H

#include "tuner/error/error.h"

/*
 * Run `arguments` ([0] is looked up on PATH; no shell) with `input` (a file, or NULL) as standard input and its
 * errors discarded. `*output` is allocated and ends with a NUL. False if it cannot be started or read; how it ended
 * does not matter.
 */
bool program_output(char *const *arguments, const char *input, double seconds, char **output, struct error *error);

#endif

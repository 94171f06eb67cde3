/* SPDX-License-Identifier: Apache-2.0 */
/*
 * literal.h - a number of a configuration as a C literal, as the macro of a parameter has it.
 */
#ifndef TUNE_JOB_LITERAL_H
#define TUNE_JOB_LITERAL_H

#include "tuner/lang/value.h"

#include <stdio.h>

/* A boolean is 1 or 0. Negative numbers are put in parentheses, so that they mean the same wherever the macro stands;
 * integers beyond 32 bits end in LL. Nothing is written of a string. */
void literal_write(FILE *stream, struct value value);

#endif

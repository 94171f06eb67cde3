/* SPDX-License-Identifier: Apache-2.0 */
/*
 * missing_names.h - in plain words, which kernels and variables that a template asks for its source lacks.
 *
 * The compiler finds the mistake in the tables that source.c writes behind the source, a line a name.
 */
#ifndef TUNE_DEVICE_CPU_MISSING_NAMES_H
#define TUNE_DEVICE_CPU_MISSING_NAMES_H

#include "tuner/device/device.h"

/* What compilers call the tables in their messages. */
#define MISSING_NAMES_TABLES "kernels and symbols that the template asks for"

/* The log, behind a line for each name that it complains of, and ahead of notes (log_advice.h); allocated, NULL: out
 * of memory. */
char *missing_names_explain(const char *log, const struct compile_request *request);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * sanitizer_output.h - read what compute-sanitizer prints about a plain run (plain_run.h).
 */
#ifndef TUNE_CHECK_SANITIZER_OUTPUT_H
#define TUNE_CHECK_SANITIZER_OUTPUT_H

#include "tuner/check/diagnostic.h"

/* Calls `found` for each report in the output. Unknown lines are skipped, because the wording varies by version. */
void sanitizer_output_read(const char *output, void (*found)(void *context, const struct diagnostic *diagnostic),
                           void *context);

#endif

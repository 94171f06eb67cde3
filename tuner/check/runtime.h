/* SPDX-License-Identifier: Apache-2.0 */
/*
 * runtime.h - where the compiler keeps the run time library of AddressSanitizer.
 */
#ifndef TUNE_CHECK_RUNTIME_H
#define TUNE_CHECK_RUNTIME_H

#include "tuner/error/error.h"

/* Its path. ERROR_WORK with a hint if there is no compiler or it has none. */
bool runtime_find(char *path, size_t size, struct error *error);

#endif

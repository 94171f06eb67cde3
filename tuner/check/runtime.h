/* SPDX-License-Identifier: Apache-2.0 */
/*
 * runtime.h - find the compiler's runtime library of AddressSanitizer.
 */
#ifndef TUNE_CHECK_RUNTIME_H
#define TUNE_CHECK_RUNTIME_H

#include "tuner/error/error.h"

/* ERROR_WORK with a hint: there is no compiler, or it has no such library. */
bool runtime_find(char *path, size_t size, struct error *error);

#endif

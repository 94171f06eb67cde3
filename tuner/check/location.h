/* SPDX-License-Identifier: Apache-2.0 */
/*
 * location.h - resolve addresses in a compiled module to files and lines, from its debug information.
 *
 * Runs addr2line of binutils, which the compiler needs anyway, or LLVM's.
 */
#ifndef TUNE_CHECK_LOCATION_H
#define TUNE_CHECK_LOCATION_H

#include "tuner/error/error.h"

#include <stdint.h>

struct location {
    char file[512];
    unsigned line; /* 0: unknown */
};

/*
 * Resolve `count` return addresses, given as offsets into the module. For code inlined from the CUDA words, the
 * result is the user's line that called it. ERROR_WORK: there is no addr2line.
 */
bool location_find(const char *module, const uint64_t *code, size_t count, struct location *locations,
                   struct error *error);

/* The name of the array that is indexed at a column (from 1) of the source line; "" if there is none. */
void location_array_name(const struct location *location, int column, char *name, size_t size);

#endif

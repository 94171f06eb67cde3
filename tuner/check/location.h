/* SPDX-License-Identifier: Apache-2.0 */
/*
 * location.h - from places in a compiled module to files and lines, by the debugger's information in it.
 *
 * Asks addr2line of binutils (which the compiler needs anyway) or LLVM's.
 */
#ifndef TUNE_CHECK_LOCATION_H
#define TUNE_CHECK_LOCATION_H

#include "tuner/error/error.h"

#include <stdint.h>

struct location {
    char file[512];
    unsigned line; /* 0: not known */
};

/*
 * Of `count` addresses behind instructions, offsets into the module. Where an instruction comes from a function of
 * the CUDA words that was inlined, the user's line that called it is told. ERROR_WORK: there is no addr2line.
 */
bool location_find(const char *module, const uint64_t *code, size_t count, struct location *locations,
                   struct error *error);

/* The array whose index stands at a column of a line of a file: the name ahead of the brackets. "" if none. */
void location_array_name(const struct location *location, int column, char *name, size_t size);

#endif

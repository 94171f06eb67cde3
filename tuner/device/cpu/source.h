/* SPDX-License-Identifier: Apache-2.0 */
/*
 * source.h - from a kernel's CUDA source to a translation unit for the host's C++ compiler.
 *
 * The unit consists of the words of CUDA, the defines, the user's text (rewrite.h) under its own name and line
 * numbers, and a table of the requested kernels and symbols.
 */
#ifndef TUNE_DEVICE_CPU_SOURCE_H
#define TUNE_DEVICE_CPU_SOURCE_H

#include "tuner/device/device.h"

#include <stdio.h>

/* Write what precedes the defines in every unit: the words of CUDA. */
void source_write_words(FILE *stream);

/*
 * Write the unit. `words_ahead`: the compiler includes the words of CUDA by itself. Fails on wrong names, out of
 * memory, or if the stream fails.
 */
bool source_write(const struct compile_request *request, bool words_ahead, FILE *stream, struct error *error);

#endif

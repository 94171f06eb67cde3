/* SPDX-License-Identifier: Apache-2.0 */
/*
 * options.h - the host compiler's command line: our own options, and those of a request, which are written for NVRTC.
 */
#ifndef TUNE_DEVICE_CPU_OPTIONS_H
#define TUNE_DEVICE_CPU_OPTIONS_H

#include "tuner/device/device.h"

#include <stdio.h>

/* How many arguments fit besides the options of this file. */
enum { ARGUMENTS_SPARE = 16 };

struct arguments {
    const char **list; /* the caller frees it; the strings are borrowed. It ends in NULL. */
    size_t count;
};

/* An empty list with room for every option of this file and of the request, each once, and ARGUMENTS_SPARE more. */
bool arguments_begin(struct arguments *arguments, const struct compile_request *request, struct error *error);

void arguments_add(struct arguments *arguments, const char *argument);
/* What to compile with. */
void arguments_add_base(struct arguments *arguments, bool clang);
/* What a link command starts and ends with. */
void arguments_add_link(struct arguments *arguments);
void arguments_add_libraries(struct arguments *arguments);
/* The request's options, those of NVRTC translated or dropped. Returns how many were added. */
size_t arguments_add_request(struct arguments *arguments, const struct compile_request *request);

/* All options of our own, one per line, for the identity of images. */
void options_write(FILE *stream);

#endif

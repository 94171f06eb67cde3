/* SPDX-License-Identifier: Apache-2.0 */
/*
 * headers.h - the headers that a kernel may include, on every device alike.
 *
 * NVRTC has no C library, and the CPU device must not accept what NVRTC refuses. So neither compiler sees the host's
 * headers; one table (known_headers.c) says what stands for each name:
 *
 *     C and C++ headers for kernels   our own text (headers/), the same on all devices: stdint.h, cmath, type_traits
 *     those of hosts alone            refused on all devices: vector, iostream, cub/device/ ...
 *     the Toolkit's                   NVRTC reads them beside itself; the CPU device has its own text for some
 *                                     (headers/cpu/: cuda_fp16.h, cub/block/ ...), knows what others declare
 *                                     (cuda_runtime.h), and refuses the rest, as mma.h
 *
 * A header of the user's own always comes first. Refused ones are headers that consist of an #error, so that they may
 * stand inside an #if that is false.
 */
#ifndef TUNE_DEVICE_HEADERS_H
#define TUNE_DEVICE_HEADERS_H

#include "tuner/device/device.h"

#include <stdio.h>

/* Who compiles. */
enum headers_for { HEADERS_FOR_CPU, HEADERS_FOR_NVRTC, HEADERS_FOR_NVRTC_ALONE /* without the Toolkit's headers */ };

/* A set of them; the names are of the table, the texts are owned. */
struct headers {
    const char **names;
    char **texts;
    size_t count;
};

/* Those that the request's source includes, directly or not, with all that they include themselves. False: out of
 * memory. Free them with headers_clear. */
bool headers_collect(const struct compile_request *request, enum headers_for compiler, struct headers *headers);
void headers_clear(struct headers *headers);

/* Write them below a folder, which is made if necessary; those that are there already stay. */
bool headers_write(const struct headers *headers, const char *folder, struct error *error);
/* Remove them, and the folder if it is empty then. */
void headers_remove(const struct headers *headers, const char *folder);

/* All texts, for the identity of images. */
void headers_write_all(FILE *stream);

#endif

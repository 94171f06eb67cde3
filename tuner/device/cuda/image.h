/* SPDX-License-Identifier: Apache-2.0 */
/*
 * image.h - the image that `compile` returns and `load` takes: a cubin, and the names of its functions.
 *
 * The compiler mangles C++ names. An image keeps, beside the cubin, each requested name and its mangled form:
 *     "TUNECUDA", pair count (4 bytes), offset of the cubin (4 bytes), both NUL-terminated names of each pair,
 *     zeros up to a multiple of 16, the cubin to the end.
 * Numbers are little-endian. Images come back from caches on disk, so reading one trusts nothing.
 */
#ifndef TUNE_DEVICE_CUDA_IMAGE_H
#define TUNE_DEVICE_CUDA_IMAGE_H

#include "tuner/error/error.h"

#include <stddef.h>

struct image_name {
    const char *name;    /* as the template writes it; of a variable, "&name" */
    const char *lowered; /* its name in the cubin */
};

/* The parts of an image, whose memory it borrows. */
struct image_view {
    const char *names; /* the pairs */
    size_t name_count;
    const void *cubin;
    size_t cubin_bytes;
};

/* A new image, to be released with free(). The caller fills in `cubin_bytes` bytes at `*cubin`. NULL: out of memory.
 */
void *image_create(const struct image_name *names, size_t name_count, size_t cubin_bytes, void **cubin,
                   size_t *image_bytes);

bool image_view(const void *image, size_t bytes, struct image_view *view, struct error *error);

/* The name in the cubin; NULL if `name` was not requested. */
const char *image_lowered(const struct image_view *view, const char *name);

#endif

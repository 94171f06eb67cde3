/* SPDX-License-Identifier: Apache-2.0 */
/*
 * image.h - what `compile` hands out and `load` takes: a cubin and the names by which its functions are asked for.
 *
 * The compiler mangles C++ names. An image keeps, beside the cubin, each name that was asked for and what it became:
 *     "TUNECUDA", pair count (4 bytes), offset of the cubin (4 bytes), then per pair both names ending in a NUL,
 *     zeros up to a multiple of 16, the cubin to the end.
 * Numbers are little-endian. Images come back from caches and databases, so reading one trusts nothing.
 */
#ifndef TUNE_DEVICE_CUDA_IMAGE_H
#define TUNE_DEVICE_CUDA_IMAGE_H

#include "tuner/error/error.h"

#include <stddef.h>

struct image_name {
    const char *name;    /* as the template writes it; the address of a variable is "&name" */
    const char *lowered; /* as the cubin has it */
};

/* Where things lie in an image; it borrows the image's memory. */
struct image_view {
    const char *names; /* the pairs */
    size_t name_count;
    const void *cubin;
    size_t cubin_bytes;
};

/* A new image, to be freed with free(). `*cubin` is where the caller puts `cubin_bytes` bytes. NULL: out of memory.
 */
void *image_create(const struct image_name *names, size_t name_count, size_t cubin_bytes, void **cubin,
                   size_t *image_bytes);

bool image_view(const void *image, size_t bytes, struct image_view *view, struct error *error);

/* What `name` became; NULL if it was not asked for. */
const char *image_lowered(const struct image_view *view, const char *name);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * images.h - a configuration's images: one, or two in one block of memory if its source sees the sizes as macros.
 *
 * Two images are the length of the first in eight bytes, as the machine has them, the first and the second.
 */
#ifndef TUNE_MEASURE_IMAGES_H
#define TUNE_MEASURE_IMAGES_H

#include <stdbool.h>
#include <stddef.h>

/* Allocated, with its length in `bytes`; NULL: out of memory. */
void *images_join(const void *first, size_t first_bytes, const void *second, size_t second_bytes, size_t *bytes);

/* The first or, with `second`, the second of two. False: these are not two images. */
bool images_part(const void *images, size_t images_bytes, bool second, const void **image, size_t *image_bytes);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * hand_image.h - compiled images on their way between ranks: compressed (zstd).
 */
#ifndef TUNE_CLUSTER_HAND_IMAGE_H
#define TUNE_CLUSTER_HAND_IMAGE_H

#include "tuner/error/error.h"

#include <stddef.h>

/* Append an image (NULL: none) to the allocated bytes `*to` (NULL: none so far), of which there are `*count`; they
 * stay the caller's whatever the result. */
bool hand_image_append(const void *image, size_t image_bytes, void **to, size_t *count, struct error *error);

/* `*image` is allocated; NULL: there are no bytes, and no image. ERROR_MESSAGE: these bytes, which may be anyone's,
 * are none. */
bool hand_image_unpack(const void *packed, size_t packed_bytes, void **image, size_t *bytes, struct error *error);

#endif

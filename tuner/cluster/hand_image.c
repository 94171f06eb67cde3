/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/cluster/hand_image.h"

#include "tuner/workers/message.h"

#include <stdlib.h>
#include <zstd.h>

enum {
    IMAGE_MOST = 512 << 20, /* bytes */
    LEVEL = 1,              /* a cubin shrinks to a third, in a fraction of the time to compile it */
};

bool hand_image_append(const void *image, size_t image_bytes, void **to, size_t *count, struct error *error)
{
    if (!image)
        return true;
    size_t room = ZSTD_compressBound(image_bytes);
    char *bytes = realloc(*to, *count + room);
    if (!bytes)
        return error_out_of_memory(error);
    *to = bytes;
    size_t got = ZSTD_compress(bytes + *count, room, image, image_bytes, LEVEL);
    if (ZSTD_isError(got))
        return error_set(error, ERROR_SYSTEM, "an image cannot be compressed: %s", ZSTD_getErrorName(got));
    *count += got;
    return true;
}

bool hand_image_unpack(const void *packed, size_t packed_bytes, void **image, size_t *bytes, struct error *error)
{
    *image = NULL;
    *bytes = 0;
    if (packed_bytes == 0)
        return true;
    unsigned long long size = ZSTD_getFrameContentSize(packed, packed_bytes);
    if (size == 0 || size > IMAGE_MOST) /* as are the values that stand for an error */
        return message_malformed(error, "an image of impossible length");
    *image = malloc((size_t)size);
    if (!*image)
        return error_out_of_memory(error);
    size_t got = ZSTD_decompress(*image, (size_t)size, packed, packed_bytes);
    if (!ZSTD_isError(got) && got == size) {
        *bytes = got;
        return true;
    }
    free(*image);
    *image = NULL;
    return message_malformed(error, "a damaged image");
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/measure/images.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

void *images_join(const void *first, size_t first_bytes, const void *second, size_t second_bytes, size_t *bytes)
{
    uint64_t length = first_bytes;
    size_t total;
    *bytes = 0;
    if (__builtin_add_overflow(first_bytes, second_bytes, &total) ||
        __builtin_add_overflow(total, sizeof length, &total))
        return NULL;
    char *images = malloc(total);
    if (!images)
        return NULL;
    memcpy(images, &length, sizeof length);
    memcpy(images + sizeof length, first, first_bytes);
    memcpy(images + sizeof length + first_bytes, second, second_bytes);
    *bytes = total;
    return images;
}

bool images_part(const void *images, size_t images_bytes, bool second, const void **image, size_t *image_bytes)
{
    uint64_t length;
    if (!images || images_bytes < sizeof length)
        return false;
    memcpy(&length, images, sizeof length);
    size_t both = images_bytes - sizeof length;
    if (length > both)
        return false;
    *image = (const char *)images + sizeof length + (second ? length : 0);
    *image_bytes = second ? both - (size_t)length : (size_t)length;
    return true;
}

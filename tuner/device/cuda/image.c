/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/device/cuda/image.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static const char magic[8] = {'T', 'U', 'N', 'E', 'C', 'U', 'D', 'A'};

enum { HEADER_BYTES = 16, CUBIN_ALIGNMENT = 16 };

void *image_create(const struct image_name *names, size_t name_count, size_t cubin_bytes, void **cubin,
                   size_t *image_bytes)
{
    size_t offset = HEADER_BYTES;
    for (size_t i = 0; i < name_count; i++)
        offset += strlen(names[i].name) + strlen(names[i].lowered) + 2;
    offset = (offset + CUBIN_ALIGNMENT - 1) / CUBIN_ALIGNMENT * CUBIN_ALIGNMENT;
    if (name_count > UINT32_MAX || offset > UINT32_MAX || cubin_bytes > SIZE_MAX - offset)
        return NULL;
    char *image = calloc(1, offset + cubin_bytes);
    if (!image)
        return NULL;

    uint32_t numbers[2] = {(uint32_t)name_count, (uint32_t)offset};
    memcpy(image, magic, sizeof magic);
    memcpy(image + sizeof magic, numbers, sizeof numbers);
    char *at = image + HEADER_BYTES;
    for (size_t i = 0; i < name_count; i++) {
        at = stpcpy(at, names[i].name) + 1;
        at = stpcpy(at, names[i].lowered) + 1;
    }
    *cubin = image + offset;
    *image_bytes = offset + cubin_bytes;
    return image;
}

bool image_view(const void *image, size_t bytes, struct image_view *view, struct error *error)
{
    const char *start = image;
    uint32_t numbers[2] = {0, 0};
    if (bytes < HEADER_BYTES || memcmp(start, magic, sizeof magic) != 0)
        return error_set(error, ERROR_WORK, "the compiled program was not made for the CUDA device");
    memcpy(numbers, start + sizeof magic, sizeof numbers);
    size_t count = numbers[0], offset = numbers[1];
    if (offset < HEADER_BYTES || offset >= bytes)
        return error_set(error, ERROR_WORK, "the compiled program is truncated");

    const char *at = start + HEADER_BYTES, *end = start + offset;
    for (size_t i = 0; i < 2 * count; i++) {
        const char *stop = memchr(at, '\0', (size_t)(end - at));
        if (!stop)
            return error_set(error, ERROR_WORK, "the compiled program is damaged: its table of names is truncated");
        at = stop + 1;
    }
    *view = (struct image_view){start + HEADER_BYTES, count, start + offset, bytes - offset};
    return true;
}

const char *image_lowered(const struct image_view *view, const char *name)
{
    const char *at = view->names;
    for (size_t i = 0; i < view->name_count; i++) {
        const char *lowered = at + strlen(at) + 1;
        if (strcmp(at, name) == 0)
            return lowered;
        at = lowered + strlen(lowered) + 1;
    }
    return NULL;
}

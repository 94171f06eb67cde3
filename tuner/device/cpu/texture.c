/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/device/cpu/texture.h"

#include "tuner/device/cpu/kernel_abi.h"

#include <stdlib.h>

struct device_texture {
    struct tune_texture seen; /* by kernels */
};

static const uint32_t address_modes[] = {
    [ADDRESS_CLAMP] = TUNE_ADDRESS_CLAMP,
    [ADDRESS_BORDER] = TUNE_ADDRESS_BORDER,
    [ADDRESS_WRAP] = TUNE_ADDRESS_WRAP,
    [ADDRESS_MIRROR] = TUNE_ADDRESS_MIRROR,
};

bool cpu_texture_create(struct device *device, const struct texture_shape *shape, const struct texel *texel,
                        uint64_t address, struct device_texture **result, uint64_t *handle, struct error *error)
{
    (void)device;
    struct device_texture *texture = malloc(sizeof *texture);
    if (!texture)
        return error_out_of_memory(error);
    texture->seen = (struct tune_texture){
        .data = (void *)(uintptr_t)address,
        .width = shape->extent.x,
        .height = shape->extent.y,
        .depth = shape->extent.z,
        .dimensions = shape->dimensions,
        .texel_bytes = texel->channels * texel->bytes,
        .address_mode = address_modes[shape->address],
        .is_surface = shape->surface,
        .is_filtered = shape->linear,
        .is_normalized = shape->normalized,
    };
    *result = texture;
    *handle = (uint64_t)(uintptr_t)&texture->seen;
    return true;
}

/* There is no copy. */
bool cpu_texture_copy(struct device *device, struct device_texture *texture, struct error *error)
{
    (void)device, (void)texture, (void)error;
    return true;
}

void cpu_texture_release(struct device *device, struct device_texture *texture)
{
    (void)device;
    free(texture);
}

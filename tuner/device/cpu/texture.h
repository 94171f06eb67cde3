/* SPDX-License-Identifier: Apache-2.0 */
/*
 * texture.h - textures and surfaces of the CPU device: kernels see the buffer itself, by texture_words.hpp.
 */
#ifndef TUNE_DEVICE_CPU_TEXTURE_H
#define TUNE_DEVICE_CPU_TEXTURE_H

#include "tuner/device/device.h"

/* Like their namesakes in device.h; no device is needed. */
bool cpu_texture_create(struct device *device, const struct texture_shape *shape, const struct texel *texel,
                        uint64_t address, struct device_texture **texture, uint64_t *handle, struct error *error);
bool cpu_texture_copy(struct device *device, struct device_texture *texture, struct error *error);
void cpu_texture_release(struct device *device, struct device_texture *texture);

#endif

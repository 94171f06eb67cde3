/* SPDX-License-Identifier: Apache-2.0 */
/*
 * texture.h - textures of linear memory, textures and surfaces of CUDA arrays, which are copies of a buffer.
 *
 * The functions do what their namesakes in device.h promise; copies go to the main stream.
 */
#ifndef TUNE_DEVICE_CUDA_TEXTURE_H
#define TUNE_DEVICE_CUDA_TEXTURE_H

#include "tuner/device/cuda/context.h"
#include "tuner/device/device.h"

bool texture_create(const struct context *context, const struct texture_shape *shape, const struct texel *texel,
                    uint64_t address, struct device_texture **texture, uint64_t *handle, struct error *error);
bool texture_fill(struct device_texture *texture, struct error *error);
bool texture_drain(struct device_texture *texture, struct error *error);
void texture_release(struct device_texture *texture);

#endif

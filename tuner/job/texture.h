/* SPDX-License-Identifier: Apache-2.0 */
/*
 * texture.h - textures and surfaces of a launch: their shapes, and what they are made of.
 */
#ifndef TUNE_JOB_TEXTURE_H
#define TUNE_JOB_TEXTURE_H

#include "tuner/job/unrolling.h"

/* The texel that an element is: one, two or four floats or integers; false: none. */
bool texture_texel(const struct layout *layout, struct texel *texel);

bool texture_lower(const struct unrolling *unrolling, const struct argument *argument, struct job_argument *result);

#endif

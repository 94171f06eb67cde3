/* SPDX-License-Identifier: Apache-2.0 */
/*
 * textures.h - the texture and surface objects of an instance, made when first used.
 *
 * Those with copies are filled before a sequence: a texture once, since its buffer is an input (each time in a bare
 * instance, whose inputs may change), a surface each time;
 * a surface is copied back behind the sequence. None of this is timed.
 */
#ifndef TUNE_MEASURE_TEXTURES_H
#define TUNE_MEASURE_TEXTURES_H

#include "tuner/measure/instance.h"

/* Make and fill the objects of these steps; copy their surfaces back. Queued. */
bool textures_fill(struct validation_kernels *validation, const struct job_step *steps, size_t count,
                   const struct instance *instance, struct error *error);
bool textures_drain(struct validation_kernels *validation, const struct job_step *steps, size_t count,
                    const struct instance *instance, struct error *error);

/* What a kernel takes for the argument. */
bool textures_handle(const struct job_argument *argument, const struct instance *instance, uint64_t *handle,
                     struct error *error);

/* Are all objects of these steps made, for the memory that their buffers have now? */
bool textures_made(const struct job_step *steps, size_t count, const struct instance *instance);

/* Release all of them. */
void textures_clear(struct validation_kernels *validation, struct instance_textures *textures);

#endif

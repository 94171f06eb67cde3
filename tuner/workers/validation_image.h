/* SPDX-License-Identifier: Apache-2.0 */
/*
 * validation_image.h - the image of the validation kernels, made before it is needed.
 *
 * Workers that compile it themselves offer it while they open their device (image_offer.h). Those of `tune check` are
 * not asked to open one, so they should find it in the cache.
 */
#ifndef TUNE_WORKERS_VALIDATION_IMAGE_H
#define TUNE_WORKERS_VALIDATION_IMAGE_H

#include "tuner/description/description.h"

#include <stdbool.h>

/* Have a worker with its folder in `scratch_folder` compile it unless the cache has it. If that fails, whoever needs
 * it will find out why. */
void validation_image_prepare(const struct device_description *device, bool unconfined, const char *scratch_folder);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * early_image.h - an image that is compiled in a thread of its own before anybody waits for it.
 *
 * A GPU takes some 0.3 s to open, and so does a compiler that runs for the first time in its process, though the two
 * have nothing to do with each other. All that the compiler needs to know of the device is its architecture, which
 * may be known beforehand, or guessed by the driver at once.
 */
#ifndef TUNE_MEASURE_EARLY_IMAGE_H
#define TUNE_MEASURE_EARLY_IMAGE_H

#include "tuner/cache/compile_cache.h"
#include "tuner/job/job.h"

struct early_image;

/* Begin to compile `text` as `program`, both of which the caller keeps, for the device that is expected (NULL: for
 * the driver's guess). NULL: there is no thread or memory to be had. */
struct early_image *early_image_begin(const struct device_driver *driver, const struct device_description *expected,
                                      const struct compile_images *images, const struct job_program *program,
                                      const char *text, size_t length);

/*
 * Wait for the image, and offer it if it was compiled. True if it is one for `device`; else `result` is empty. Unless
 * `images` is NULL, `*images` is a new cache of images for that device, which belongs to the caller; NULL: out of
 * memory. Frees `early`.
 */
bool early_image_end(struct early_image *early, const struct device_description *device,
                     struct compile_cache **images, struct compile_result *result);

/* The same for one that nobody wants any more; NULL is allowed. */
void early_image_drop(struct early_image *early);

#endif

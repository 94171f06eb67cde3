/* SPDX-License-Identifier: Apache-2.0 */
/*
 * forerunner.h - a measuring worker that starts before anything is known of its device.
 *
 * It describes the device, goes on to open it at once, and compiles the validation kernels meanwhile, while this
 * process makes the problem and opens the database; a crew then takes it over as its first measuring worker.
 * Describing a device in a process of its own (describe.h) and opening it in the next starts the driver twice, one
 * after the other.
 */
#ifndef TUNE_WORKERS_FORERUNNER_H
#define TUNE_WORKERS_FORERUNNER_H

#include "tuner/description/description.h"
#include "tuner/workers/confinement.h"
#include "tuner/workers/worker_process.h"

struct forerunner;

/* Start it, confined unless `confinement` is NULL; with `use_cache` it reads the cache of images. */
bool forerunner_start(const char *kind, int ordinal, const struct confinement *confinement, bool use_cache,
                      struct forerunner **result, struct error *error);

/* Is it on that device? NULL is on none. */
bool forerunner_is_on(const struct forerunner *forerunner, const char *kind, int ordinal);

/* Wait for the description, once. False: the worker was lost, or does not find the device; describe.h, whose worker
 * is not confined, will tell whether that is so, and why. */
bool forerunner_describe(struct forerunner *forerunner, struct device_description *description);

/* The worker, to be asked to open its device, which now belongs to the caller; NULL: it was lost, or has been taken,
 * or `forerunner` is NULL. Its folder is the forerunner's, which must outlive it. */
struct worker *forerunner_take(struct forerunner *forerunner);

/* End the worker unless it was taken. NULL is allowed. */
void forerunner_end(struct forerunner *forerunner);

#endif

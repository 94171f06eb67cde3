/*
 * shelf.h - the instances that are kept between jobs: inputs and references are the same for a whole sweep.
 *
 * The most recently used stay as long as all together take less than half the device's memory.
 */
#ifndef TUNE_MEASURE_SHELF_H
#define TUNE_MEASURE_SHELF_H

#include "tuner/measure/instance.h"

struct shelf;

bool shelf_create(struct shelf **result, struct error *error);
void shelf_free(struct shelf *shelf, struct bench *bench);

/* The instance for a case of a job, made unless it is there. Belongs to the shelf; valid until the next call. */
bool shelf_get(struct shelf *shelf, struct bench *bench, struct program_cache *programs, const struct job *job,
               size_t which, struct instance **result, struct error *error);

/* Let go of all: after a kernel wrote where it must not, nothing on the device can be trusted. */
void shelf_clear(struct shelf *shelf, struct bench *bench);

#endif

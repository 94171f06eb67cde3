/* SPDX-License-Identifier: Apache-2.0 */
/*
 * instance_run.h - what of an instance a run of its sequences changes: the values of counts, which memory a buffer
 * has after swaps, and the extents of late buffers.
 */
#ifndef TUNE_MEASURE_INSTANCE_RUN_H
#define TUNE_MEASURE_INSTANCE_RUN_H

#include "tuner/measure/instance.h"

/* Room for the values of as many names; those that are new have none. */
bool instance_grow_values(struct instance *instance, size_t count, struct error *error);
/* What has been read so far, by setup, is known to every run; a run begins with nothing else. */
void instance_keep_values(const struct instance *instance);
void instance_forget_values(const struct instance *instance);

/* Two buffers exchange their memory. */
void instance_swap(const struct instance *instance, size_t a, size_t b);
/* The memory that each buffer has now is its own from here on. */
void instance_settle(const struct instance *instance);
/* Undo all swaps since then. */
void instance_go_home(const struct instance *instance);

/* Give a late buffer its extent, and poison (unless the instance is bare) or initialise it. ERROR_DOES_NOT_FIT: the
 * device is out of memory. */
bool instance_allocate(struct validation_kernels *validation, const struct instance *instance, size_t index,
                       uint64_t extent, struct error *error);

/* Memory of a buffer of a bare instance: no guard bands, no values. What is there already stays, if it is enough. */
bool instance_allocate_bare(struct validation_kernels *validation, const struct instance *instance, size_t index,
                            uint64_t extent, struct error *error);
void instance_release_bare(struct validation_kernels *validation, struct instance_buffer *buffer);

#endif

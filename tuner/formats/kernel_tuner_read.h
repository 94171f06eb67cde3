/* SPDX-License-Identifier: Apache-2.0 */
/*
 * kernel_tuner_read.h - Kernel Tuner's cache: an object with "cache", whose members hold parameters, times and costs
 * side by side.
 */
#ifndef TUNE_FORMATS_KERNEL_TUNER_READ_H
#define TUNE_FORMATS_KERNEL_TUNER_READ_H

#include "tuner/formats/recording_builder.h"

/* `path` is for messages. */
bool kernel_tuner_read(const char *path, const json_t *document, struct recording_builder *builder,
                       struct error *error);

/* The outcome that a name of Kernel Tuner's stands for ("InvalidConfig"); such names replace the time of a failure,
 * also in T4 files converted from caches. False: unknown. */
bool kernel_tuner_failure(const char *name, enum outcome *outcome);

/* False for a number that stands for a failure: older versions wrote 1e20. */
bool kernel_tuner_is_time(double time);

#endif

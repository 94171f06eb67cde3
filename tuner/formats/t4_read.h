/* SPDX-License-Identifier: Apache-2.0 */
/*
 * t4_read.h - T4: an object with "results", each with its configuration, times, validity and measurements. The
 * "metadata" of files that tune has written also have the default of the space (t4_write.h).
 */
#ifndef TUNE_FORMATS_T4_READ_H
#define TUNE_FORMATS_T4_READ_H

#include "tuner/formats/recording_builder.h"

/* `path` is for messages. */
bool t4_read(const char *path, const json_t *document, struct recording_builder *builder, struct error *error);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ktt_read.h - the results of KTT (Kernel Tuning Toolkit) as it saves them in JSON: "Metadata" with the device and
 * the unit of all times, and "Results", each with its status, its configuration and how long it took.
 *
 * A result's time is that of all kernels that a configuration launches. KTT stores it once, so there are no samples.
 */
#ifndef TUNE_FORMATS_KTT_READ_H
#define TUNE_FORMATS_KTT_READ_H

#include "tuner/formats/recording_builder.h"

/* `path` is for messages. */
bool ktt_read(const char *path, const json_t *document, struct recording_builder *builder, struct error *error);

#endif

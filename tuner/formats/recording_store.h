/* SPDX-License-Identifier: Apache-2.0 */
/*
 * recording_store.h - stores recordings in the database.
 */
#ifndef TUNE_FORMATS_RECORDING_STORE_H
#define TUNE_FORMATS_RECORDING_STORE_H

#include "db/store.h"
#include "tuner/formats/recording.h"

/* Store all results under the names of a kernel and a device, in one transaction. `path` is the file that they came
 * from. */
bool recording_store(struct store *store, const struct recording *recording, const char *path, const char *kernel,
                     const char *device, struct error *error);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * recording_store.h - recordings into the database, and timestamps as the formats have them.
 */
#ifndef TUNE_FORMATS_RECORDING_STORE_H
#define TUNE_FORMATS_RECORDING_STORE_H

#include "db/store.h"
#include "tuner/formats/recording.h"

enum { TIMESTAMP_TEXT = 40 };

/* Store all results under the names of a kernel and a device, in one transaction. `path` is the file they came from.
 */
bool recording_store(struct store *store, const struct recording *recording, const char *path, const char *kernel,
                     const char *device, struct error *error);

/*
 * "2023-12-22 09:54:05.502007+00:00" becomes "2023-12-22T09:54:05.502007Z", what the database keeps; a time of
 * another zone becomes that of UTC, one without a zone is taken for it. False: no timestamp.
 */
bool timestamp_to_utc(const char *text, char utc[TIMESTAMP_TEXT]);

/* The other way: the database's into what T4 files have. */
void timestamp_from_utc(const char *utc, char text[TIMESTAMP_TEXT]);

#endif

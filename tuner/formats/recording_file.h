/* SPDX-License-Identifier: Apache-2.0 */
/*
 * recording_file.h - recordings from files. Four formats are recognised by content, compressed by gzip or not:
 *   - T4, the results format of the auto-tuning community (F.-J. Willemsen et al.: "FAIR sharing of auto-tuning
 *     results", https://github.com/odgaard/TuningSchema);
 *   - Kernel Tuner's cache files, including unfinished ones (Kernel Tuner writes the closing braces when it ends);
 *   - KTT's results in JSON;
 *   - tune's database: each problem is a recording. The results shipped with tune are left out, since they are only
 *     the best of each sweep.
 *
 * If a configuration is recorded more than once, the last result counts.
 */
#ifndef TUNE_FORMATS_RECORDING_FILE_H
#define TUNE_FORMATS_RECORDING_FILE_H

#include "tuner/formats/recording.h"

/*
 * Read all recordings of a file and append them. Errors: a file that cannot be opened or has none of the formats,
 * invalid JSON (with its place), an entry without a configuration, a parameter that is not a number, string or
 * boolean, an unknown unit of time; for a database those of store_open.
 */
bool recordings_read(const char *path, struct recordings *recordings, struct error *error);

/* The same for the text of one that is no database, NUL-terminated; `path` names the recording, and the file in
 * errors.
 */
bool recording_parse(const char *path, const char *text, size_t length, struct recording **result,
                     struct error *error);

#endif

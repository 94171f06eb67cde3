/* SPDX-License-Identifier: Apache-2.0 */
/*
 * t4_write.h - results of the database in the T4 format, as they come.
 *
 * The members are those of the published files (https://github.com/odgaard/TuningSchema, results-schema.json),
 * "miliseconds" included. T4 does not say what was measured where; the device is put where KTT puts it, in
 * "metadata". An outcome becomes the nearest of T4's kinds: compile, runtime, timeout, correctness, constraints.
 */
#ifndef TUNE_FORMATS_T4_WRITE_H
#define TUNE_FORMATS_T4_WRITE_H

#include "db/store.h"

#include <stdio.h>

/* One document: begin, each row, end. What could not be written shows in ferror(out). `first`: of the rows. */
void t4_begin(FILE *out, const char *device);
bool t4_row(FILE *out, const struct store_recorded_row *row, bool first, struct error *error);
void t4_end(FILE *out);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * t4_write.h - results of the database as T4, row by row.
 *
 * The members are those of the published files (https://github.com/odgaard/TuningSchema, results-schema.json),
 * "miliseconds" included. T4 has no member for the device; as in KTT it is put in "metadata". Outcomes become the
 * nearest of T4's kinds: compile, runtime, timeout, correctness, constraints.
 *
 * Beside the time, the measurements are the energy ("energy", in J) and the values of the template's metrics, as far
 * as they are known; "objectives" names the template's default objective. Which metrics are to be large or small T4
 * has no member for either: "metadata" has their definitions as "metrics". The configuration that the swept space
 * names as its default, if that is known, is there as "default".
 */
#ifndef TUNE_FORMATS_T4_WRITE_H
#define TUNE_FORMATS_T4_WRITE_H

#include "db/store.h"

#include <stdio.h>

/* A document is begin, for the problem that any of its rows is of, each row, end. Check ferror(out) at the end; other
 * errors are out of memory and samples that are damaged in the database. */
bool t4_begin(FILE *out, const struct store_recorded_row *any, struct error *error);
bool t4_row(FILE *out, const struct store_recorded_row *row, bool first, struct error *error);
void t4_end(FILE *out);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * t4_measurements.h - what a T4 file has measured beside the time.
 *
 * "energy" is the energy, in J unless its unit is mJ. Any other measurement is kept as a metric. Whether it is to be
 * large or small is in the file if tune has written it (see t4_write.h); else it is known for the names that Kernel
 * Tuner knows, "GFLOP/s" for instance. The first of the "objectives" that can be ranked by is the recording's.
 */
#ifndef TUNE_FORMATS_T4_MEASUREMENTS_H
#define TUNE_FORMATS_T4_MEASUREMENTS_H

#include "tuner/formats/recording_builder.h"

struct t4_measurements {
    json_t *definitions; /* of the metrics so far */
    char *objective;     /* NULL: none yet */
    size_t left_out;
};

bool t4_measurements_begin(struct t4_measurements *measurements, const json_t *document, struct error *error);

/* Fill in energy and metrics of a valid entry's result. Measurements are left out whose names metrics cannot have, or
 * that are of too many names. */
bool t4_measurements_read(struct t4_measurements *measurements, const json_t *entry,
                          struct recording_builder *builder, struct recorded_result *result, struct error *error);

/* Fill in the recording's definitions and objective, and how many measurements are left out. */
bool t4_measurements_end(const struct t4_measurements *measurements, struct recording_builder *builder,
                         struct error *error);
void t4_measurements_clear(struct t4_measurements *measurements);

/* The entry's measurement of the time, "TotalDuration" in what KTT's script converts; NULL: there is none. */
const json_t *t4_time(const json_t *entry);

#endif

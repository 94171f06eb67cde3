/* SPDX-License-Identifier: Apache-2.0 */
/*
 * recorded_values.h - what the configurations of a recording are worth by an objective: by time, energy, edp, or what
 * the recording itself has the values of (struct recording's definitions).
 *
 * As in sweeps a value must be positive and finite; a valid configuration without one is never best.
 */
#ifndef TUNE_SIMULATE_RECORDED_VALUES_H
#define TUNE_SIMULATE_RECORDED_VALUES_H

#include "tuner/formats/recording.h"

struct recorded_values {
    char *objective; /* its name */
    bool maximize;   /* the values are to be large */
    double *of;      /* by configuration; 0: none. Times are nanoseconds, energies joules. */
    size_t missing;  /* valid configurations without one */
};

/* By the objective that is called `name`; NULL: by the recording's own. ERROR_INPUT, with a hint at what there is:
 * the recording has no such objective, or the value of no valid configuration. One without valid configurations has
 * none missing. */
bool recorded_values_read(const struct recording *recording, const char *name, struct recorded_values *values,
                          struct error *error);
void recorded_values_clear(struct recorded_values *values);

#endif

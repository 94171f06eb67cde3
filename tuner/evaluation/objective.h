/* SPDX-License-Identifier: Apache-2.0 */
/*
 * objective.h - what a sweep minimises.
 */
#ifndef TUNE_EVALUATION_OBJECTIVE_H
#define TUNE_EVALUATION_OBJECTIVE_H

#include "tuner/evaluation/evaluation.h"

struct objective {
    const char *name, *meaning, *unit;
    bool needs_energy;
    /* Of an evaluation that is ok; lower is better. HUGE_VAL: not known, so never best. */
    double (*value)(const struct evaluation *evaluation);
};

/* "time" is the first. */
extern const struct objective objectives[];
extern const size_t objective_count;

/* The value's 95 % interval, from those of time and energy: every objective grows with both. */
void objective_interval(const struct objective *objective, const struct evaluation *evaluation, double *low,
                        double *high);

const struct objective *objective_find(const char *name); /* NULL if there is none */

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * objective.h - what a sweep looks for: the least time or energy, or what a template defines.
 *
 * Whatever compares evaluations does so by a cost, of which less is better (objective_judge in
 * tuner/space/metrics.h): the incumbent, finals, strategies, summaries. The database ranks rows in the same order by
 * the values that it keeps.
 */
#ifndef TUNE_EVALUATION_OBJECTIVE_H
#define TUNE_EVALUATION_OBJECTIVE_H

#include "tuner/evaluation/evaluation.h"

struct limits; /* tuner/space/limits.h */

struct objective {
    const char *name, *meaning, *unit;
    bool needs_energy;
    /* Of an evaluation that is ok; lower is better. HUGE_VAL: not known, so never best. NULL: a template's. */
    double (*value)(const struct evaluation *evaluation);

    bool is_metric; /* defined by a template: */
    bool maximize;  /* its value is to be large, and the cost is the reciprocal */
    size_t metric;  /* its number among the template's metrics */

    const struct limits *limits; /* outside these nothing is best; NULL: there are none */
};

/* "time" is the first. */
extern const struct objective objectives[];
extern const size_t objective_count;

/* The value's 95 % interval, from those of time and energy: every built-in objective grows with both. */
void objective_interval(const struct objective *objective, const struct evaluation *evaluation, double *low,
                        double *high);

const struct objective *objective_find(const char *name); /* NULL if there is none */

#endif

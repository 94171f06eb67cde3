/* SPDX-License-Identifier: Apache-2.0 */
/*
 * measured.h - what metrics, objectives and limits may read of an evaluation: one table of names.
 *
 * In a `metric` or an `objective` these names stand beside the template's own, in a limit (tuner/space/limits.h)
 * alone; GRAMMAR.md lists them. Times are seconds, energies joules, powers watts, figures of work what one launch
 * does.
 */
#ifndef TUNE_EVALUATION_MEASURED_H
#define TUNE_EVALUATION_MEASURED_H

#include "tuner/evaluation/evaluation.h"

struct measured_figure {
    const char *name, *meaning;
    size_t offset;                         /* in struct evaluation */
    bool integer;                          /* an int64_t, else a double */
    double scale;                          /* from the evaluation's unit to that of the name */
    double least;                          /* below this the value is not known */
    bool of_image;                         /* known once it is compiled and loaded, before anything is launched */
    int work;                              /* the figure of work that it is; -1: none */
    const struct measured_figure *instead; /* what stands for a value that is not known; NULL: nothing */
};
extern const struct measured_figure measured_figures[];
extern const size_t measured_figure_count;

/* Of a valid evaluation; false: it is not known. A time is always known, an energy only where it was metered. */
bool measured_value(const struct measured_figure *figure, const struct evaluation *evaluation, double *value);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ceilings.h - what a device can do at best, and a launch's share of that.
 *
 * A ceiling is the best rate of a figure of work (work.h): measured by the probes in templates/ceilings or, where
 * there is no measurement, of the data sheet. The least time in which a device could do some work is the largest of
 * the times that its figures need at their ceilings; the figure that it comes from is the limit that binds.
 */
#ifndef TUNE_EVALUATION_CEILINGS_H
#define TUNE_EVALUATION_CEILINGS_H

#include "tuner/evaluation/work.h"

#include <stdbool.h>

struct ceiling {
    double rate;   /* per second; 0: unknown */
    bool measured; /* else of the data sheet */
};

struct ceilings {
    struct ceiling of[WORK_COUNT];
};

struct share {
    double percent;          /* the least time over the time taken; -1: unknown, and so is the limit */
    enum work_figure figure; /* the limit that binds */
    struct ceiling ceiling;  /* its ceiling */
};

/* All of the data sheet. */
struct ceilings ceilings_of_data_sheet(const struct device_description *device);

struct share ceilings_share(const struct ceilings *ceilings, const struct work *work, double time_ns);

/* "measured", "data sheet" */
const char *ceiling_source(const struct ceiling *ceiling);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * metrics.h - the values of a template's metrics and objectives, and what an objective makes of an evaluation.
 *
 * They are computed of three things: the template's sizes on a device, a configuration, and what was measured of it
 * (tuner/evaluation/measured.h). All three are stored, so that a metric can be computed, or computed again after its
 * text was edited, whenever the template is at hand; the database keeps the values for those who have only that.
 *
 * Searches, finals and rankings minimise. What they minimise of an evaluation is its cost: the objective's value, or
 * its reciprocal if that is to be as large as possible. So ratios of costs say by what factor one is worse than
 * another whatever the objective is, and the logarithm of a cost is as smooth as that of the value. For this a value
 * must be positive and finite; any other has no cost, and the configuration is never best.
 */
#ifndef TUNE_SPACE_METRICS_H
#define TUNE_SPACE_METRICS_H

#include "tuner/evaluation/objective.h"
#include "tuner/lang/template.h"

struct device_description;
struct metrics;

/* Of a template at these sizes ("M=4096,N=64", as problems write them) on a device. The template and the description
 * must outlive it; the text need not. One thread at a time. */
bool metrics_create(const struct template *template, const struct device_description *device, const char *sizes,
                    struct metrics **result, struct error *error);
void metrics_free(struct metrics *metrics);

/*
 * The value of metric `which` for a valid evaluation of a configuration (canonical JSON; a name that the template
 * does not declare is ignored). False: it is undefined, and `why` says so with the place in the template; or memory
 * ran out.
 */
bool metrics_value(struct metrics *metrics, size_t which, const char *configuration,
                   const struct evaluation *evaluation, double *value, struct error *why);

/* All of them: {"GB/s": 12.5, "undefined one": null}. Allocated; "" without metrics; NULL: out of memory. */
char *metrics_text(struct metrics *metrics, const char *configuration, const struct evaluation *evaluation);

/* How the template defines them, for the database: {"GB/s": {"text": "bytes / time"}, "rate": {"sense": "maximize",
 * ...}}. Allocated; "" without metrics; NULL: out of memory. */
char *metrics_definitions(const struct template *template);

/*
 * The objective called `name`: built in, or the template's. NULL: the template's default, else time. Without a
 * template (NULL) only the built-in ones are known. An error lists those that there are. `*objective` refers to the
 * template.
 */
bool objective_choose(const struct template *template, const char *name, struct objective *objective,
                      struct error *error);

/* What an objective makes of a valid evaluation: its cost, and that of the ends of its intervals of time and energy.
 * HUGE_VAL where it has none, or is outside the objective's limits: `why` (may be NULL) says why. */
struct judgement {
    double cost, low, high;
};
struct judgement objective_judge(const struct objective *objective, struct metrics *metrics,
                                 const char *configuration, const struct evaluation *evaluation, struct error *why);

/* The value that a cost stands for. */
double objective_value_of(const struct objective *objective, double cost);

#endif

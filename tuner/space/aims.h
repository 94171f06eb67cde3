/* SPDX-License-Identifier: Apache-2.0 */
/*
 * aims.h - what a search looks for: one objective, or several whose Pareto front it looks for.
 *
 * Several are written "time,energy". The order of writing is that of tables; the name by which a database knows the
 * set is the same whatever the order. Where one objective has to stand for all, it is the first.
 */
#ifndef TUNE_SPACE_AIMS_H
#define TUNE_SPACE_AIMS_H

#include "tuner/evaluation/front.h"
#include "tuner/space/metrics.h"

struct aims {
    struct objective of[FRONT_OBJECTIVES];
    size_t count;
    char name[FRONT_OBJECTIVES * (METRIC_NAME_LIMIT + 1)]; /* "time,energy" */
};

/* As objective_choose; the whole text may also be the name of an objective. Errors besides its own: a name that is
 * missing or there twice, too many. */
bool aims_choose(const struct template *template, const char *text, struct aims *aims, struct error *error);

/* Is it a list, other than the name of an objective of the template (NULL: none)? */
bool aims_are_several(const struct template *template, const char *text);

/* The costs by each, of a valid evaluation. False: some objective has none, and `why` (may be NULL) says why. */
bool aims_costs(const struct aims *aims, struct metrics *metrics, const char *configuration,
                const struct evaluation *evaluation, double costs[FRONT_OBJECTIVES], struct error *why);

#endif

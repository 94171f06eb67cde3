/* SPDX-License-Identifier: Apache-2.0 */
/*
 * metric.h - how results are judged: `metric`, `objective` and `default objective`.
 *
 *     metric    "GB/s" = bytes / time * 1e-9
 *     objective "points a second" = maximize points / time
 *     default objective "points a second"
 *
 * Their expressions may read what was measured (tuner/evaluation/measured.h) beside the template's own names, which
 * come first; measured.NAME always means what was measured. They say how results are judged, not what they are, so
 * they are no part of the template's hash.
 */
#ifndef TUNE_LANG_METRIC_H
#define TUNE_LANG_METRIC_H

#include "tuner/lang/builder.h"

/* Parse what follows the word. */
bool parse_metric(struct builder *builder);
bool parse_objective(struct builder *builder);
bool parse_default_objective(struct builder *builder);

/* With the whole template known: are the figures of work that they read counted, is the default an objective? */
bool check_metrics(struct builder *builder);

/* Is it a word that every template knows as an objective: time, energy, edp? */
bool metric_name_is_built_in(const char *name);

#endif

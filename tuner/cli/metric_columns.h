/* SPDX-License-Identifier: Apache-2.0 */
/*
 * metric_columns.h - the values of templates' metrics in tables.
 */
#ifndef TUNE_CLI_METRIC_COLUMNS_H
#define TUNE_CLI_METRIC_COLUMNS_H

#include "tuner/cli/figures.h"
#include "tuner/lang/template.h"

struct json_t;

/* The heading of a metric's column, flush right. */
void metric_heading(const char *name, char heading[METRIC_NAME_LIMIT + 2]);

/* A value as stored, "-" where there is none: four digits. */
void metric_text(const struct json_t *value, char text[FIGURE_TEXT]);

/* The names of the metrics that any of the rows has under "metrics", in their order: an object with these keys, empty
 * if the rows are of several templates; new reference, NULL: out of memory. At most METRICS_MOST. */
struct json_t *metric_names(const struct json_t *rows);

#endif

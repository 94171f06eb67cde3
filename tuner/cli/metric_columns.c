/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/cli/metric_columns.h"

#include <jansson.h>

void metric_heading(const char *name, char heading[METRIC_NAME_LIMIT + 2])
{
    snprintf(heading, METRIC_NAME_LIMIT + 2, ">%s", name);
}

void metric_text(const json_t *value, char text[FIGURE_TEXT])
{
    if (json_is_number(value))
        snprintf(text, FIGURE_TEXT, "%.4g", json_number_value(value));
    else
        snprintf(text, FIGURE_TEXT, "-");
}

/* Templates name their metrics as they like: those of several would fill a table with gaps. */
static bool are_of_one_template(const json_t *rows)
{
    const json_t *first = json_object_get(json_array_get(rows, 0), "template"), *row;
    size_t i;
    bool same = true;
    json_array_foreach(rows, i, row) same = same && json_equal(json_object_get(row, "template"), first);
    return same;
}

json_t *metric_names(const json_t *rows)
{
    json_t *names = json_object(), *value;
    const json_t *row;
    if (!are_of_one_template(rows))
        return names;
    const char *name;
    size_t i;
    bool done = names != NULL;
    json_array_foreach(rows, i, row)
    {
        json_object_foreach(json_object_get(row, "metrics"), name, value)
        {
            if (done && !json_object_get(names, name) && json_object_size(names) < METRICS_MOST)
                done = json_object_set(names, name, json_true()) == 0;
        }
    }
    if (done)
        return names;
    json_decref(names);
    return NULL;
}

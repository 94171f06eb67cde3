/* SPDX-License-Identifier: Apache-2.0 */
/* Fronts as people read them. */
#include "tuner/cli/front.h"

#include "tuner/cli/figures.h"
#include "tuner/cli/json_output.h"
#include "tuner/cli/metric_columns.h"
#include "tuner/cli/parameters.h"
#include "tuner/cli/table.h"
#include "tuner/error/visible.h"

#include <stdlib.h>

static size_t count_rows(const json_t *fronts)
{
    size_t count = 0, i;
    const json_t *front;
    json_array_foreach(fronts, i, front) count += json_array_size(json_object_get(front, "front"));
    return count;
}

/* What all rows share, {} in a pipe, where each row stands for itself; NULL: memory ran out. */
static json_t *shared_parameters(const json_t *fronts, const struct terminal *out)
{
    size_t count = 0, i, j;
    const json_t *front, *row;
    json_t **configurations = calloc(count_rows(fronts) + 1, sizeof *configurations);
    if (!configurations)
        return NULL;
    json_array_foreach(fronts, i, front)
    {
        json_array_foreach(json_object_get(front, "front"), j, row) configurations[count++] =
            json_object_get(row, "configuration");
    }
    json_t *shared = parameters_shared(configurations, out->width ? count : 0);
    free(configurations);
    return shared;
}

static struct table *create_table(const json_t *objectives, bool named)
{
    static const char *const whose[] = {"template", "device", "size", "data"};
    char texts[FRONT_OBJECTIVES][METRIC_NAME_LIMIT + 2];
    const char *headings[4 + FRONT_OBJECTIVES + 2];
    size_t count = 0, i;
    const json_t *name;
    for (size_t k = 0; named && k < sizeof whose / sizeof *whose; k++)
        headings[count++] = whose[k];
    json_array_foreach(objectives, i, name)
    {
        metric_heading(json_string_value(name), texts[i]);
        headings[count++] = texts[i];
    }
    headings[count++] = "from";
    headings[count++] = "_configuration";
    return table_create(headings, count);
}

static bool add_row(struct table *table, const json_t *front, const json_t *row, bool named, const json_t *shared)
{
    size_t i;
    const json_t *name;
    char *configuration = parameters_text(json_object_get(row, "configuration"), shared);
    if (named) {
        table_cell(table, "%s", json_string_at(front, "template"));
        table_cell(table, "%s", json_string_at(front, "device"));
        table_cell(table, "%s", json_string_at(front, "size"));
        table_cell(table, "%s", json_object_get(front, "data") ? json_string_at(front, "data") : "-");
    }
    json_array_foreach(json_object_get(front, "objectives"), i, name)
    {
        char value[FIGURE_TEXT];
        const char *text = json_string_value(name);
        figure_objective(text, json_number_value(json_object_get(json_object_get(row, "values"), text)), value,
                         sizeof value);
        table_cell(table, "%s", value);
    }
    table_cell(table, "%s%s %.10s", json_string_at(row, "origin"),
               json_is_true(json_object_get(row, "finals")) ? " in finals" : "", json_string_at(row, "measured_at"));
    table_cell(table, "%s", configuration ? configuration : "");
    free(configuration);
    return configuration != NULL;
}

bool fronts_table(const json_t *fronts, bool named, const struct terminal *out, struct error *error)
{
    size_t i, j;
    const json_t *front, *row;
    json_t *shared = shared_parameters(fronts, out);
    bool done = shared ? parameters_print_shared(shared, out, error) : error_out_of_memory(error);
    if (done) {
        struct table *table = create_table(json_object_get(json_array_get(fronts, 0), "objectives"), named);
        json_array_foreach(fronts, i, front)
        {
            json_array_foreach(json_object_get(front, "front"), j, row) done =
                add_row(table, front, row, named, shared) && done;
        }
        done = table_print(table, out, error) && (done || error_out_of_memory(error));
    }
    json_decref(shared);
    return done;
}

void front_print_volume(const json_t *front, FILE *out)
{
    json_t *reference = json_object_get(front, "reference"), *value;
    const char *name, *before = "";
    size_t members = json_array_size(json_object_get(front, "front"));
    visible_printf(out, "%zu of %lld valid configuration%s %s on the front; hypervolume %.4f of the box up to ",
                   members, (long long)json_integer_value(json_object_get(front, "valid")),
                   json_integer_value(json_object_get(front, "valid")) == 1 ? "" : "s", members == 1 ? "is" : "are",
                   json_number_value(json_object_get(front, "hypervolume")));
    json_object_foreach(reference, name, value)
    {
        char figure[FIGURE_TEXT];
        figure_objective(name, json_number_value(value), figure, sizeof figure);
        visible_printf(out, "%s%s %s", before, name, figure);
        before = ", ";
    }
}

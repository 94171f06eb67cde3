/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/cli/best.h"

#include "tuner/cli/figures.h"
#include "tuner/cli/json_output.h"
#include "tuner/cli/metric_columns.h"
#include "tuner/cli/parameters.h"
#include "tuner/cli/table.h"
#include "tuner/evaluation/objective.h"

#include <stdlib.h>
#include <string.h>

/* The parameters that all rows share, {} in a pipe, where each row stands for itself; NULL: memory ran out. */
static json_t *shared_parameters(const json_t *rows, const struct terminal *out)
{
    size_t count = json_array_size(rows);
    json_t **configurations = calloc(count, sizeof *configurations);
    if (!configurations)
        return NULL;
    for (size_t i = 0; i < count; i++)
        configurations[i] = json_object_get(json_array_get(rows, i), "configuration");
    json_t *shared = parameters_shared(configurations, out->width ? count : 0);
    free(configurations);
    return shared;
}

static bool goes_by_data_sheet(const json_t *row)
{
    return strcmp(json_string_at(row, "limit_source"), "data sheet") == 0;
}

static bool has_data(const json_t *rows)
{
    bool any = false;
    for (size_t i = 0; i < json_array_size(rows); i++)
        any = any || json_object_get(json_array_get(rows, i), "data");
    return any;
}

static void add_metrics(struct table *table, const json_t *row, json_t *names)
{
    const char *name;
    json_t *ignored;
    json_object_foreach(names, name, ignored)
    {
        char text[FIGURE_TEXT];
        metric_text(json_object_get(json_object_get(row, "metrics"), name), text);
        table_cell(table, "%s", text);
    }
}

/* The columns that a table has only where they are of use; few rows have data files. */
struct columns {
    json_t *metrics;    /* their names */
    const char *figure; /* what the rows are best by, if no other column shows it; NULL */
    bool data;
};

static struct table *create_table(const struct columns *columns)
{
    static const char *const before[] = {"template", "device", "size", "data", ">time", ">rate", "of limit"};
    static const char *const after[] = {"from", "_configuration"};
    const char *headings[10 + METRICS_MOST], *name;
    char figure[FIGURE_TEXT];
    char texts[METRICS_MOST][METRIC_NAME_LIMIT + 2];
    size_t count = 0, metrics = 0;
    json_t *ignored;
    for (size_t i = 0; i < sizeof before / sizeof *before; i++) {
        if (columns->data || strcmp(before[i], "data") != 0)
            headings[count++] = before[i];
    }
    if (columns->figure) {
        snprintf(figure, sizeof figure, ">%s", columns->figure);
        headings[count++] = figure;
    }
    json_object_foreach(columns->metrics, name, ignored)
    {
        metric_heading(name, texts[metrics]);
        headings[count++] = texts[metrics++];
    }
    for (size_t i = 0; i < sizeof after / sizeof *after; i++)
        headings[count++] = after[i];
    return table_create(headings, count);
}

static bool add_row(struct table *table, const json_t *row, const json_t *shared, const struct columns *columns)
{
    char time[FIGURE_TEXT], figure[FIGURE_TEXT];
    figure_time(json_real_value(json_object_get(row, "time_ns")), time, sizeof time);
    double percent = json_real_value(json_object_get(row, "percent_of_peak"));
    char *configuration = parameters_text(json_object_get(row, "configuration"), shared);
    table_cell(table, "%s", json_string_at(row, "template"));
    table_cell(table, "%s", json_string_at(row, "device"));
    table_cell(table, "%s", json_string_at(row, "size"));
    if (columns->data)
        table_cell(table, "%s", json_object_get(row, "data") ? json_string_at(row, "data") : "");
    table_cell(table, "%s", time);
    table_cell(table, "%s", json_string_at(row, "rate"));
    table_cell(table, percent < 0 ? "-" : "%.1f %% %s%s", percent, json_string_at(row, "limit"),
               goes_by_data_sheet(row) ? "*" : "");
    if (columns->figure) {
        figure_objective(columns->figure, json_number_value(json_object_get(row, "value")), figure, sizeof figure);
        table_cell(table, "%s", figure);
    }
    add_metrics(table, row, columns->metrics);
    table_cell(table, "%s%s %.10s", json_string_at(row, "origin"),
               json_is_true(json_object_get(row, "finals")) ? " in finals" : "", json_string_at(row, "measured_at"));
    table_cell(table, "%s", configuration ? configuration : "");
    free(configuration);
    return configuration != NULL;
}

bool best_table(const json_t *rows, struct error *error)
{
    const char *objective = json_string_at(json_array_get(rows, 0), "objective"); /* they all have the same */
    const struct columns columns = {metric_names(rows), objective_find(objective) ? objective : NULL, has_data(rows)};
    const struct terminal out = terminal_of(stdout);
    json_t *shared = shared_parameters(rows, &out);
    bool done = shared && columns.metrics ? parameters_print_shared(shared, &out, error) : error_out_of_memory(error);
    if (done) {
        size_t i;
        const json_t *row;
        struct table *table = create_table(&columns);
        bool footnote = false;
        json_array_foreach(rows, i, row)
        {
            done = add_row(table, row, shared, &columns) && done;
            footnote = footnote || goes_by_data_sheet(row);
        }
        done = table_print(table, &out, error) && (done || error_out_of_memory(error));
        if (done && footnote && out.width) /* in a pipe there are only rows */
            fprintf(out.stream, "%s%s%s\n", style_on(&out, STYLE_FAINT), FIGURE_FOOTNOTE, style_off(&out));
    }
    json_decref(shared);
    json_decref(columns.metrics);
    return done;
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/cli/best.h"

#include "tuner/cli/figures.h"
#include "tuner/cli/json_output.h"
#include "tuner/cli/metric_columns.h"
#include "tuner/cli/parameters.h"
#include "tuner/cli/table.h"

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

/* Few have data files: without any there is no such column. */
static struct table *create_table(json_t *names, bool data)
{
    static const char *const before[] = {"template", "device", "size", "data", ">time", ">rate", "of limit"};
    static const char *const after[] = {"from", "_configuration"};
    const char *headings[9 + METRICS_MOST], *name;
    char texts[METRICS_MOST][METRIC_NAME_LIMIT + 2];
    size_t count = 0, metrics = 0;
    json_t *ignored;
    for (size_t i = 0; i < sizeof before / sizeof *before; i++) {
        if (data || strcmp(before[i], "data") != 0)
            headings[count++] = before[i];
    }
    json_object_foreach(names, name, ignored)
    {
        metric_heading(name, texts[metrics]);
        headings[count++] = texts[metrics++];
    }
    for (size_t i = 0; i < sizeof after / sizeof *after; i++)
        headings[count++] = after[i];
    return table_create(headings, count);
}

static bool add_row(struct table *table, const json_t *row, const json_t *shared, json_t *names, bool data)
{
    char time[FIGURE_TEXT];
    figure_time(json_real_value(json_object_get(row, "time_ns")), time, sizeof time);
    double percent = json_real_value(json_object_get(row, "percent_of_peak"));
    char *configuration = parameters_text(json_object_get(row, "configuration"), shared);
    table_cell(table, "%s", json_string_at(row, "template"));
    table_cell(table, "%s", json_string_at(row, "device"));
    table_cell(table, "%s", json_string_at(row, "size"));
    if (data)
        table_cell(table, "%s", json_object_get(row, "data") ? json_string_at(row, "data") : "");
    table_cell(table, "%s", time);
    table_cell(table, "%s", json_string_at(row, "rate"));
    table_cell(table, percent < 0 ? "-" : "%.1f %% %s%s", percent, json_string_at(row, "limit"),
               goes_by_data_sheet(row) ? "*" : "");
    add_metrics(table, row, names);
    table_cell(table, "%s%s %.10s", json_string_at(row, "origin"),
               json_is_true(json_object_get(row, "finals")) ? " in finals" : "", json_string_at(row, "measured_at"));
    table_cell(table, "%s", configuration ? configuration : "");
    free(configuration);
    return configuration != NULL;
}

bool best_table(const json_t *rows, struct error *error)
{
    const bool data = has_data(rows);
    const struct terminal out = terminal_of(stdout);
    json_t *shared = shared_parameters(rows, &out), *names = metric_names(rows);
    bool done = shared && names ? parameters_print_shared(shared, &out, error) : error_out_of_memory(error);
    if (done) {
        size_t i;
        const json_t *row;
        struct table *table = create_table(names, data);
        bool footnote = false;
        json_array_foreach(rows, i, row)
        {
            done = add_row(table, row, shared, names, data) && done;
            footnote = footnote || goes_by_data_sheet(row);
        }
        done = table_print(table, &out, error) && (done || error_out_of_memory(error));
        if (done && footnote && out.width) /* in a pipe there are only rows */
            fprintf(out.stream, "%s%s%s\n", style_on(&out, STYLE_FAINT), FIGURE_FOOTNOTE, style_off(&out));
    }
    json_decref(shared);
    json_decref(names);
    return done;
}

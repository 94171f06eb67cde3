/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/cli/best.h"

#include "tuner/cli/figures.h"
#include "tuner/cli/json_output.h"
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

static bool add_row(struct table *table, const json_t *row, const json_t *shared)
{
    char time[FIGURE_TEXT];
    figure_time(json_real_value(json_object_get(row, "time_ns")), time, sizeof time);
    double percent = json_real_value(json_object_get(row, "percent_of_peak"));
    char *configuration = parameters_text(json_object_get(row, "configuration"), shared);
    table_cell(table, "%s", json_string_at(row, "template"));
    table_cell(table, "%s", json_string_at(row, "device"));
    table_cell(table, "%s", json_string_at(row, "size"));
    table_cell(table, "%s", time);
    table_cell(table, "%s", json_string_at(row, "rate"));
    table_cell(table, percent < 0 ? "-" : "%.1f %% %s%s", percent, json_string_at(row, "limit"),
               goes_by_data_sheet(row) ? "*" : "");
    table_cell(table, "%s%s %.10s", json_string_at(row, "origin"),
               json_is_true(json_object_get(row, "finals")) ? " in finals" : "", json_string_at(row, "measured_at"));
    table_cell(table, "%s", configuration ? configuration : "");
    free(configuration);
    return configuration != NULL;
}

bool best_table(const json_t *rows, struct error *error)
{
    static const char *const headings[] = {"template", "device",   "size", ">time",
                                           ">rate",    "of limit", "from", "_configuration"};
    const struct terminal out = terminal_of(stdout);
    json_t *shared = shared_parameters(rows, &out);
    bool done = shared ? parameters_print_shared(shared, &out, error) : error_out_of_memory(error);
    if (done) {
        size_t i;
        const json_t *row;
        struct table *table = table_create(headings, sizeof headings / sizeof *headings);
        bool footnote = false;
        json_array_foreach(rows, i, row)
        {
            done = add_row(table, row, shared) && done;
            footnote = footnote || goes_by_data_sheet(row);
        }
        done = table_print(table, &out, error) && (done || error_out_of_memory(error));
        if (done && footnote && out.width) /* in a pipe there are only rows */
            fprintf(out.stream, "%s%s%s\n", style_on(&out, STYLE_FAINT), FIGURE_FOOTNOTE, style_off(&out));
    }
    json_decref(shared);
    return done;
}

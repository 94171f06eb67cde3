/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/cli/figures.h"
#include "tuner/cli/json_output.h"
#include "tuner/cli/ladder.h"
#include "tuner/cli/parameters.h"
#include "tuner/cli/table.h"
#include "tuner/error/text_stream.h"
#include "tuner/error/visible.h"

#include <stdlib.h>

/* The values of a rung: "constant_aos, sfu". NULL: out of memory. */
static char *rung_text(json_t *rung)
{
    struct text_stream stream;
    if (!text_stream_open(&stream, NULL))
        return NULL;
    const char *name, *separator = "";
    json_t *value;
    json_object_foreach(rung, name, value)
    {
        char *text = json_dumps(value, JSON_ENCODE_ANY);
        fprintf(stream.out, "%s%s", separator,
                json_is_string(value)          ? json_string_value(value)
                : text && !json_is_null(value) ? text
                                               : "-");
        free(text);
        separator = ", ";
    }
    return text_stream_close(&stream, NULL);
}

static void ratio_cell(struct table *table, const json_t *row, const char *name)
{
    char text[FIGURE_TEXT];
    figure_times(json_number_value(json_object_get(row, name)), text, sizeof text);
    table_cell(table, "%s", text);
}

static bool add_rung(struct table *table, const json_t *row)
{
    char time[FIGURE_TEXT];
    json_t *values = json_object_get(row, "rung");
    double percent = json_real_value(json_object_get(row, "percent_of_peak"));
    char *rung = rung_text(values), *configuration = parameters_text(json_object_get(row, "configuration"), values);
    const char *meaning = json_string_at(row, "meaning");
    figure_time(json_real_value(json_object_get(row, "time_ns")), time, sizeof time);
    table_cell(table, "%s", rung ? rung : "");
    table_cell(table, "%s", time);
    ratio_cell(table, row, "times_first");
    ratio_cell(table, row, "times_previous");
    table_cell(table, percent > 0 ? "%.1f %% %s" : "-", percent, json_string_at(row, "limit"));
    table_cell(table, "%s", *meaning ? meaning : "-");
    table_cell(table, "%s", configuration ? configuration : "");
    bool done = rung && configuration;
    free(rung);
    free(configuration);
    return done;
}

static size_t find_best(const json_t *rungs)
{
    size_t best = 0;
    for (size_t i = 1; i < json_array_size(rungs); i++) {
        if (ladder_cost(json_array_get(rungs, i)) < ladder_cost(json_array_get(rungs, best)))
            best = i;
    }
    return best;
}

static bool print_ladder(const json_t *ladder, const struct terminal *out, struct error *error)
{
    static const char *const headings[] = {"rung",      ">time",      ">x first",      ">x before",
                                           ">of limit", "what it is", "_configuration"};
    const json_t *rungs = json_object_get(ladder, "rungs"), *row;
    size_t i, best = find_best(rungs);
    bool done = true;
    visible_printf(out->stream, "%s on %s, %s\n", json_string_at(ladder, "template"),
                   json_string_at(ladder, "device"), json_string_at(ladder, "size"));
    if (json_object_get(ladder, "data"))
        visible_printf(out->stream, "data: %s\n", json_string_at(ladder, "data"));
    struct table *table = table_create(headings, sizeof headings / sizeof *headings);
    json_array_foreach(rungs, i, row)
    {
        if (i == best)
            table_mark_best(table);
        done = add_rung(table, row) && done;
    }
    return table_print(table, out, error) && (done || error_out_of_memory(error));
}

bool ladder_table(const json_t *ladders, struct error *error)
{
    const struct terminal out = terminal_of(stdout);
    size_t i;
    const json_t *ladder;
    bool done = true;
    json_array_foreach(ladders, i, ladder)
    {
        if (i)
            fputc('\n', out.stream);
        done = done && print_ladder(ladder, &out, error);
    }
    return done;
}

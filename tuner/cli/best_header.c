/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/cli/best.h"

#include "tuner/cli/figures.h"
#include "tuner/cli/json_output.h"
#include "tuner/error/output_file.h"
#include "tuner/json/json_text.h"

#include <stdlib.h>
#include <string.h>

/* A text of the database must not end the line or the comment that it is in. */
static void print_safely(FILE *stream, const char *text)
{
    for (; *text; text++)
        fputc((unsigned char)*text < ' ' || (text[0] == '*' && text[1] == '/') ? ' ' : *text, stream);
}

static void print_string_define(FILE *stream, const char *name, const char *value)
{
    fputs("#define ", stream);
    print_safely(stream, name);
    fputc(' ', stream);
    print_safely(stream, value);
    fputs("\n#define ", stream);
    print_safely(stream, name);
    fputc('_', stream);
    print_safely(stream, value);
    fputs(" 1\n", stream);
}

/* One parameter as the #defines that the kernel was tuned with. */
static bool print_define(FILE *stream, const char *name, const json_t *value)
{
    if (json_is_string(value)) {
        print_string_define(stream, name, json_string_value(value));
        return true;
    }
    char *text = json_is_boolean(value) ? strdup(json_is_true(value) ? "1" : "0") : json_text(value, 0);
    if (!text)
        return false;
    fputs("#define ", stream);
    print_safely(stream, name);
    fprintf(stream, " %s\n", text);
    free(text);
    return true;
}

static bool print_header(const json_t *row, FILE *stream, struct error *error)
{
    char time[FIGURE_TEXT];
    figure_time(json_real_value(json_object_get(row, "time_ns")), time, sizeof time);
    const char *const pieces[] = {
        "The best known configuration of ",
        json_string_at(row, "template"),
        " at ",
        json_string_at(row, "size"),
        " on ",
        json_string_at(row, "device"),
        ": ",
        time,
        ", ",
        json_string_at(row, "rate"),
        "; ",
        json_string_at(row, "origin"),
        " ",
        json_string_at(row, "measured_at"),
        ", kernel ",
        json_string_at(row, "template_hash"),
    };
    fputs("/* ", stream);
    for (size_t i = 0; i < sizeof pieces / sizeof *pieces; i++)
        print_safely(stream, pieces[i]);
    fputs(". */\n#pragma once\n", stream);
    const char *name;
    json_t *value;
    json_object_foreach(json_object_get(row, "configuration"), name, value)
    {
        if (!print_define(stream, name, value))
            return error_out_of_memory(error);
    }
    return true;
}

bool best_header(const struct options *options, const json_t *rows, struct error *error)
{
    if (json_array_size(rows) > 1) {
        error_set(error, ERROR_INPUT, "--header: %zu rows match, but a header holds only one", json_array_size(rows));
        return error_hint(error, "choose with --device and --size; 'tune best %s' shows the rows",
                          options->subject ? options->subject : "");
    }
    const json_t *row = json_array_get(rows, 0);
    if (!options->output)
        return print_header(row, stdout, error);
    struct output_file file;
    if (!output_file_open(&file, options->output, error))
        return false;
    return output_file_close(&file, print_header(row, file.stream, error), error);
}

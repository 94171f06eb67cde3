/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/cli/best.h"

#include "tuner/cli/figures.h"
#include "tuner/cli/json_output.h"
#include "tuner/error/output_file.h"
#include "tuner/error/text_stream.h"
#include "tuner/error/visible.h"
#include "tuner/evaluation/objective.h"
#include "tuner/json/json_text.h"
#include "tuner/source/word.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* A text of the database must not end the comment that it is in. */
static bool print_in_comment(FILE *stream, const char *text)
{
    char *shown = visible_text(text, VISIBLE_ONE_LINE);
    for (const char *c = shown; c && *c; c++)
        fputc(c[0] == '*' && c[1] == '/' ? ' ' : *c, stream);
    free(shown);
    return shown != NULL;
}

/* One parameter as the #defines that the kernel was tuned with: names, words and numbers, or the database is damaged
 * and would put something else into a program. */
static bool print_define(FILE *stream, const char *name, const json_t *value, struct error *error)
{
    const char *word = json_string_value(value);
    bool fits = word ? word_is_identifier(word) : json_is_number(value) || json_is_boolean(value);
    if (!word_is_identifier(name) || !fits)
        return error_set(error, ERROR_INPUT,
                         "--header: the database's configuration cannot be #defines: parameter %s", name);
    if (word) {
        fprintf(stream, "#define %s %s\n#define %s_%s 1\n", name, word, name, word);
        return true;
    }
    char *text = json_is_boolean(value) ? strdup(json_is_true(value) ? "1" : "0") : json_text(value, 0);
    if (!text)
        return error_out_of_memory(error);
    fprintf(stream, "#define %s %s\n", name, text);
    free(text);
    return true;
}

/* The sizes that the sources see as macros, of a text such as M=4096,N=64; literals as in tuner/job/program.c. */
static void print_sizes(FILE *stream, const struct template *template, const char *sizes)
{
    for (const char *at = sizes; *at; at += *at == ',') {
        size_t name = strcspn(at, "=,");
        for (size_t i = 0; i < template->size_count; i++) {
            const struct size_declaration *size = &template->sizes[i];
            if (!size->defined || strlen(size->name) != name || strncmp(size->name, at, name) != 0 || at[name] != '=')
                continue;
            long long value = strtoll(at + name + 1, NULL, 10);
            fprintf(stream, "#define %s %lld%s\n", size->name, value, value > INT32_MAX ? "LL" : "");
        }
        at += strcspn(at, ",");
    }
}

static bool print_header(const struct template *template, const json_t *row, FILE *stream, struct error *error)
{
    char time[FIGURE_TEXT], value[FIGURE_TEXT] = "";
    const char *objective = json_string_at(row, "objective");
    bool is_metric = objective[0] && !objective_find(objective);
    figure_time(json_real_value(json_object_get(row, "time_ns")), time, sizeof time);
    if (objective[0])
        figure_objective(objective, json_number_value(json_object_get(row, "value")), value, sizeof value);
    const char *const pieces[] = {
        "The best known configuration of ",
        json_string_at(row, "template"),
        " at ",
        json_string_at(row, "size"),
        json_object_get(row, "data") ? " with " : "",
        json_string_at(row, "data"),
        " on ",
        json_string_at(row, "device"),
        ": ",
        time,
        ", ",
        json_string_at(row, "rate"),
        value[0] ? ", " : "",
        value,
        is_metric ? " " : "",
        is_metric ? objective : "",
        "; ",
        json_string_at(row, "origin"),
        " ",
        json_string_at(row, "measured_at"),
        ", kernel ",
        json_string_at(row, "template_hash"),
    };
    fputs("/* ", stream);
    for (size_t i = 0; i < sizeof pieces / sizeof *pieces; i++) {
        if (!print_in_comment(stream, pieces[i]))
            return error_out_of_memory(error);
    }
    fputs(". */\n#pragma once\n", stream);
    const char *name;
    json_t *parameter;
    if (!json_is_object(json_object_get(row, "configuration")))
        return error_set(error, ERROR_INPUT, "--header: the database's configuration is damaged");
    print_sizes(stream, template, json_string_at(row, "size"));
    json_object_foreach(json_object_get(row, "configuration"), name, parameter)
    {
        if (!print_define(stream, name, parameter, error))
            return false;
    }
    return true;
}

/* All of it, or nothing. */
static bool print_whole(const struct template *template, const json_t *row, struct error *error)
{
    struct text_stream text;
    if (!text_stream_open(&text, error))
        return false;
    if (!print_header(template, row, text.out, error)) {
        text_stream_discard(&text);
        return false;
    }
    char *header = text_stream_close(&text, error);
    if (header)
        fwrite(header, 1, text.length, stdout);
    free(header);
    return header != NULL;
}

bool best_header(const struct options *options, const struct template *template, const json_t *rows,
                 struct error *error)
{
    if (json_array_size(rows) > 1) {
        error_set(error, ERROR_INPUT, "--header: %zu rows match, but a header holds only one", json_array_size(rows));
        return error_hint(error, "choose with --device and --size; 'tune best %s' shows the rows",
                          options->subject ? options->subject : "");
    }
    const json_t *row = json_array_get(rows, 0);
    if (!options->output)
        return print_whole(template, row, error);
    struct output_file file;
    if (!output_file_open(&file, options->output, error))
        return false;
    return output_file_close(&file, print_header(template, row, file.stream, error), error);
}

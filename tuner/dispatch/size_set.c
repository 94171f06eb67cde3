/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/dispatch/size_set.h"

#include "tuner/error/input_file.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { NAME_MOST = 64, NUMBER_MOST = 32 };

static const double weight_most = 1e9;

/* A line being read: `at` moves from its first byte to `end`. */
struct line {
    const char *file, *text; /* the whole file's */
    const char *start, *at, *end;
};

static bool refuse(const struct line *line, const char *from, size_t length, struct error *error, const char *what)
{
    const struct place place = {line->file, line->text, (size_t)(from - line->text), length};
    error_at(error, ERROR_INPUT, place, "%s", what);
    return error_hint(error, "a line is sizes and perhaps a weight: M=4096,N=64 2.5");
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r';
}

static void skip_blanks(struct line *line)
{
    while (line->at < line->end && is_blank(*line->at))
        line->at++;
}

static bool at_end(const struct line *line)
{
    return line->at == line->end || *line->at == '#';
}

/* The length of the word at `at`, up to a blank, a comment or one of `stops`. */
static size_t word_length(const struct line *line, const char *stops)
{
    const char *c = line->at;
    while (c < line->end && !is_blank(*c) && *c != '#' && *c && !strchr(stops, *c))
        c++;
    return (size_t)(c - line->at);
}

/* Take a word into `buffer`; false: it is empty or too long. */
static bool take_word(struct line *line, const char *stops, char *buffer, size_t size)
{
    size_t length = word_length(line, stops);
    if (length == 0 || length >= size)
        return false;
    memcpy(buffer, line->at, length);
    buffer[length] = '\0';
    line->at += length;
    return true;
}

static bool take_setting(struct line *line, const struct template *template, struct size_setting *setting,
                         struct error *error)
{
    char name[NAME_MOST], number[NUMBER_MOST], *end;
    const char *from = line->at;
    size_t whole = word_length(line, ",");
    if (!take_word(line, "=,", name, sizeof name) || line->at == line->end || *line->at != '=')
        return refuse(line, from, whole ? whole : 1, error, "this is not NAME=NUMBER");
    line->at++;
    if (!take_word(line, ",", number, sizeof number))
        return refuse(line, from, whole, error, "this is not NAME=NUMBER");
    errno = 0;
    long long value = strtoll(number, &end, 10);
    if (*end || errno || number[0] == '+')
        return refuse(line, from, whole, error, "the size is not a whole number that fits 64 bits");
    *setting = (struct size_setting){.value = value};
    for (size_t i = 0; i < template->size_count; i++) {
        if (strcmp(template->sizes[i].name, name) == 0)
            setting->name = template->sizes[i].name;
    }
    if (setting->name)
        return true;
    const struct place place = {line->file, line->text, (size_t)(from - line->text), strlen(name)};
    error_at(error, ERROR_INPUT, place, "template %s has no size %s", template->name, name);
    return error_hint(error, "'tune show %s' lists its sizes", template->name);
}

static bool take_weight(struct line *line, double *weight, struct error *error)
{
    char number[NUMBER_MOST], *end;
    const char *from = line->at;
    *weight = 1;
    if (at_end(line))
        return true;
    size_t length = word_length(line, "");
    if (!take_word(line, "", number, sizeof number))
        return refuse(line, from, length ? length : 1, error, "the weight is not a number");
    *weight = strtod(number, &end);
    if (*end || !(*weight > 0 && *weight <= weight_most))
        return refuse(line, from, length, error, "the weight is not a number above 0, at most 1e9");
    skip_blanks(line);
    length = word_length(line, "");
    return at_end(line) || refuse(line, line->at, length ? length : 1, error, "something follows the weight");
}

/* Sizes and weight of a line; `*count` is 0 if it has none. */
static bool take_line(struct line *line, const struct template *template, struct size_setting *settings,
                      size_t *count, double *weight, struct error *error)
{
    *count = 0;
    skip_blanks(line);
    if (at_end(line))
        return true;
    for (;; line->at++) {
        if (*count == template->size_count)
            return refuse(line, line->at, 1, error, "there are more sizes than the template has");
        if (!take_setting(line, template, &settings[*count], error))
            return false;
        ++*count;
        if (line->at == line->end || *line->at != ',')
            break;
    }
    skip_blanks(line);
    return take_weight(line, weight, error);
}

/* ---- the set */

static bool add(struct size_set *set, const struct size_setting *row, double weight, struct error *error)
{
    char *text = sizes_text(row, set->dimensions);
    if (!text)
        return error_out_of_memory(error);
    for (size_t i = 0; i < set->count; i++) {
        if (strcmp(set->texts[i], text) == 0) {
            set->weights[i] += weight;
            free(text);
            return true;
        }
    }
    size_t count = set->count + 1;
    struct size_setting *values = realloc(set->values, count * (set->dimensions + 1) * sizeof *values);
    set->values = values ? values : set->values;
    double *weights = realloc(set->weights, count * sizeof *weights);
    set->weights = weights ? weights : set->weights;
    char **texts = realloc(set->texts, count * sizeof *texts);
    set->texts = texts ? texts : set->texts;
    if (!values || !weights || !texts) {
        free(text);
        return error_out_of_memory(error);
    }
    memcpy(&set->values[set->count * set->dimensions], row, set->dimensions * sizeof *row);
    set->weights[set->count] = weight;
    set->texts[set->count] = text;
    set->count = count;
    return true;
}

/* An error of the sizes themselves gets the place of their line. */
static bool blame_line(const struct line *line, const char *from, const char *to, struct error *error)
{
    const struct error cause = *error;
    const struct place place = {line->file, line->text, (size_t)(from - line->text), (size_t)(to - from)};
    if (cause.code != ERROR_INPUT || cause.line > 0)
        return false;
    error_at(error, ERROR_INPUT, place, "%s", cause.text);
    return cause.hint[0] ? error_hint(error, "%s", cause.hint) : false;
}

static bool add_line(struct line *line, const struct template *template, const struct device_description *device,
                     struct size_setting *scratch, struct size_set *set, struct error *error)
{
    size_t count, dimensions = template->size_count;
    double weight;
    struct size_setting *const rows[SIZES_COUNT] = {
        [SIZES_TUNED] = scratch + dimensions, [SIZES_AWKWARD] = scratch + 2 * dimensions};
    const char *start = line->at;
    if (!take_line(line, template, scratch, &count, &weight, error))
        return false;
    if (count == 0)
        return true;
    if (!sizes_evaluate(template, device, scratch, count, NULL, rows, error))
        return blame_line(line, start, line->at, error);
    return add(set, rows[SIZES_TUNED], weight, error) &&
           (set->count <= SIZE_SET_MOST ||
            error_set(error, ERROR_INPUT, "%s has more than %d sizes", line->file, SIZE_SET_MOST));
}

bool size_set_parse(const char *file, const char *text, size_t length, const struct template *template,
                    const struct device_description *device, struct size_set *set, struct error *error)
{
    struct size_setting *scratch = calloc(3 * template->size_count + 1, sizeof *scratch);
    *set = (struct size_set){.dimensions = template->size_count};
    bool done = scratch || error_out_of_memory(error);
    for (const char *at = text, *end = text + length; done && at < end;) {
        const char *stop = memchr(at, '\n', (size_t)(end - at));
        struct line line = {file, text, at, at, stop ? stop : end};
        done = add_line(&line, template, device, scratch, set, error);
        at = line.end + 1;
    }
    free(scratch);
    if (done && set->count == 0) {
        error_set(error, ERROR_INPUT, "%s has no sizes", file);
        return error_hint(error, "it needs a line for each, such as M=4096,N=4096,K=512");
    }
    return done;
}

bool size_set_read(const char *path, const struct template *template, const struct device_description *device,
                   struct size_set *set, struct error *error)
{
    struct input_file file;
    *set = (struct size_set){0};
    input_file_read(path, SIZE_SET_BYTES_MOST, &file);
    if (file.state != INPUT_READ)
        return input_file_error(&file, path, error);
    bool done = size_set_parse(path, file.bytes, file.length, template, device, set, error);
    free(file.bytes);
    return done;
}

void size_set_clear(struct size_set *set)
{
    for (size_t i = 0; i < set->count; i++)
        free(set->texts[i]);
    free(set->texts);
    free(set->weights);
    free(set->values);
    *set = (struct size_set){0};
}

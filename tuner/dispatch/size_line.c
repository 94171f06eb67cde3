/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/dispatch/size_line.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { NAME_MOST = 64, NUMBER_MOST = 32 };

static const double weight_most = 1e9;

/* A line being read: `at` moves to its end. */
struct reading {
    const struct size_line_place *place;
    const struct template *template;
    const char *at;
    struct size_line *line;
};

static bool refuse(const struct reading *reading, const char *from, size_t length, struct error *error,
                   const char *what)
{
    const struct size_line_place *line = reading->place;
    const struct place place = {line->file, line->text, (size_t)(from - line->text), length ? length : 1};
    error_at(error, ERROR_INPUT, place, "%s", what);
    return error_hint(error, "a line is sizes and perhaps a weight, M=4096,N=64 2.5, or ranges to sample, "
                             "M=1..4096,N=64 sample 20");
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r';
}

static void skip_blanks(struct reading *reading)
{
    while (reading->at < reading->place->end && is_blank(*reading->at))
        reading->at++;
}

static bool at_end(const struct reading *reading)
{
    return reading->at == reading->place->end || *reading->at == '#';
}

/* The length of the word at `at`, up to a blank, a comment or one of `stops`. */
static size_t word_length(const struct reading *reading, const char *stops)
{
    const char *c = reading->at;
    while (c < reading->place->end && !is_blank(*c) && *c != '#' && *c && !strchr(stops, *c))
        c++;
    return (size_t)(c - reading->at);
}

/* Take a word into `buffer`; false: it is empty or too long. */
static bool take_word(struct reading *reading, const char *stops, char *buffer, size_t size)
{
    size_t length = word_length(reading, stops);
    if (length == 0 || length >= size)
        return false;
    memcpy(buffer, reading->at, length);
    buffer[length] = '\0';
    reading->at += length;
    return true;
}

static bool read_whole(const char *text, size_t length, int64_t *value)
{
    char number[NUMBER_MOST], *end;
    if (length == 0 || length >= sizeof number || text[0] == '+' || is_blank(text[0]))
        return false;
    memcpy(number, text, length);
    number[length] = '\0';
    errno = 0;
    *value = strtoll(number, &end, 10);
    return *end == '\0' && errno == 0;
}

/* ---- sizes */

/* "4096" or "64..8192". */
static bool take_range(struct reading *reading, const char *from, size_t whole, struct size_range *range,
                       struct error *error)
{
    size_t length = word_length(reading, ",");
    const char *dots = length > 1 ? memmem(reading->at, length, "..", 2) : NULL;
    size_t first = dots ? (size_t)(dots - reading->at) : length;
    if (length == 0)
        return refuse(reading, from, whole, error, "this is not NAME=NUMBER");
    if (!read_whole(reading->at, first, &range->low) ||
        (dots && !read_whole(dots + 2, length - first - 2, &range->high)))
        return refuse(reading, from, whole, error, "the size is not a whole number that fits 64 bits");
    if (!dots)
        range->high = range->low;
    else if (range->low < 1 || range->low > range->high)
        return refuse(reading, from, whole, error, "a range is LOW..HIGH, from 1 on");
    reading->at += length;
    return true;
}

static bool take_setting(struct reading *reading, struct size_range *range, struct error *error)
{
    char name[NAME_MOST];
    const char *from = reading->at;
    size_t whole = word_length(reading, ",");
    if (!take_word(reading, "=,", name, sizeof name) || reading->at == reading->place->end || *reading->at != '=')
        return refuse(reading, from, whole, error, "this is not NAME=NUMBER");
    reading->at++;
    *range = (struct size_range){0};
    if (!take_range(reading, from, whole, range, error))
        return false;
    for (size_t i = 0; i < reading->template->size_count; i++) {
        if (strcmp(reading->template->sizes[i].name, name) == 0)
            range->name = reading->template->sizes[i].name;
    }
    if (range->name)
        return true;
    const struct size_line_place *line = reading->place;
    const struct place place = {line->file, line->text, (size_t)(from - line->text), strlen(name)};
    error_at(error, ERROR_INPUT, place, "template %s has no size %s", reading->template->name, name);
    return error_hint(error, "'tune show %s' lists its sizes", reading->template->name);
}

static bool take_settings(struct reading *reading, struct size_range *ranges, struct error *error)
{
    size_t *count = &reading->line->count;
    for (;; reading->at++) {
        if (*count == reading->template->size_count)
            return refuse(reading, reading->at, 1, error, "there are more sizes than the template has");
        if (!take_setting(reading, &ranges[*count], error))
            return false;
        ++*count;
        if (reading->at == reading->place->end || *reading->at != ',')
            break;
    }
    skip_blanks(reading);
    return true;
}

/* ---- what follows them */

static bool take_weight(struct reading *reading, struct error *error)
{
    char number[NUMBER_MOST], *end;
    double *weight = &reading->line->sample.weight;
    const char *from = reading->at;
    size_t length = word_length(reading, "");
    if (!take_word(reading, "", number, sizeof number))
        return refuse(reading, from, length, error, "the weight is not a number");
    *weight = strtod(number, &end);
    if (*end || !(*weight > 0 && *weight <= weight_most))
        return refuse(reading, from, length, error, "the weight is not a number above 0, at most 1e9");
    skip_blanks(reading);
    return true;
}

static bool take_count(struct reading *reading, int64_t most, const char *what, int64_t *number, struct error *error)
{
    size_t length = word_length(reading, "");
    if (!read_whole(reading->at, length, number) || *number < 1 || *number > most)
        return refuse(reading, reading->at, length, error, what);
    reading->at += length;
    skip_blanks(reading);
    return true;
}

static bool is_word(struct reading *reading, const char *word)
{
    size_t length = strlen(word);
    if (word_length(reading, "") != length || memcmp(reading->at, word, length) != 0)
        return false;
    reading->at += length;
    skip_blanks(reading);
    return true;
}

/* "log", "linear", "multiple of 8", "seed 7", "weight 2.5" */
static bool take_clause(struct reading *reading, struct error *error)
{
    struct size_sample *sample = &reading->line->sample;
    const char *from = reading->at;
    size_t length = word_length(reading, "");
    int64_t number;
    if (is_word(reading, "log") || is_word(reading, "linear")) {
        sample->linear = length == strlen("linear");
        return true;
    }
    if (is_word(reading, "multiple") && is_word(reading, "of"))
        return take_count(reading, INT64_MAX, "this is no whole number above 0", &sample->multiple, error);
    if (is_word(reading, "seed")) {
        if (!take_count(reading, INT64_MAX, "the seed is no whole number above 0", &number, error))
            return false;
        sample->seed = (uint64_t)number;
        return true;
    }
    if (is_word(reading, "weight"))
        return take_weight(reading, error);
    return refuse(reading, from, length, error,
                  "behind 'sample COUNT' there may be log, linear, multiple of NUMBER, seed NUMBER, weight NUMBER");
}

static bool take_sample(struct reading *reading, struct error *error)
{
    int64_t count;
    reading->line->is_sampled = true;
    if (!take_count(reading, SIZE_SET_MOST, "how many sizes to sample is a number from 1 to 4096", &count, error))
        return false;
    reading->line->sample.count = (size_t)count;
    while (!at_end(reading)) {
        if (!take_clause(reading, error))
            return false;
    }
    return true;
}

/* The first range of a line that has no count, or the line if it has a count and no range. */
static bool check_ranges(const struct reading *reading, const struct size_range *ranges, struct error *error)
{
    const char *start = reading->place->start;
    size_t length = (size_t)(reading->place->end - start);
    bool any = false;
    for (size_t i = 0; i < reading->line->count; i++)
        any = any || ranges[i].low < ranges[i].high;
    if (any && !reading->line->is_sampled)
        return refuse(reading, start, length, error, "how many sizes are to be sampled from this range?");
    return any || !reading->line->is_sampled ||
           refuse(reading, start, length, error, "there is no range, LOW..HIGH, to sample from");
}

bool size_line_read(const struct size_line_place *place, const struct template *template, struct size_range *ranges,
                    struct size_line *line, struct error *error)
{
    struct reading reading = {place, template, place->start, line};
    *line = (struct size_line){.sample = {.ranges = ranges, .multiple = 1, .seed = 1, .weight = 1}};
    skip_blanks(&reading);
    if (at_end(&reading))
        return true;
    if (!take_settings(&reading, ranges, error))
        return false;
    line->sample.dimensions = line->count;
    if (is_word(&reading, "sample")) {
        if (!take_sample(&reading, error))
            return false;
    } else if (!at_end(&reading) && !take_weight(&reading, error)) {
        return false;
    }
    return at_end(&reading)
               ? check_ranges(&reading, ranges, error)
               : refuse(&reading, reading.at, word_length(&reading, ""), error, "something follows the weight");
}

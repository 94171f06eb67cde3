/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/cli/ladder.h"

#include "tuner/cli/json_output.h"
#include "tuner/error/text_stream.h"
#include "tuner/json/json_text.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- the parameters ---- */

static const struct parameter_declaration *parameter_named(const struct template *template, const char *name,
                                                           size_t length)
{
    for (size_t i = 0; i < template->parameter_count; i++) {
        const struct parameter_declaration *parameter = &template->parameters[i];
        if (strlen(parameter->name) == length && memcmp(parameter->name, name, length) == 0)
            return parameter;
    }
    return NULL;
}

static void add_parameter(struct ladder *ladder, const struct parameter_declaration *parameter)
{
    ladder->parameters[ladder->count] = parameter;
    ladder->names[ladder->count++] = parameter->name;
}

static bool choose_default(const struct template *template, struct ladder *ladder, struct error *error)
{
    const struct parameter_declaration *chosen = parameter_named(template, "VARIANT", strlen("VARIANT"));
    for (size_t i = template->parameter_count; i-- > 0;) {
        if (template->parameters[i].value_count)
            chosen = &template->parameters[i];
    }
    if (chosen) {
        add_parameter(ladder, chosen);
        return true;
    }
    error_set(error, ERROR_INPUT, "template %s has no parameter VARIANT and describes no values", template->name);
    return error_hint(error, "name the parameters whose values are the rungs: --ladder=NAME,...");
}

bool ladder_choose(const struct template *template, const char *list, struct ladder *ladder, struct error *error)
{
    *ladder = (struct ladder){0};
    if (!*list)
        return choose_default(template, ladder, error);
    for (const char *name = list;; name++) {
        size_t length = strcspn(name, ",");
        const struct parameter_declaration *parameter = parameter_named(template, name, length);
        if (!parameter) {
            error_set(error, ERROR_INPUT, "--ladder: template %s has no parameter '%.*s'", template->name,
                      (int)length, name);
            return error_hint(error, "'tune show %s' lists its parameters", template->name);
        }
        if (ladder->count == LADDER_PARAMETERS)
            return error_set(error, ERROR_INPUT, "--ladder: at most %d parameters", LADDER_PARAMETERS);
        add_parameter(ladder, parameter);
        name += length;
        if (!*name)
            return true;
    }
}

/* ---- the order ---- */

static bool is_word(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

/* Where the description names the value as a word of its own; NULL: nowhere. */
static const char *mention(const char *meaning, const char *value)
{
    size_t length = strlen(value);
    for (const char *at = meaning; length && (at = strstr(at, value)); at++) {
        if ((at == meaning || !is_word(at[-1])) && !is_word(at[length]))
            return at;
    }
    return NULL;
}

static const struct value_description *described(const struct parameter_declaration *parameter, const json_t *value)
{
    const char *text = json_string_value(value);
    for (size_t i = 0; text && i < parameter->value_count; i++) {
        if (strcmp(parameter->values[i].value, text) == 0)
            return &parameter->values[i];
    }
    return NULL;
}

/* The groups in which values are ordered. */
enum standing { STANDS_IN_BLOCK, STANDS_IN_DESCRIPTION, STANDS_AS_NUMBER, STANDS_AS_TEXT, STANDS_LAST };

struct place_of_value {
    enum standing standing;
    double rank;      /* within the first three */
    const char *text; /* within the fourth */
};

static struct place_of_value place_of(const struct parameter_declaration *parameter, const json_t *value)
{
    const struct value_description *in_block = described(parameter, value);
    const char *text = json_string_value(value), *at = text ? mention(parameter->meaning, text) : NULL;
    if (in_block)
        return (struct place_of_value){STANDS_IN_BLOCK, (double)(in_block - parameter->values), ""};
    if (at)
        return (struct place_of_value){STANDS_IN_DESCRIPTION, (double)(at - parameter->meaning), ""};
    if (text)
        return (struct place_of_value){STANDS_AS_TEXT, 0, text};
    if (json_is_number(value) || json_is_boolean(value))
        return (struct place_of_value){STANDS_AS_NUMBER,
                                       json_is_boolean(value) ? json_is_true(value) : json_number_value(value), ""};
    return (struct place_of_value){STANDS_LAST, 0, ""};
}

static int compare_values(const struct parameter_declaration *parameter, const json_t *a, const json_t *b)
{
    struct place_of_value first = place_of(parameter, a), second = place_of(parameter, b);
    if (first.standing != second.standing)
        return first.standing < second.standing ? -1 : 1;
    if (first.rank != second.rank)
        return first.rank < second.rank ? -1 : 1;
    return strcmp(first.text, second.text);
}

static const json_t *value_of(const json_t *row, const char *name)
{
    return json_object_get(json_object_get(row, "configuration"), name);
}

static int compare_rows(const void *a, const void *b, void *context)
{
    const struct ladder *ladder = context;
    int order = 0;
    for (size_t i = 0; order == 0 && i < ladder->count; i++) {
        const char *name = ladder->names[i];
        order = compare_values(ladder->parameters[i], value_of(*(json_t *const *)a, name),
                               value_of(*(json_t *const *)b, name));
    }
    return order;
}

/* ---- the ladders ---- */

/* What the block says of the rung's values, "; " between them. NULL: out of memory. */
static char *meaning_of(const struct ladder *ladder, const json_t *row)
{
    struct text_stream stream;
    if (!text_stream_open(&stream, NULL))
        return NULL;
    const char *separator = "";
    for (size_t i = 0; i < ladder->count; i++) {
        const struct value_description *value = described(ladder->parameters[i], value_of(row, ladder->names[i]));
        if (!value)
            continue;
        fprintf(stream.out, "%s%s", separator, value->meaning);
        separator = "; ";
    }
    return text_stream_close(&stream, NULL);
}

static json_t *rung_json(const struct ladder *ladder, json_t *row, const json_t *first, const json_t *previous)
{
    char *meaning = meaning_of(ladder, row);
    json_t *rung = json_object(), *values = json_object();
    for (size_t i = 0; i < ladder->count; i++) {
        const json_t *value = value_of(row, ladder->names[i]);
        json_put(&values, ladder->names[i], value ? json_incref((json_t *)(uintptr_t)value) : json_null());
    }
    json_put(&rung, "rung", values);
    json_put(&rung, "meaning", meaning ? json_string_of_bytes(meaning) : NULL);
    free(meaning);
    double cost = ladder_cost(row);
    if (previous) {
        json_put(&rung, "times_first", json_finite(ladder_cost(first) / cost));
        json_put(&rung, "times_previous", json_finite(ladder_cost(previous) / cost));
    }
    if (rung && json_object_update_missing(rung, row) == 0)
        return rung;
    json_decref(rung);
    return NULL;
}

static json_t *parameters_json(const struct ladder *ladder)
{
    json_t *names = json_array();
    for (size_t i = 0; i < ladder->count; i++)
        json_append(&names, json_string(ladder->names[i]));
    return names;
}

/* The ladder of these rows, which it sorts. */
static json_t *one_ladder(const struct ladder *ladder, json_t **rows, size_t count)
{
    static const char *const shared[] = {"template", "device", "device_kind", "architecture",
                                         "size",     "inputs", "data"};
    json_t *one = json_object(), *rungs = json_array();
    for (size_t i = 0; i < sizeof shared / sizeof *shared; i++)
        if (json_object_get(rows[0], shared[i])) /* few have data */
            json_put(&one, shared[i], json_string_of_bytes(json_string_at(rows[0], shared[i])));
    json_put(&one, "parameters", parameters_json(ladder));
    qsort_r(rows, count, sizeof(json_t *), compare_rows, (void *)(uintptr_t)ladder);
    for (size_t i = 0; i < count; i++)
        json_append(&rungs, rung_json(ladder, rows[i], rows[0], i ? rows[i - 1] : NULL));
    json_put(&one, "rungs", rungs);
    return one;
}

static bool belong_together(const json_t *a, const json_t *b)
{
    static const char *const names[] = {"device", "architecture", "size", "inputs"};
    bool together = true;
    for (size_t i = 0; together && i < sizeof names / sizeof *names; i++)
        together = strcmp(json_string_at(a, names[i]), json_string_at(b, names[i])) == 0;
    return together;
}

double ladder_cost(const json_t *row)
{
    const json_t *cost = json_object_get(row, "cost");
    return json_number_value(cost ? cost : json_object_get(row, "time_ns"));
}

json_t *ladder_arrange(const struct ladder *ladder, const json_t *rows)
{
    size_t count = json_array_size(rows);
    json_t *ladders = json_array(), **list = calloc(count + 1, sizeof(json_t *));
    for (size_t i = 0; list && i < count; i++)
        list[i] = json_array_get(rows, i);
    for (size_t begin = 0, end; list && begin < count; begin = end) {
        for (end = begin + 1; end < count && belong_together(list[begin], list[end]);)
            end++;
        json_append(&ladders, one_ladder(ladder, list + begin, end - begin));
    }
    if (!list) {
        json_decref(ladders);
        ladders = NULL;
    }
    free(list);
    return ladders;
}

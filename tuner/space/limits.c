/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/space/limits.h"

#include "tuner/error/text_stream.h"
#include "tuner/lang/limit.h"
#include "tuner/lang/measured_name.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct limit {
    const char *text;
    const struct expr *holds;
    bool of_image; /* it reads nothing but what the image tells */
};

struct limits {
    struct arena arena;
    struct scope *scope;
    struct limit *of;
    size_t count;
    size_t *slots; /* by figure */
    struct value *values;
    bool needs_energy;
    char *condition; /* all of them */
};

static void look_at_figures(struct limits *limits, struct limit *limit)
{
    limit->of_image = true;
    for (size_t i = 0; i < measured_figure_count; i++) {
        const struct measured_figure *figure = &measured_figures[i];
        if (!expr_uses(limit->holds, limits->slots[i]))
            continue;
        limit->of_image = limit->of_image && figure->of_image;
        limits->needs_energy = limits->needs_energy || strcmp(figure->name, "energy") == 0;
    }
}

static bool add(struct limits *limits, const char *written, struct error *error)
{
    struct text *text = arena_allocate(&limits->arena, sizeof *text);
    struct limit *limit = &limits->of[limits->count++];
    if (!text)
        return error_out_of_memory(error);
    if (!text_copy(text, &limits->arena, "--limit", written, strlen(written), error) ||
        !limit_parse(text, &limits->arena, limits->scope, &limit->holds, error))
        return false;
    struct place place = expr_place(limit->holds); /* without comments around it */
    limit->text = arena_string(&limits->arena, place.text + place.offset, place.length);
    if (!limit->text)
        return error_out_of_memory(error);
    look_at_figures(limits, limit);
    return true;
}

static bool prepare(struct limits *limits, size_t count)
{
    limits->scope = scope_create(&limits->arena);
    if (!limits->scope || !scope_add_measured(limits->scope))
        return false;
    limits->of = arena_allocate(&limits->arena, count * sizeof *limits->of);
    limits->slots = arena_allocate(&limits->arena, measured_figure_count * sizeof *limits->slots);
    limits->values = arena_allocate(&limits->arena, scope_count(limits->scope) * sizeof *limits->values);
    if (!limits->of || !limits->slots || !limits->values)
        return false;
    scope_find_measured(limits->scope, limits->slots);
    return true;
}

static bool join(struct limits *limits)
{
    struct text_stream stream;
    if (!text_stream_open(&stream, NULL))
        return false;
    for (size_t i = 0; i < limits->count; i++)
        fprintf(stream.out, limits->count == 1 ? "%s%s" : "%s(%s)", i ? " and " : "", limits->of[i].text);
    limits->condition = text_stream_close(&stream, NULL);
    return limits->condition != NULL;
}

bool limits_parse(const char *const *texts, size_t count, struct limits **result, struct error *error)
{
    struct limits *limits = calloc(1, sizeof *limits);
    if (!limits)
        return error_out_of_memory(error);
    bool done = prepare(limits, count) || error_out_of_memory(error);
    for (size_t i = 0; done && i < count; i++)
        done = add(limits, texts[i], error);
    done = done && (join(limits) || error_out_of_memory(error));
    if (done) {
        *result = limits;
        return true;
    }
    limits_free(limits);
    return false;
}

void limits_free(struct limits *limits)
{
    if (!limits)
        return;
    arena_free(&limits->arena);
    free(limits->condition);
    free(limits);
}

size_t limits_count(const struct limits *limits)
{
    return limits ? limits->count : 0;
}

const char *limits_text(const struct limits *limits, size_t which)
{
    return limits->of[which].text;
}

const char *limits_condition(const struct limits *limits)
{
    return limits ? limits->condition : NULL;
}

bool limits_need_energy(const struct limits *limits)
{
    return limits && limits->needs_energy;
}

/* "registers is 80, time is 0.0015": those that the limit reads. */
static void list_figures(const struct limits *limits, const struct limit *limit, const struct evaluation *evaluation,
                         char *list, size_t size)
{
    size_t length = 0;
    list[0] = '\0';
    for (size_t i = 0; i < measured_figure_count && length < size; i++) {
        double value;
        if (expr_uses(limit->holds, limits->slots[i]) && measured_value(&measured_figures[i], evaluation, &value))
            length += (size_t)snprintf(list + length, size - length, "%s%s is %.6g", length ? ", " : "",
                                       measured_figures[i].name, value);
    }
}

/* Does it hold? `*known`: it could be evaluated. */
static bool holds(const struct limits *limits, const struct limit *limit, const struct evaluation *evaluation,
                  bool *known, struct error *why)
{
    bool truth = false;
    char list[256];
    struct error reason = {0};
    measured_set(evaluation, limits->slots, limits->values);
    *known = expr_truth(limit->holds, limits->values, &truth, &reason);
    if (!*known)
        error_set(why, ERROR_INPUT, "whether %s is not known: %s", limit->text, reason.text);
    if (*known && !truth) {
        list_figures(limits, limit, evaluation, list, sizeof list);
        error_set(why, ERROR_INPUT, "%s does not hold: %s", limit->text, list);
    }
    return truth;
}

bool limits_hold(const struct limits *limits, const struct evaluation *evaluation, struct error *why)
{
    bool known;
    for (size_t i = 0; i < limits->count; i++) {
        if (!holds(limits, &limits->of[i], evaluation, &known, why))
            return false;
    }
    return true;
}

bool limits_hold_of_image(const struct limits *limits, const struct evaluation *evaluation, struct error *why)
{
    bool known;
    for (size_t i = 0; i < limits->count; i++) {
        const struct limit *limit = &limits->of[i];
        if (limit->of_image && !holds(limits, limit, evaluation, &known, NULL) && known)
            return holds(limits, limit, evaluation, &known, why);
    }
    return true;
}

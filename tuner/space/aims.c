/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/space/aims.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static bool is_name(const struct template *template, const char *text)
{
    struct objective ignored;
    return objective_choose(template, text, &ignored, NULL);
}

bool aims_are_several(const struct template *template, const char *text)
{
    return text && strchr(text, ',') && !is_name(template, text);
}

static bool misspelt(struct error *error)
{
    return error_hint(error, "several objectives are written --objective time,energy");
}

/* The name without the blanks around it; false: there is none, or it is too long for any. */
static bool cut_name(const char *from, size_t length, char name[METRIC_NAME_LIMIT + 1])
{
    while (length > 0 && *from == ' ') {
        from++;
        length--;
    }
    while (length > 0 && from[length - 1] == ' ')
        length--;
    snprintf(name, METRIC_NAME_LIMIT + 1, "%.*s", (int)(length < METRIC_NAME_LIMIT ? length : METRIC_NAME_LIMIT),
             from);
    return length > 0;
}

static bool add(const struct template *template, const char *name, struct aims *aims, struct error *error)
{
    if (aims->count == FRONT_OBJECTIVES) {
        error_set(error, ERROR_INPUT, "--objective: %d objectives at most", FRONT_OBJECTIVES);
        return error_hint(error, "--limit can bound what is left out");
    }
    struct objective *objective = &aims->of[aims->count];
    if (!objective_choose(template, name, objective, error))
        return false;
    for (size_t i = 0; i < aims->count; i++) {
        if (strcmp(aims->of[i].name, objective->name) == 0) {
            error_set(error, ERROR_INPUT, "--objective: '%s' is there twice", objective->name);
            return misspelt(error);
        }
    }
    aims->count++;
    return true;
}

/* The built-in ones first, those of a template in its order. */
static size_t place_of(const struct objective *objective)
{
    const struct objective *built_in = objective_find(objective->name);
    return built_in ? (size_t)(built_in - objectives) : objective_count + objective->metric;
}

static void set_name(struct aims *aims)
{
    size_t used = 0, from = 0;
    for (size_t i = 0; i < aims->count; i++) {
        const struct objective *next = NULL;
        for (size_t j = 0; j < aims->count; j++) {
            const struct objective *one = &aims->of[j];
            if (place_of(one) >= from && (!next || place_of(one) < place_of(next)))
                next = one;
        }
        if (!next)
            return;
        used += (size_t)snprintf(aims->name + used, sizeof aims->name - used, "%s%s", i ? "," : "", next->name);
        from = place_of(next) + 1;
    }
}

bool aims_choose(const struct template *template, const char *text, struct aims *aims, struct error *error)
{
    char name[METRIC_NAME_LIMIT + 1];
    *aims = (struct aims){0};
    if (!aims_are_several(template, text)) {
        if (!objective_choose(template, text, &aims->of[0], error))
            return false;
        aims->count = 1;
        set_name(aims);
        return true;
    }
    for (const char *at = text;; at++) {
        size_t length = strcspn(at, ",");
        if (!cut_name(at, length, name)) {
            error_set(error, ERROR_INPUT, "--objective '%s': a name is missing", text);
            return misspelt(error);
        }
        if (!add(template, name, aims, error))
            return false;
        at += length;
        if (!*at)
            break;
    }
    set_name(aims);
    return true;
}

bool aims_costs(const struct aims *aims, struct metrics *metrics, const char *configuration,
                const struct evaluation *evaluation, double costs[FRONT_OBJECTIVES], struct error *why)
{
    bool all = true;
    for (size_t i = 0; i < aims->count && all; i++) {
        costs[i] = objective_judge(&aims->of[i], metrics, configuration, evaluation, why).cost;
        all = isfinite(costs[i]);
    }
    return all;
}

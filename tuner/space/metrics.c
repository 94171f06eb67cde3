/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/space/metrics.h"

#include "tuner/error/text_stream.h"
#include "tuner/json/json_text.h"
#include "tuner/lang/measured_name.h"
#include "tuner/space/configuration.h"
#include "tuner/space/limits.h"
#include "tuner/space/slots.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

struct metrics {
    const struct template *template;
    struct value *slots;
    size_t *measured;      /* by figure: its slot */
    char *text;            /* of the configuration whose values are in the slots; NULL: none */
    json_t *configuration; /* owns the strings among them */
};

static void set_sizes(struct metrics *metrics, const char *text)
{
    for (const char *at = text; *at; at += *at == ',') {
        size_t length = strcspn(at, "=,");
        for (size_t i = 0; i < metrics->template->size_count; i++) {
            const struct size_declaration *size = &metrics->template->sizes[i];
            if (strncmp(size->name, at, length) == 0 && size->name[length] == '\0' && at[length] == '=')
                metrics->slots[size->slot] = value_integer(strtoll(at + length + 1, NULL, 10));
        }
        at += strcspn(at, ",");
    }
}

bool metrics_create(const struct template *template, const struct device_description *device, const char *sizes,
                    struct metrics **result, struct error *error)
{
    struct metrics *metrics = calloc(1, sizeof *metrics);
    if (metrics) {
        metrics->template = template;
        metrics->slots = calloc(scope_count(template->scope) + 1, sizeof *metrics->slots);
        metrics->measured = calloc(measured_figure_count, sizeof *metrics->measured);
    }
    if (!metrics || !metrics->slots || !metrics->measured) {
        metrics_free(metrics);
        return error_out_of_memory(error);
    }
    slots_set_device(template->scope, device, metrics->slots);
    set_sizes(metrics, sizes);
    if (template->metric_count > 0)
        scope_find_measured(template->scope, metrics->measured);
    *result = metrics;
    return true;
}

void metrics_free(struct metrics *metrics)
{
    if (!metrics)
        return;
    json_decref(metrics->configuration);
    free(metrics->text);
    free(metrics->measured);
    free(metrics->slots);
    free(metrics);
}

/* Set the parameters and lets, unless they are those of this configuration already. */
static bool take(struct metrics *metrics, const char *configuration, struct error *error)
{
    const struct template *template = metrics->template;
    if (metrics->text && strcmp(metrics->text, configuration) == 0)
        return true;
    json_t *json = NULL;
    char *text = strdup(configuration);
    if (!text || !json_try(configuration, 0, &json, error)) {
        free(text);
        return error_out_of_memory(error);
    }
    free(metrics->text);
    json_decref(metrics->configuration);
    metrics->text = text;
    metrics->configuration = json;
    for (size_t i = 0; i < template->parameter_count; i++) {
        const json_t *value = json_object_get(metrics->configuration, template->parameters[i].name);
        metrics->slots[template->parameters[i].slot] = value ? configuration_value(value) : (struct value){0};
    }
    slots_set_lets(template, NULL, metrics->slots);
    return true;
}

bool metrics_value(struct metrics *metrics, size_t which, const char *configuration,
                   const struct evaluation *evaluation, double *value, struct error *why)
{
    const struct template *template = metrics->template;
    const struct expr *expr = template->metrics[which].value;
    if (!take(metrics, configuration, why))
        return false;
    measured_set(evaluation, metrics->measured, metrics->slots);
    return expr_number(expr, metrics->slots, value, why) || slots_blame(template, NULL, expr, metrics->slots, why);
}

char *metrics_text(struct metrics *metrics, const char *configuration, const struct evaluation *evaluation)
{
    const struct template *template = metrics->template;
    if (template->metric_count == 0)
        return strdup("");
    json_t *object = json_object();
    bool done = object != NULL;
    for (size_t i = 0; done && i < template->metric_count; i++) {
        double value = NAN;
        struct error why = {0};
        bool defined = metrics_value(metrics, i, configuration, evaluation, &value, &why);
        done =
            why.code != ERROR_OUT_OF_MEMORY &&
            json_object_set_new(object, template->metrics[i].name, defined ? json_finite(value) : json_null()) == 0;
    }
    char *text = done ? json_text(object, JSON_COMPACT) : NULL;
    json_decref(object);
    return text;
}

static const char *const senses[] = {[METRIC_MINIMIZED] = "minimize", [METRIC_MAXIMIZED] = "maximize"};

char *metrics_definitions(const struct template *template)
{
    if (template->metric_count == 0)
        return strdup("");
    json_t *object = json_object();
    bool done = object != NULL;
    for (size_t i = 0; done && i < template->metric_count; i++) {
        const struct metric_declaration *metric = &template->metrics[i];
        const struct place place = expr_place(metric->value);
        json_t *definition = json_pack("{s:s%}", "text", place.text + place.offset, place.length);
        done = definition && (metric->sense == METRIC_SHOWN ||
                              json_object_set_new(definition, "sense", json_string(senses[metric->sense])) == 0);
        done = done && json_object_set(object, metric->name, definition) == 0;
        json_decref(definition);
    }
    char *text = done ? json_text(object, JSON_COMPACT) : NULL;
    json_decref(object);
    return text;
}

/* ---- objectives */

static bool no_such_objective(const struct template *template, const char *name, struct error *error)
{
    struct text_stream stream;
    const char *names[METRICS_MOST + 8];
    size_t count = 0;
    error_set(error, ERROR_INPUT, "there is no objective '%s'", name);
    for (size_t i = 0; template && i < template->metric_count; i++) {
        if (template->metrics[i].sense != METRIC_SHOWN)
            names[count++] = template->metrics[i].name;
    }
    for (size_t i = 0; i < objective_count; i++)
        names[count++] = objectives[i].name;
    if (strchr(name, ','))
        return error_hint(error, "a list of objectives is for sweeps and 'tune best'; this is about one");
    const char *nearest = error_nearest(name, names, count);
    if (nearest)
        return error_hint(error, "did you mean \"%s\"?", nearest);
    if (!text_stream_open(&stream, NULL))
        return false;
    for (size_t i = 0; i < count; i++)
        fprintf(stream.out, "%s%s", i == 0 ? "" : i + 1 < count ? ", " : " or ", names[i]);
    char *list = text_stream_close(&stream, NULL);
    error_hint(error, "choose %s", list ? list : "time");
    free(list);
    return false;
}

bool objective_choose(const struct template *template, const char *name, struct objective *objective,
                      struct error *error)
{
    if (!name && template)
        name = template->default_objective;
    if (!name)
        name = objectives[0].name;
    const struct objective *built_in = objective_find(name);
    if (built_in) {
        *objective = *built_in;
        return true;
    }
    for (size_t i = 0; template && i < template->metric_count; i++) {
        const struct metric_declaration *metric = &template->metrics[i];
        size_t energy;
        if (metric->sense == METRIC_SHOWN || strcmp(metric->name, name) != 0)
            continue;
        bool reads_energy =
            scope_find(template->scope, MEASURED_PREFIX "energy", &energy) && expr_uses(metric->value, energy);
        *objective = (struct objective){
            .name = metric->name,
            .meaning = metric->sense == METRIC_MAXIMIZED ? "as large as possible" : "as small as possible",
            .unit = metric->name,
            .needs_energy = reads_energy,
            .maximize = metric->sense == METRIC_MAXIMIZED,
            .is_metric = true,
            .metric = i,
        };
        return true;
    }
    return no_such_objective(template, name, error);
}

double objective_value_of(const struct objective *objective, double cost)
{
    return objective->maximize ? 1 / cost : cost;
}

/* HUGE_VAL: none. */
static double cost_of(const struct objective *objective, struct metrics *metrics, const char *configuration,
                      const struct evaluation *evaluation, struct error *why)
{
    double value;
    if (!objective->is_metric) {
        double cost = objective->value(evaluation);
        if (!isfinite(cost))
            error_set(why, ERROR_INPUT, "the energy is not known");
        return cost;
    }
    if (!metrics_value(metrics, objective->metric, configuration, evaluation, &value, why))
        return HUGE_VAL;
    double cost = objective->maximize ? 1 / value : value;
    if (value > 0 && cost > 0 && isfinite(cost))
        return cost;
    error_at(why, ERROR_INPUT, expr_place(metrics->template->metrics[objective->metric].value),
             "\"%s\" is %g, and not a positive number", objective->name, value);
    return HUGE_VAL;
}

/* The expression may grow or shrink with time and energy, or both by turns: of the corners and the middle, the ends.
 */
struct judgement objective_judge(const struct objective *objective, struct metrics *metrics,
                                 const char *configuration, const struct evaluation *evaluation, struct error *why)
{
    bool outside = objective->limits && !limits_hold(objective->limits, evaluation, why);
    double cost = outside ? HUGE_VAL : cost_of(objective, metrics, configuration, evaluation, why);
    struct judgement judgement = {cost, cost, cost};
    if (!isfinite(cost))
        return judgement;
    if (!objective->is_metric) {
        objective_interval(objective, evaluation, &judgement.low, &judgement.high);
        return judgement;
    }
    double error = evaluation->energy_error_j > 0 ? evaluation->energy_error_j : 0;
    bool energy = evaluation->energy_j > 0 && error > 0;
    for (int corner = 0; corner < (energy ? 4 : 2); corner++) {
        struct evaluation at = *evaluation;
        at.time_ns = corner % 2 ? evaluation->time_high_ns : evaluation->time_low_ns;
        if (energy)
            at.energy_j = fmax(evaluation->energy_j + (corner / 2 ? error : -error), DBL_MIN);
        double of_corner = cost_of(objective, metrics, configuration, &at, NULL);
        if (isfinite(of_corner)) {
            judgement.low = fmin(judgement.low, of_corner);
            judgement.high = fmax(judgement.high, of_corner);
        }
    }
    return judgement;
}

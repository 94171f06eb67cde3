/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/simulate/recorded_values.h"

#include "tuner/error/text_stream.h"
#include "tuner/evaluation/objective.h"
#include "tuner/json/json_text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Of a result by a built-in objective, or by the metric called `name`. */
static bool value_of(const struct recorded_result *result, const struct objective *built_in, const char *name,
                     double *value, struct error *error)
{
    json_t *metrics;
    *value = 0;
    if (result->outcome != OUTCOME_OK)
        return true;
    if (built_in) {
        const struct evaluation evaluation = {.time_ns = result->time_ns, .energy_j = result->energy_j};
        *value = built_in->value(&evaluation);
    } else if (result->metrics) {
        if (!json_try(result->metrics, 0, &metrics, error))
            return false;
        *value = json_number_value(json_object_get(metrics, name));
        json_decref(metrics);
    }
    if (!(*value > 0) || !isfinite(*value))
        *value = 0;
    return true;
}

static bool has_any(const struct recording *recording, const char *name, bool *any, struct error *error)
{
    const struct objective *built_in = objective_find(name);
    double value = 0;
    for (size_t i = 0; value <= 0 && i < recording->count; i++) {
        if (!value_of(&recording->results[i], built_in, name, &value, error))
            return false;
    }
    *any = value > 0;
    return true;
}

static void add_name(FILE *out, const char **before, const char *name)
{
    fprintf(out, strchr(name, ' ') ? "%s\"%s\"" : "%s%s", *before, name);
    *before = ", ";
}

/* "--objective can be time, \"points a second\"": what the recording has values of. */
static bool hint_at_others(const struct recording *recording, json_t *definitions, struct error *error)
{
    struct text_stream stream;
    struct error failure = {0};
    const char *name, *before = "";
    json_t *definition;
    bool any = false, done = text_stream_open(&stream, &failure);
    if (!done)
        return error_out_of_memory(error);
    for (size_t i = 0; done && i < objective_count; i++) {
        done = has_any(recording, objectives[i].name, &any, &failure);
        if (done && any)
            add_name(stream.out, &before, objectives[i].name);
    }
    json_object_foreach(definitions, name, definition)
    {
        if (objective_find(name) || !json_object_get(definition, "sense"))
            continue;
        done = done && has_any(recording, name, &any, &failure);
        if (done && any)
            add_name(stream.out, &before, name);
    }
    char *list = text_stream_close(&stream, NULL);
    if (done && list && list[0])
        error_hint(error, "for this recording --objective can be %s", list);
    free(list);
    return done && list ? false : error_out_of_memory(error);
}

static bool refuse(const struct recording *recording, json_t *definitions, const char *name, bool defined,
                   struct error *error)
{
    if (objective_find(name))
        error_set(error, ERROR_INPUT, "%s: the %s of no valid configuration is recorded", recording->name, name);
    else if (!defined)
        error_set(error, ERROR_INPUT, "%s: there is no objective '%.100s'", recording->name, name);
    else if (!json_object_get(json_object_get(definitions, name), "sense"))
        error_set(error, ERROR_INPUT, "%s: whether '%.100s' is to be large or small is not recorded", recording->name,
                  name);
    else
        error_set(error, ERROR_INPUT, "%s: no valid configuration has a value of '%.100s'", recording->name, name);
    return hint_at_others(recording, definitions, error);
}

static bool read_all(const struct recording *recording, struct recorded_values *values, size_t *valid,
                     struct error *error)
{
    const struct objective *built_in = objective_find(values->objective);
    for (size_t i = 0; i < recording->count; i++) {
        if (!value_of(&recording->results[i], built_in, values->objective, &values->of[i], error))
            return false;
        bool ok = recording->results[i].outcome == OUTCOME_OK;
        *valid += ok;
        values->missing += ok && values->of[i] <= 0;
    }
    return true;
}

bool recorded_values_read(const struct recording *recording, const char *name, struct recorded_values *values,
                          struct error *error)
{
    json_t *definitions = NULL;
    size_t valid = 0;
    if (!name)
        name = recording->objective && recording->objective[0] ? recording->objective : objectives[0].name;
    *values = (struct recorded_values){.objective = strdup(name), .of = calloc(recording->count + 1, sizeof(double))};
    bool done = (values->objective && values->of) || error_out_of_memory(error);
    done = done && json_try(recording->definitions ? recording->definitions : "", 0, &definitions, error);
    const json_t *definition = json_object_get(definitions, name);
    const char *sense = json_string_value(json_object_get(definition, "sense"));
    values->maximize = !objective_find(name) && sense && strcmp(sense, "maximize") == 0;
    done = done && ((objective_find(name) || sense) || refuse(recording, definitions, name, definition, error)) &&
           read_all(recording, values, &valid, error);
    if (done && valid > 0 && values->missing == valid)
        done = refuse(recording, definitions, name, true, error);
    json_decref(definitions);
    if (!done)
        recorded_values_clear(values);
    return done;
}

void recorded_values_clear(struct recorded_values *values)
{
    free(values->objective);
    free(values->of);
    *values = (struct recorded_values){0};
}

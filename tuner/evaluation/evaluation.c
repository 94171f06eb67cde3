/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/evaluation/evaluation.h"

#include "tuner/json/json_text.h"

#include <errno.h>
#include <inttypes.h>
#include <jansson.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { OTHER_MEMBERS = 5 }; /* of the JSON, besides the numbers: outcome, message, samples_ns, uuid, seed */

const struct evaluation evaluation_unmeasured = {
    .error_ratio = -1,
    .energy_j = -1,
    .energy_error_j = -1,
    .resources = {.registers = -1, .local_bytes = -1, .occupancy = -1},
    .spill_bytes = -1,
    .state = {-1, -1, -1, -1, -1},
};

void evaluation_clear(struct evaluation *evaluation)
{
    free(evaluation->message);
    free(evaluation->samples_ns);
    free(evaluation->awkward);
    free(evaluation->metrics);
    memset(evaluation, 0, sizeof *evaluation);
}

bool evaluation_fail(struct evaluation *evaluation, enum outcome outcome, struct error *error, const char *format,
                     ...)
{
    char *message;
    va_list arguments;
    va_start(arguments, format);
    int length = vasprintf(&message, format, arguments);
    va_end(arguments);
    if (length < 0)
        return error_out_of_memory(error);
    free(evaluation->message);
    evaluation->message = message;
    evaluation->outcome = outcome;
    return true;
}

static const struct evaluation_number *number_end(void)
{
    return evaluation_numbers + evaluation_number_count;
}

/* JSON has no NaN and no infinity: they travel as strings. */
static json_t *real_to_json(double value)
{
    if (isnan(value))
        return json_string("nan");
    if (isinf(value))
        return json_string(value > 0 ? "inf" : "-inf");
    return json_real(value);
}

static bool real_from_json(const json_t *json, double *value)
{
    if (json_is_number(json)) {
        *value = json_number_value(json);
        return true;
    }
    const char *text = json_string_value(json);
    if (!text)
        return false;
    if (strcmp(text, "nan") == 0)
        *value = NAN;
    else if (strcmp(text, "inf") == 0)
        *value = INFINITY;
    else if (strcmp(text, "-inf") == 0)
        *value = -INFINITY;
    else
        return false;
    return true;
}

static json_t *number_to_json(const struct evaluation *evaluation, const struct evaluation_number *number)
{
    const void *at = (const char *)evaluation + number->offset;
    return number->integer ? json_integer(*(const int64_t *)at) : real_to_json(*(const double *)at);
}

static json_t *samples_to_json(const double *samples, size_t count)
{
    json_t *array = json_array();
    if (!array)
        return NULL;
    for (size_t i = 0; i < count; i++) {
        if (json_array_append_new(array, real_to_json(samples[i])) != 0) {
            json_decref(array);
            return NULL;
        }
    }
    return array;
}

/* A seed may use all 64 bits, which JSON's integers do not have. */
static json_t *seed_to_json(uint64_t seed)
{
    char text[24];
    snprintf(text, sizeof text, "%" PRIu64, seed);
    return json_string(text);
}

json_t *evaluation_to_json(const struct evaluation *evaluation)
{
    json_t *json = json_object();
    if (!json)
        return NULL;
    const char *message = evaluation->message ? evaluation->message : "";
    bool ok = json_object_set_new(json, "outcome", json_string(outcome_name(evaluation->outcome))) == 0 &&
              json_object_set_new(json, "message", json_string_of_bytes(message)) == 0 &&
              json_object_set_new(json, "samples_ns",
                                  samples_to_json(evaluation->samples_ns, evaluation->sample_count)) == 0;
    ok = ok && json_object_set_new(json, "uuid", json_string_of_bytes(evaluation->uuid)) == 0 &&
         json_object_set_new(json, "seed", seed_to_json(evaluation->seed)) == 0;
    for (const struct evaluation_number *n = evaluation_numbers; ok && n < number_end(); n++)
        ok = json_object_set_new(json, n->column, number_to_json(evaluation, n)) == 0;
    if (!ok) {
        json_decref(json);
        return NULL;
    }
    return json;
}

static bool malformed(struct error *error, const char *name)
{
    return error_set(error, ERROR_MESSAGE, "\"%s\" is missing or of the wrong type", name);
}

static bool samples_from_json(const json_t *array, struct evaluation *evaluation, struct error *error)
{
    if (!json_is_array(array))
        return malformed(error, "samples_ns");
    size_t count = json_array_size(array);
    if (count == 0)
        return true;
    evaluation->samples_ns = calloc(count, sizeof *evaluation->samples_ns);
    if (!evaluation->samples_ns)
        return error_out_of_memory(error);
    evaluation->sample_count = count;
    for (size_t i = 0; i < count; i++) {
        if (!real_from_json(json_array_get(array, i), &evaluation->samples_ns[i]))
            return malformed(error, "samples_ns");
    }
    return true;
}

static bool number_from_json(const json_t *json, const struct evaluation_number *number,
                             struct evaluation *evaluation)
{
    char *at = (char *)evaluation + number->offset;
    if (!number->integer)
        return real_from_json(json, (double *)(void *)at);
    if (!json_is_integer(json))
        return false;
    *(int64_t *)(void *)at = json_integer_value(json);
    return true;
}

static bool numbers_from_json(const json_t *json, struct evaluation *evaluation, struct error *error)
{
    for (const struct evaluation_number *n = evaluation_numbers; n < number_end(); n++) {
        if (!number_from_json(json_object_get(json, n->column), n, evaluation))
            return malformed(error, n->column);
    }
    return true;
}

static bool origin_from_json(const json_t *json, struct evaluation *evaluation, struct error *error)
{
    const char *uuid = json_string_value(json_object_get(json, "uuid"));
    if (!uuid || strlen(uuid) >= sizeof evaluation->uuid)
        return malformed(error, "uuid");
    memcpy(evaluation->uuid, uuid, strlen(uuid) + 1);
    const char *seed = json_string_value(json_object_get(json, "seed"));
    char *end = NULL;
    errno = 0;
    if (seed)
        evaluation->seed = strtoull(seed, &end, 10);
    return (end && end != seed && *end == '\0' && errno == 0) || malformed(error, "seed");
}

static bool fill_from_json(const json_t *json, struct evaluation *evaluation, struct error *error)
{
    const char *outcome = json_string_value(json_object_get(json, "outcome"));
    if (!outcome || !outcome_find(outcome, &evaluation->outcome))
        return malformed(error, "outcome");
    const char *message = json_string_value(json_object_get(json, "message"));
    if (!message || strlen(message) > EVALUATION_MESSAGE_MOST)
        return malformed(error, "message");
    evaluation->message = strdup(message);
    if (!evaluation->message)
        return error_out_of_memory(error);
    if (json_object_size(json) != OTHER_MEMBERS + evaluation_number_count)
        return error_set(error, ERROR_MESSAGE, "an evaluation with unknown members");
    return origin_from_json(json, evaluation, error) && numbers_from_json(json, evaluation, error) &&
           samples_from_json(json_object_get(json, "samples_ns"), evaluation, error);
}

bool evaluation_from_json(const json_t *json, struct evaluation *evaluation, struct error *error)
{
    memset(evaluation, 0, sizeof *evaluation);
    if (fill_from_json(json, evaluation, error))
        return true;
    evaluation_clear(evaluation);
    return false;
}

static bool impossible(struct error *error, const char *name)
{
    return error_set(error, ERROR_MESSAGE, "\"%s\" has an impossible value", name);
}

/* Unknown numbers are -1 or 0. Only the error of a wrong result may be infinite or NaN, and the interval be open. */
static bool number_is_possible(const struct evaluation *evaluation, const struct evaluation_number *number)
{
    const void *at = (const char *)evaluation + number->offset;
    if (number->integer)
        return *(const int64_t *)at >= -1;
    double value = *(const double *)at;
    if (at == &evaluation->error_ratio)
        return evaluation->outcome != OUTCOME_OK || (value >= -1 && value <= 1);
    return value >= -1 && (isfinite(value) || at == &evaluation->time_high_ns);
}

bool evaluation_check(const struct evaluation *evaluation, struct error *error)
{
    for (const struct evaluation_number *n = evaluation_numbers; n < number_end(); n++) {
        if (!number_is_possible(evaluation, n))
            return impossible(error, n->column);
    }
    for (size_t i = 0; i < evaluation->sample_count; i++) {
        if (!(evaluation->samples_ns[i] >= 0 && isfinite(evaluation->samples_ns[i])))
            return impossible(error, "samples_ns");
    }
    bool ok = evaluation->outcome == OUTCOME_OK;
    double time = evaluation->time_ns, low = evaluation->time_low_ns, high = evaluation->time_high_ns;
    if (ok != (time > 0) || (low > 0 && low > time) || (high > 0 && high < time))
        return impossible(error, "time_ns");
    if (evaluation->resources.occupancy > 1)
        return impossible(error, "occupancy");
    return evaluation->transient < (ok ? 1 : 2) || impossible(error, "transient");
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "db/known_read.h"

#include "db/dispatch.h"
#include "db/evaluations.h"

#include "tuner/dispatch/dispatch.h"
#include "tuner/json/json_text.h"

#include <jansson.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

enum { FORMAT = 1 };

/* The longest texts, in bytes. */
enum {
    NAME_MOST = 200,
    SIZE_MOST = 4000,
    CONFIGURATION_MOST = 64 << 10,
    INPUTS_MOST = 64 << 10,
    DESCRIPTIONS_MOST = 1 << 20,
};

/* ---- places */

static void enter(struct known_reading *reading, const char *array, size_t index)
{
    reading->steps[reading->depth++] = (struct json_step){.name = array};
    reading->steps[reading->depth++] = (struct json_step){.index = index};
}

static void leave(struct known_reading *reading)
{
    reading->depth -= 2;
}

/* An error at a member of the entry at hand, or at the entry if it lacks that. Returns false. */
__attribute__((format(printf, 4, 5))) static bool wrong(struct known_reading *reading, const char *member,
                                                        struct error *error, const char *format, ...)
{
    char text[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    struct place place = {.file = reading->path, .text = reading->text};
    reading->steps[reading->depth] = (struct json_step){.name = member};
    json_find(reading->text, reading->length, reading->steps, reading->depth + 1, &place.offset, &place.length);
    return error_at(error, ERROR_INPUT, place, "\"%s\" %s", member, text);
}

/* ---- members */

static bool read_text(struct known_reading *reading, const json_t *object, const char *name, size_t most,
                      const char **text, struct error *error)
{
    *text = json_string_value(json_object_get(object, name));
    if (!*text || !**text) {
        wrong(reading, name, error, "must be a non-empty string");
        return false;
    }
    return strlen(*text) <= most || wrong(reading, name, error, "is longer than %zu bytes", most);
}

/* The same of one that may be missing. */
static bool read_optional(struct known_reading *reading, const json_t *object, const char *name, size_t most,
                          const char **text, struct error *error)
{
    *text = NULL;
    return !json_object_get(object, name) || read_text(reading, object, name, most, text, error);
}

static bool copy_text(struct known_reading *reading, const json_t *object, const char *name, char *to, size_t size,
                      struct error *error)
{
    const char *text;
    if (!read_text(reading, object, name, size - 1, &text, error))
        return false;
    strcpy(to, text);
    return true;
}

static bool read_array(struct known_reading *reading, const json_t *object, const char *name, const json_t **array,
                       struct error *error)
{
    *array = json_object_get(object, name);
    return json_is_array(*array) || wrong(reading, name, error, "must be an array");
}

/* A time of day as the database writes it, which is also the order of time; perhaps the day alone. */
static bool read_date(struct known_reading *reading, const json_t *object, const char *name, const char **text,
                      struct error *error)
{
    static const char like[] = "0000-00-00T00:00:00.000000Z";
    if (!read_text(reading, object, name, sizeof like - 1, text, error))
        return false;
    size_t length = strlen(*text);
    bool done = length >= strlen("0000-00-00") && strspn(*text, "0123456789-T:.Z") == length;
    for (size_t i = 0; i < strlen("0000-00-00") && done; i++)
        done = (like[i] == '-') == ((*text)[i] == '-') && (*text)[i] < ':';
    return done || wrong(reading, name, error, "must be a time of day like 2026-11-21T22:05:55.123Z");
}

/* ---- an evaluation */

static bool read_number(struct known_reading *reading, const json_t *object, const struct evaluation_number *number,
                        struct evaluation *evaluation, struct error *error)
{
    char *at = (char *)evaluation + number->offset;
    const json_t *value = json_object_get(object, number->document);
    if (number->integer) {
        *(int64_t *)(void *)at = value ? json_integer_value(value) : -1;
        return !value || json_is_integer(value) || wrong(reading, number->document, error, "must be an integer");
    }
    *(double *)(void *)at = value ? json_number_value(value) : -1;
    return !value || json_is_number(value) || wrong(reading, number->document, error, "must be a number");
}

/* Parameters with plain values; allocated. */
static bool read_configuration(struct known_reading *reading, const json_t *object, char **text, struct error *error)
{
    static const char name[] = "configuration";
    json_t *configuration = json_object_get(object, name), *value;
    const char *parameter;
    *text = NULL;
    if (!json_is_object(configuration))
        return wrong(reading, name, error, "must be an object");
    json_object_foreach(configuration, parameter, value)
    {
        if (!json_is_number(value) && !json_is_boolean(value) && !json_is_string(value))
            return wrong(reading, name, error, "has no number, text, true or false for %.100s", parameter);
    }
    *text = json_text(configuration, JSON_COMPACT);
    if (!*text)
        return error_out_of_memory(error);
    if (strlen(*text) <= CONFIGURATION_MOST)
        return true;
    free(*text);
    *text = NULL;
    return wrong(reading, name, error, "is longer than %d bytes", CONFIGURATION_MOST);
}

struct entry {
    struct evaluation evaluation;
    char *configuration;
    const char *measured_at;
};

static bool read_evaluation(struct known_reading *reading, const json_t *object, struct entry *entry,
                            struct error *error)
{
    *entry = (struct entry){.evaluation = {.outcome = OUTCOME_OK}};
    for (size_t i = 0; i < evaluation_number_count; i++) {
        if (!read_number(reading, object, &evaluation_numbers[i], &entry->evaluation, error))
            return false;
    }
    if (!(entry->evaluation.time_ns > 0))
        return wrong(reading, "time_ns", error, "must be a positive number");
    return read_date(reading, object, "measured_at", &entry->measured_at, error) &&
           read_configuration(reading, object, &entry->configuration, error);
}

/* ---- entries */

/* True: go on without it. */
static bool refuse(struct known_reading *reading, const struct error *why, struct error *error)
{
    if (why->code != ERROR_INPUT) {
        if (error)
            *error = *why;
        return false;
    }
    reading->counts.refused++;
    if (reading->refuse)
        reading->refuse(why, reading->context);
    return true;
}

/* Template and device are the same in all of a file, and hardly ever is there a second toolchain: what a problem is
 * of is not written again for each. */
static bool ensure_problem(struct known_reading *reading, const struct store_problem *problem, int64_t *row,
                           struct error *error)
{
    char toolchain[sizeof reading->toolchain];
    const char *driver = problem->device->driver;
    snprintf(toolchain, sizeof toolchain, "%zu %s %s", strlen(driver), driver, problem->device->compiler);
    if (strcmp(toolchain, reading->toolchain) != 0) {
        if (!subject_ensure(reading->store, problem, ORIGIN_SHIPPED, &reading->subject, error))
            return false;
        strcpy(reading->toolchain, toolchain);
    }
    return problem_ensure_of(reading->store, &reading->subject, problem, row, error);
}

/* The problem gets its row with its first evaluation that can be stored. */
static bool store_entry(struct known_reading *reading, const struct store_problem *problem, int64_t *row,
                        const struct entry *entry, struct error *error)
{
    int64_t id;
    if (*row < 0 && !ensure_problem(reading, problem, row, error))
        return false;
    if (!evaluation_write(reading->store, *row, entry->configuration, &entry->evaluation, reading->origin,
                          entry->measured_at, &id, error))
        return false;
    reading->counts.taken++;
    return true;
}

static bool load_evaluations(struct known_reading *reading, const struct store_problem *problem,
                             const json_t *evaluations, struct error *error)
{
    int64_t row = -1;
    bool done = true;
    for (size_t i = 0; i < json_array_size(evaluations) && done; i++) {
        struct error own = {0};
        struct entry entry;
        enter(reading, "evaluations", i);
        done = (read_evaluation(reading, json_array_get(evaluations, i), &entry, &own) &&
                store_entry(reading, problem, &row, &entry, &own)) ||
               refuse(reading, &own, error);
        leave(reading);
        free(entry.configuration);
    }
    return done;
}

static bool read_work(struct known_reading *reading, const json_t *object, struct work *work, struct error *error)
{
    for (size_t i = 0; i < WORK_COUNT; i++) {
        const json_t *value = json_object_get(object, work_kinds[i].column);
        work->of[i] = json_number_value(value);
        if (value && !json_is_number(value))
            return wrong(reading, work_kinds[i].column, error, "must be a number");
    }
    return true;
}

static bool read_problem(struct known_reading *reading, const json_t *object, struct store_problem *problem,
                         struct device_description *device, const json_t **evaluations, struct error *error)
{
    return read_text(reading, object, "size", SIZE_MOST, &problem->size, error) &&
           read_optional(reading, object, "inputs", INPUTS_MOST, &problem->inputs, error) &&
           read_optional(reading, object, "data", INPUTS_MOST, &problem->input_files, error) &&
           copy_text(reading, object, "driver", device->driver, sizeof device->driver, error) &&
           copy_text(reading, object, "compiler", device->compiler, sizeof device->compiler, error) &&
           read_work(reading, object, &problem->work, error) &&
           read_array(reading, object, "evaluations", evaluations, error);
}

static bool load_problems(struct known_reading *reading, const json_t *problems, struct store_problem *problem,
                          struct device_description *device, struct error *error)
{
    bool done = true;
    for (size_t i = 0; i < json_array_size(problems) && done; i++) {
        struct error own = {0};
        const json_t *evaluations;
        enter(reading, "problems", i);
        if (read_problem(reading, json_array_get(problems, i), problem, device, &evaluations, &own))
            done = load_evaluations(reading, problem, evaluations, error);
        else
            done = refuse(reading, &own, error);
        leave(reading);
    }
    return done;
}

/* ---- dispatches */

/* The error of the entry's document, at what is damaged of it. */
static bool wrong_document(struct known_reading *reading, const struct dispatch_place *at, const struct error *why,
                           struct error *error)
{
    struct place place = {.file = reading->path, .text = reading->text};
    struct json_step *steps = &reading->steps[reading->depth];
    if (why->code != ERROR_INPUT)
        return error_out_of_memory(error);
    steps[0] = (struct json_step){.name = "document"};
    steps[1] = (struct json_step){.name = at->member};
    steps[2] = (struct json_step){.index = at->index};
    json_find(reading->text, reading->length, reading->steps, reading->depth + (at->is_whole ? 2 : 3), &place.offset,
              &place.length);
    return error_at(error, ERROR_INPUT, place, "%s", why->text);
}

/* `text` is the document as this program writes it; allocated. */
static bool read_dispatch(struct known_reading *reading, const json_t *object, struct store_problem *problem,
                          struct device_description *device, struct dispatch_facts *facts, char **text,
                          struct error *error)
{
    struct dispatch *dispatch;
    struct dispatch_place place;
    struct error own = {0};
    *facts = (struct dispatch_facts){.origin = reading->origin};
    if (!read_text(reading, object, "objective", NAME_MOST, &facts->objective, error) ||
        !read_date(reading, object, "made_at", &facts->made_at, error) ||
        !read_optional(reading, object, "inputs", INPUTS_MOST, &problem->inputs, error) ||
        !copy_text(reading, object, "driver", device->driver, sizeof device->driver, error) ||
        !copy_text(reading, object, "compiler", device->compiler, sizeof device->compiler, error))
        return false;
    if (!dispatch_read(json_object_get(object, "document"), "this dispatch", &dispatch, &place, &own))
        return wrong_document(reading, &place, &own, error);
    *text = dispatch_text(dispatch);
    dispatch_free(dispatch);
    return *text || error_out_of_memory(error);
}

static bool load_dispatches(struct known_reading *reading, const json_t *dispatches, struct store_problem *problem,
                            struct device_description *device, struct error *error)
{
    bool done = true;
    for (size_t i = 0; i < json_array_size(dispatches) && done; i++) {
        struct error own = {0};
        struct dispatch_facts facts;
        char *text = NULL;
        enter(reading, "dispatches", i);
        done = read_dispatch(reading, json_array_get(dispatches, i), problem, device, &facts, &text, &own) &&
               dispatch_write(reading->store, problem, &facts, text, &own);
        reading->counts.trees += done;
        done = done || refuse(reading, &own, error);
        leave(reading);
        free(text);
    }
    return done;
}

/* ---- the document */

static bool read_device(struct known_reading *reading, const json_t *json, struct device_description *device,
                        struct error *error)
{
    struct error own = {0};
    if (device_description_from_json(json_object_get(json, "device"), device, &own))
        return true;
    return own.code == ERROR_INPUT ? wrong(reading, "device", error, "does not describe a device: %s", own.text)
                                   : error_out_of_memory(error);
}

/* What the template says of its parameters, which may be missing; allocated. */
static bool read_descriptions(struct known_reading *reading, const json_t *json, char **text, struct error *error)
{
    const json_t *descriptions = json_object_get(json, "descriptions");
    *text = descriptions ? json_text(descriptions, JSON_COMPACT | JSON_ENCODE_ANY) : NULL;
    if (!descriptions)
        return true;
    if (!*text)
        return error_out_of_memory(error);
    return strlen(*text) <= DESCRIPTIONS_MOST ||
           wrong(reading, "descriptions", error, "are longer than %d bytes", DESCRIPTIONS_MOST);
}

bool known_read(struct known_reading *reading, const json_t *json, struct error *error)
{
    struct device_description device;
    struct store_problem problem = {.device = &device};
    const json_t *problems, *dispatches = json_object_get(json, "dispatches");
    char *descriptions = NULL;
    if (json_integer_value(json_object_get(json, "format")) != FORMAT)
        return wrong(reading, "format", error,
                     "must be %d: this is not a file of known results, or it is newer than this tune", FORMAT);
    bool done = read_text(reading, json, "template", NAME_MOST, &problem.template_name, error) &&
                read_text(reading, json, "template_hash", NAME_MOST, &problem.template_hash, error) &&
                read_device(reading, json, &device, error) &&
                read_array(reading, json, "problems", &problems, error) &&
                (!dispatches || read_array(reading, json, "dispatches", &dispatches, error)) &&
                read_descriptions(reading, json, &descriptions, error);
    if (done) {
        problem.template_descriptions = descriptions;
        snprintf(reading->counts.template_name, sizeof reading->counts.template_name, "%s", problem.template_name);
        snprintf(reading->counts.device_name, sizeof reading->counts.device_name, "%s", device.name);
        done = load_problems(reading, problems, &problem, &device, error) &&
               load_dispatches(reading, dispatches, &problem, &device, error);
    }
    free(descriptions);
    return done;
}

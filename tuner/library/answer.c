/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/library/answer.h"

#include "tuner/job/program.h"
#include "tuner/json/json_text.h"
#include "tuner/library/failure.h"
#include "tuner/library/structure.h"
#include "tuner/space/configuration.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

/* ---- making */

static bool set_text(const char **member, const char *text)
{
    *member = strdup(text);
    return *member;
}

static enum tune_kind kind_of(struct value value)
{
    switch (value.kind) {
    case VALUE_BOOLEAN:
        return TUNE_BOOLEAN;
    case VALUE_INTEGER:
        return TUNE_INTEGER;
    case VALUE_FLOAT:
        return TUNE_REAL;
    default:
        return TUNE_TEXT;
    }
}

static bool set_parameter(struct tune_parameter *parameter, const char *name, struct value value)
{
    char number[64];
    *parameter = (struct tune_parameter){.bytes = sizeof *parameter, .kind = kind_of(value)};
    if (value.kind != VALUE_STRING)
        value_text(value, number, sizeof number);
    if (value.kind == VALUE_FLOAT)
        parameter->real = value.real;
    else if (value.kind != VALUE_STRING)
        parameter->integer = value.kind == VALUE_BOOLEAN ? value.boolean : value.integer;
    if (parameter->kind != TUNE_REAL)
        parameter->real = (double)parameter->integer;
    return set_text(&parameter->name, name) &&
           set_text(&parameter->text, value.kind == VALUE_STRING ? value.string : number);
}

static const struct parameter_declaration *find_declaration(const struct template *template, const char *name)
{
    for (size_t i = 0; i < template->parameter_count; i++) {
        if (strcmp(template->parameters[i].name, name) == 0)
            return &template->parameters[i];
    }
    return NULL;
}

static bool set_parameters(struct tune_answer *answer, json_t *object, struct value *slots, struct error *error)
{
    const struct template *template = answer->topic->own->template;
    const char *name;
    json_t *member;
    answer->parameters = calloc(json_object_size(object) + 1, sizeof *answer->parameters);
    if (!answer->parameters)
        return error_out_of_memory(error);
    json_object_foreach(object, name, member)
    {
        const struct parameter_declaration *declaration = find_declaration(template, name);
        struct value value = configuration_value(member);
        if (!declaration || value.kind == VALUE_UNSET)
            return error_set(error, ERROR_INPUT, "%s is no parameter of template %s, or has no value", name,
                             template->name);
        slots[declaration->slot] = value;
        if (!set_parameter(&answer->parameters[answer->parameter_count++], name, value))
            return error_out_of_memory(error);
    }
    return true;
}

/* What follows from the configuration: the parameters and the defines. */
static bool unfold(struct tune_answer *answer, const char *configuration, struct error *error)
{
    const struct template *template = answer->topic->own->template;
    struct value *slots = calloc(scope_count(template->scope) + 1, sizeof *slots);
    json_t *object = NULL;
    bool done = slots ? json_try(configuration, JSON_REJECT_DUPLICATES, &object, error) : error_out_of_memory(error);
    if (done && !json_is_object(object))
        done = error_set(error, ERROR_INPUT, "not a configuration: %.200s", configuration);
    for (size_t i = 0; done && i < template->size_count; i++)
        slots[template->sizes[i].slot] = value_integer(answer->sizes[i].value);
    if (done && set_parameters(answer, object, slots, error))
        answer->info.defines = program_defines(template, slots, error);
    json_decref(object);
    free(slots);
    return done && answer->info.defines;
}

static bool describe(struct tune_answer *answer, const char *configuration, const struct tune_answer_info *info)
{
    const struct topic *topic = answer->topic;
    char *size = sizes_text(answer->sizes, topic->own->template->size_count);
    answer->info = (struct tune_answer_info){.bytes = sizeof answer->info,
                                             .rule = info->rule,
                                             .time_ns = info->time_ns,
                                             .octaves = info->octaves,
                                             .validated = info->validated,
                                             .size = size};
    return size && set_text(&answer->info.kernel, topic->own->template->name) &&
           set_text(&answer->info.device, topic->device.description.name) &&
           set_text(&answer->info.configuration, configuration) && set_text(&answer->info.origin, info->origin);
}

bool answer_create(struct topic *topic, struct size_setting *sizes, bool with_inputs, const char *configuration,
                   const struct tune_answer_info *info, struct tune_answer **result, struct error *error)
{
    struct tune_answer *answer = calloc(1, sizeof *answer);
    *result = NULL;
    if (!answer || pthread_mutex_init(&answer->making, NULL) != 0) {
        free(answer);
        free(sizes);
        return error_out_of_memory(error);
    }
    atomic_init(&answer->references, 1);
    answer->topic = topic_keep(topic);
    answer->sizes = sizes;
    answer->with_inputs = with_inputs;
    bool done =
        (describe(answer, configuration, info) || error_out_of_memory(error)) && unfold(answer, configuration, error);
    if (done)
        *result = answer;
    else
        tune_answer_free(answer);
    return done;
}

bool answer_create_like(const struct tune_answer *answer, const char *configuration,
                        const struct tune_answer_info *info, struct tune_answer **result, struct error *error)
{
    const size_t count = answer->topic->own->template->size_count;
    struct size_setting *sizes = calloc(count + 1, sizeof *sizes);
    *result = NULL;
    if (!sizes)
        return error_out_of_memory(error);
    if (count > 0)
        memcpy(sizes, answer->sizes, count * sizeof *sizes);
    return answer_create(answer->topic, sizes, answer->with_inputs, configuration, info, result, error);
}

/* ---- holding */

/* What changes of an answer is the number of its references and, under its lock, the problem. */
static struct tune_answer *variable(const struct tune_answer *answer)
{
    return (struct tune_answer *)(uintptr_t)answer;
}

struct tune_answer *answer_keep(const struct tune_answer *answer)
{
    atomic_fetch_add_explicit(&variable(answer)->references, 1, memory_order_relaxed);
    return variable(answer);
}

static void free_text(const char *text)
{
    free((char *)(uintptr_t)text);
}

void tune_answer_free(struct tune_answer *answer)
{
    if (!answer || atomic_fetch_sub_explicit(&answer->references, 1, memory_order_acq_rel) > 1)
        return;
    const char *const texts[] = {answer->info.kernel,        answer->info.size,    answer->info.device,
                                 answer->info.configuration, answer->info.defines, answer->info.origin};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        free_text(texts[i]);
    for (size_t i = 0; i < answer->parameter_count; i++) {
        free_text(answer->parameters[i].name);
        free_text(answer->parameters[i].text);
    }
    problem_free(answer->problem);
    topic_free(answer->topic);
    pthread_mutex_destroy(&answer->making);
    free(answer->parameters);
    free(answer->sizes);
    free(answer);
}

bool answer_problem(const struct tune_answer *answer, const struct problem **problem, struct error *error)
{
    struct tune_answer *own = variable(answer);
    const struct own_template *template = own->topic->own;
    const struct problem_request request = {
        .template = template->template,
        .device = &own->topic->device.description,
        .sizes = own->sizes,
        .size_count = template->template->size_count,
        .inputs = own->with_inputs ? template->inputs : NULL,
        .own_matrices = true,
    };
    pthread_mutex_lock(&own->making);
    bool done = own->problem || problem_from_configuration(&request, own->info.configuration, &own->problem, error);
    *problem = own->problem;
    pthread_mutex_unlock(&own->making);
    return done;
}

/* ---- what it says of itself */

void tune_answer_describe(const struct tune_answer *answer, struct tune_answer_info *info)
{
    if (answer && info)
        structure_write(&answer->info, sizeof answer->info, info);
}

size_t tune_answer_parameter_count(const struct tune_answer *answer)
{
    return answer ? answer->parameter_count : 0;
}

enum tune_code tune_answer_parameter(const struct tune_answer *answer, size_t index, struct tune_parameter *parameter,
                                     struct tune_error *error)
{
    if (!answer || !parameter)
        return failure_argument(error, "tune_answer_parameter: there is no %s", answer ? "parameter" : "answer");
    if (index >= answer->parameter_count)
        return failure_argument(error, "tune_answer_parameter: there is no parameter %zu, only %zu", index,
                                answer->parameter_count);
    structure_write(&answer->parameters[index], sizeof answer->parameters[index], parameter);
    return TUNE_OK;
}

enum tune_code tune_answer_find(const struct tune_answer *answer, const char *name, struct tune_parameter *parameter,
                                struct tune_error *error)
{
    if (!answer || !name || !parameter)
        return failure_argument(error, "tune_answer_find: there is no %s",
                                !answer ? "answer"
                                : !name ? "name"
                                        : "parameter");
    for (size_t i = 0; i < answer->parameter_count; i++) {
        if (strcmp(answer->parameters[i].name, name) == 0)
            return tune_answer_parameter(answer, i, parameter, error);
    }
    struct error own = {0};
    error_set(&own, ERROR_INPUT, "the configuration of %s has no parameter %s", answer->info.kernel, name);
    return failure_of(&own, error);
}

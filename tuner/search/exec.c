/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A strategy of the user's own, in any language: a program that is asked and told in lines of JSON (PROTOCOL.md).
 *
 * What it proposes is checked: it must be valid, and new. One that breaks the protocol, ends, or does not answer in
 * time ends the search with an error that says so; going on without it would pass off another strategy's search as
 * its own, and nothing that was measured is lost.
 */
#include "tuner/json/json_text.h"
#include "tuner/search/line_program.h"
#include "tuner/search/strategies.h"
#include "tuner/space/configuration.h"
#include "tuner/space/index_map.h"
#include "tuner/space/value_json.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    LISTED_MOST = 20000, /* configurations that the greeting lists */
    REFUSALS_MOST = 100, /* in a row, after which the search ends */
    QUOTED = 120,        /* bytes of an answer that a message quotes */
};
static const double first_seconds = 60, answer_seconds = 10;

struct exec {
    const struct search_space *space;
    const char *command;
    struct line_program *program;
    uint16_t *point;
    struct index_map known; /* configurations asked for or told */
    size_t *proposed;       /* by the latest answer, and valid */
    size_t proposed_count, proposed_next;
    bool has_answered, has_ended;
    struct error failure;
};

static void exec_destroy(void *state)
{
    struct exec *exec = state;
    if (!exec)
        return;
    line_program_end(exec->program);
    index_map_clear(&exec->known);
    free(exec->proposed);
    free(exec->point);
    free(exec);
}

/* ---- what it is sent */

static bool put(struct exec *exec, json_t *message)
{
    char *text = message ? json_text(message, JSON_COMPACT) : NULL;
    bool done = text && line_program_put(exec->program, text);
    free(text);
    json_decref(message);
    return done;
}

static json_t *parameters_json(const struct search_space *space)
{
    json_t *parameters = json_array();
    bool done = parameters != NULL;
    for (size_t d = 0; done && d < search_space_dimensions(space); d++) {
        json_t *values = json_array();
        for (size_t i = 0; i < search_space_positions(space, d); i++)
            done = done && json_array_append_new(values, value_json(search_space_value(space, d, i))) == 0;
        json_t *parameter =
            json_pack("{s:o, s:o}", "name", json_string_of_bytes(search_space_name(space, d)), "values", values);
        done = json_array_append_new(parameters, parameter) == 0 && done;
    }
    if (done)
        return parameters;
    json_decref(parameters);
    return NULL;
}

/* Each as positions among the parameters' values. */
static json_t *list_json(const struct exec *exec)
{
    const struct search_space *space = exec->space;
    json_t *list = json_array();
    bool done = list != NULL;
    for (size_t i = 0; done && i < search_space_count(space); i++) {
        json_t *row = json_array();
        search_space_point(space, i, exec->point);
        for (size_t d = 0; d < search_space_dimensions(space); d++)
            done = done && json_array_append_new(row, json_integer(exec->point[d])) == 0;
        done = json_array_append_new(list, row) == 0 && done;
    }
    if (done)
        return list;
    json_decref(list);
    return NULL;
}

static bool greet(struct exec *exec, const struct strategy_setup *setup)
{
    size_t count = search_space_count(exec->space);
    const uint64_t exact = (UINT64_C(1) << 53) - 1; /* in every language */
    json_t *hello = json_pack("{s:i, s:o, s:I, s:I, s:I}", "protocol", 1, "parameters", parameters_json(exec->space),
                              "configurations", (json_int_t)count, "seed", (json_int_t)(setup->seed & exact),
                              "evaluations", (json_int_t)setup->evaluations);
    bool done = hello != NULL;
    if (done && count <= LISTED_MOST)
        done = json_object_set_new(hello, "valid", list_json(exec)) == 0;
    json_t *message = json_pack("{s:o}", "hello", hello);
    if (done)
        return put(exec, message);
    json_decref(message);
    return false;
}

static json_t *configuration_json(const struct exec *exec, size_t index)
{
    json_t *configuration = json_object();
    search_space_point(exec->space, index, exec->point);
    for (size_t d = 0; d < search_space_dimensions(exec->space); d++) {
        struct value value = search_space_value(exec->space, d, exec->point[d]);
        if (configuration && value.kind != VALUE_UNSET &&
            json_object_set_new(configuration, search_space_name(exec->space, d), value_json(value)) != 0) {
            json_decref(configuration);
            return NULL;
        }
    }
    return configuration;
}

static bool exec_create(const struct strategy_setup *setup, void **state, struct error *error)
{
    struct exec *exec = calloc(1, sizeof *exec);
    if (!exec)
        return error_out_of_memory(error);
    exec->space = setup->space;
    exec->command = setup->program;
    exec->point = calloc(search_space_dimensions(setup->space) + 1, sizeof *exec->point);
    bool done = exec->point || error_out_of_memory(error);
    done = done && line_program_start(setup->program, &exec->program, error);
    if (done && greet(exec, setup)) {
        *state = exec;
        return true;
    }
    exec_destroy(exec);
    return done ? error_out_of_memory(error) : false;
}

/* ---- what it answers */

/* The position of a parameter's value; false: it has no such value. JSON that is missing or null is "not set". */
static bool find_position(const struct search_space *space, size_t dimension, const json_t *json, uint16_t *position)
{
    const bool unset = !json || json_is_null(json);
    const struct value wanted = unset ? (struct value){.kind = VALUE_UNSET} : configuration_value(json);
    for (size_t i = 0; i < search_space_positions(space, dimension); i++) {
        struct value value = search_space_value(space, dimension, i);
        if (unset ? value.kind == VALUE_UNSET : value.kind != VALUE_UNSET && value_equal(value, wanted)) {
            *position = (uint16_t)i;
            return true;
        }
    }
    return false;
}

/* NULL, or why it is refused; `why` has room for that. */
static const char *find_configuration(struct exec *exec, json_t *json, size_t *index, char why[256])
{
    const char *name;
    json_t *ignored;
    size_t at;
    if (!json_is_object(json))
        return "a configuration is an object of parameters and their values";
    for (size_t d = 0; d < search_space_dimensions(exec->space); d++) {
        const char *own = search_space_name(exec->space, d);
        const json_t *value = json_object_get(json, own);
        if (find_position(exec->space, d, value, &exec->point[d]))
            continue;
        snprintf(why, 256, value ? "%.200s has no such value" : "%.200s is missing", own);
        return why;
    }
    json_object_foreach(json, name, ignored)
    {
        if (search_space_dimension(exec->space, name, &at))
            continue;
        snprintf(why, 256, "there is no parameter %.200s", name);
        return why;
    }
    if (!search_space_find(exec->space, exec->point, index))
        return "a constraint excludes it";
    return index_map_get(&exec->known, *index, &at) ? "it was asked for or told already" : NULL;
}

static bool refuse(struct exec *exec, json_t *configuration, const char *why)
{
    return put(exec, json_pack("{s:{s:O, s:o}}", "refused", "configuration", configuration, "why",
                               json_string_of_bytes(why)));
}

static enum answer fail(struct exec *exec, const char *line)
{
    error_set(&exec->failure, ERROR_WORK,
              "it answered neither {\"configurations\": [...]} nor {\"end\": true}: %.*s%s", QUOTED, line,
              strlen(line) > QUOTED ? "..." : "");
    return ASK_FAILED;
}

/* Take the valid ones, and refuse the others. */
static enum answer take(struct exec *exec, const json_t *configurations)
{
    char why[256];
    size_t i, count = json_array_size(configurations);
    json_t *json;
    size_t *proposed = reallocarray(exec->proposed, count + 1, sizeof *proposed);
    if (!proposed)
        return ASK_FAILED;
    exec->proposed = proposed;
    exec->proposed_count = exec->proposed_next = 0;
    json_array_foreach(configurations, i, json)
    {
        size_t index = 0;
        const char *refusal = find_configuration(exec, json, &index, why);
        if (refusal ? !refuse(exec, json, refusal) : !index_map_put(&exec->known, index, 0))
            return ASK_FAILED;
        if (!refusal)
            exec->proposed[exec->proposed_count++] = index;
    }
    return count == 0 ? ASK_WAIT : ASK_READY;
}

static enum answer read_answer(struct exec *exec, const char *line)
{
    json_t *json = NULL;
    if (!json_try(line, JSON_REJECT_DUPLICATES, &json, NULL))
        return ASK_FAILED;
    const json_t *configurations = json_object_get(json, "configurations");
    enum answer answer;
    if (json_is_array(configurations))
        answer = take(exec, configurations);
    else if (json_is_true(json_object_get(json, "end")))
        answer = ASK_END;
    else
        answer = fail(exec, line);
    exec->has_ended = answer == ASK_END;
    json_decref(json);
    return answer;
}

/* Ask once; what it proposes may all be refused. */
static enum answer ask_program(struct exec *exec)
{
    char *line;
    double seconds = exec->has_answered ? answer_seconds : first_seconds;
    if (!put(exec, json_pack("{s:i}", "ask", 1)))
        return ASK_FAILED;
    if (!line_program_receive(exec->program, seconds, &line, &exec->failure))
        return ASK_FAILED;
    exec->has_answered = true;
    return read_answer(exec, line);
}

static enum answer exec_ask(void *state, size_t *index)
{
    struct exec *exec = state;
    if (exec->failure.code)
        return ASK_FAILED;
    for (int refusals = 0; exec->proposed_next == exec->proposed_count; refusals++) {
        if (refusals == REFUSALS_MOST) {
            error_set(&exec->failure, ERROR_WORK,
                      "%d answers in a row had nothing but configurations that were refused", REFUSALS_MOST);
            return ASK_FAILED;
        }
        enum answer answer = ask_program(exec);
        if (answer != ASK_READY)
            return answer;
    }
    *index = exec->proposed[exec->proposed_next++];
    return ASK_READY;
}

/* What is put is sent with the next question: after the last there would be nothing but ever more of it. */
static void exec_tell(void *state, const struct observation *observation)
{
    struct exec *exec = state;
    if (exec->has_ended)
        return;
    json_t *cost = observation->valid ? json_finite(observation->objective) : json_null();
    if (!index_map_put(&exec->known, observation->index, 0) ||
        !put(exec, json_pack("{s:{s:o, s:b, s:o, s:o}}", "tell", "configuration",
                             configuration_json(exec, observation->index), "valid", (int)observation->valid, "cost",
                             cost, "seconds", json_finite(observation->seconds))))
        error_out_of_memory(&exec->failure);
}

static bool exec_explain(const void *state, struct error *error)
{
    const struct exec *exec = state;
    if (!exec->failure.code || exec->failure.code == ERROR_OUT_OF_MEMORY)
        return error_out_of_memory(error);
    return error_set(error, ERROR_WORK, "--strategy exec:%s: %s", exec->command, exec->failure.text);
}

const struct strategy_driver strategy_exec = {
    .name = "exec",
    .meaning = "a program of your own, exec:PROGRAM, that is asked and told in lines of JSON",
    .create = exec_create,
    .ask = exec_ask,
    .tell = exec_tell,
    .destroy = exec_destroy,
    .explain = exec_explain,
};

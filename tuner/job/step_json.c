/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/job/step_json.h"

#include "tuner/job/argument_json.h"
#include "tuner/job/late_json.h"
#include "tuner/job/value_json.h"

#include <jansson.h>

enum { DEPTH_LIMIT = 200 }; /* of nested loops and conditions */

static const char *const step_names[] = {
    [STEP_LAUNCH] = "launch",
    [STEP_COPY_SYMBOL] = "symbol",
    [STEP_COPY] = "copy",
    [STEP_FILL] = "fill",
    [STEP_REPEAT] = "repeat",
    [STEP_WAIT] = "wait",
    [STEP_READ] = "read",
    [STEP_LET] = "let",
    [STEP_IF] = "if",
    [STEP_WHILE] = "while",
    [STEP_FOR] = "for",
    [STEP_SWAP] = "swap",
    [STEP_ALLOCATE] = "allocate",
};

enum { STEP_COUNT = sizeof step_names / sizeof *step_names };

/* ---- writing ---- */

static json_t *write_list(const struct job_step *steps, size_t count);

static bool add_operands(json_t *array, const struct job_step *step)
{
    switch (step->kind) {
    case STEP_LAUNCH:
        return write_add(array, write_whole(step->kernel)) && write_add(array, write_dimensions(step->grid)) &&
               write_add(array, write_dimensions(step->block)) && write_add(array, write_whole(step->shared)) &&
               write_add(array, arguments_to_json(step)) && write_add(array, write_whole(step->statement));
    case STEP_COPY_SYMBOL:
        return write_add(array, write_whole(step->symbol)) && write_add(array, write_whole(step->source)) &&
               write_add(array, write_whole(step->first)) && write_add(array, write_whole(step->count));
    case STEP_COPY:
        return write_add(array, write_whole(step->target)) && write_add(array, write_whole(step->source)) &&
               write_add(array, write_whole(step->target_first)) && write_add(array, write_whole(step->first)) &&
               write_add(array, write_whole(step->count));
    case STEP_FILL:
        return write_add(array, write_whole(step->target)) && write_add(array, write_bytes(step->bytes));
    case STEP_REPEAT:
        return write_add(array, write_whole(step->target)) && write_add(array, write_whole(step->rounds)) &&
               write_add(array, write_list(step->body, step->body_count));
    case STEP_WAIT:
        return write_add(array, write_whole(step->stream)) && write_add(array, write_whole(step->awaited));
    case STEP_READ:
        return write_add(array, write_whole(step->target)) && write_add(array, write_whole(step->first)) &&
               write_add(array, write_whole(step->count));
    case STEP_LET:
        return true;
    case STEP_IF:
        return write_add(array, write_list(step->body, step->body_count)) &&
               write_add(array, write_list(step->otherwise, step->otherwise_count));
    case STEP_WHILE:
        return write_add(array, write_whole(step->rounds)) &&
               write_add(array, write_list(step->body, step->body_count));
    case STEP_FOR:
        return write_add(array, write_list(step->body, step->body_count));
    case STEP_SWAP:
        return write_add(array, write_whole(step->target)) && write_add(array, write_whole(step->source));
    case STEP_ALLOCATE:
        return write_add(array, write_whole(step->target));
    }
    return false;
}

/* Only what differs from a plain launch, so that the text of one without attributes stays what it was. */
static bool add_attributes(json_t *array, const struct job_step *step)
{
    json_t *object = json_object();
    bool complete = object != NULL;
    if (complete && step->kind != STEP_WAIT && step->stream > 0)
        complete = write_set(object, "stream", write_whole(step->stream));
    if (complete && step->cooperative)
        complete = write_set(object, "cooperative", json_true());
    if (complete && step->cluster.x > 0)
        complete = write_set(object, "cluster", write_dimensions(step->cluster));
    if (complete && step->launches > 0)
        complete = write_set(object, "launches", write_whole(step->launches));
    if (complete && step->late)
        complete = write_set(object, "late", late_write(step->late));
    if (complete && json_object_size(object) > 0)
        return write_add(array, object);
    json_decref(object);
    return complete;
}

static json_t *write_step(const struct job_step *step)
{
    json_t *array = json_array();
    return write_finish(array, write_add(array, json_string(step_names[step->kind])) && add_operands(array, step) &&
                                   add_attributes(array, step));
}

static json_t *write_list(const struct job_step *steps, size_t count)
{
    json_t *array = json_array();
    bool complete = array;
    for (size_t i = 0; i < count && complete; i++)
        complete = write_add(array, write_step(&steps[i]));
    return write_finish(array, complete);
}

json_t *steps_to_json(struct job_steps steps)
{
    return write_list(steps.steps, steps.count);
}

/* ---- reading ---- */

static bool read_list(const json_t *json, size_t depth, struct job_step **steps, size_t *count, struct error *error);

static bool read_launch(const json_t *json, struct job_step *step, struct error *error)
{
    return read_index(json_array_get(json, 1), "a kernel", &step->kernel, error) &&
           read_dimensions(json_array_get(json, 2), &step->grid, error) &&
           read_dimensions(json_array_get(json, 3), &step->block, error) &&
           read_whole(json_array_get(json, 4), "shared memory", &step->shared, error) &&
           arguments_from_json(json_array_get(json, 5), step, error) &&
           read_index(json_array_get(json, 6), "a statement", &step->statement, error);
}

static bool read_copy_symbol(const json_t *json, struct job_step *step, struct error *error)
{
    return read_index(json_array_get(json, 1), "a symbol", &step->symbol, error) &&
           read_index(json_array_get(json, 2), "a source", &step->source, error) &&
           read_whole(json_array_get(json, 3), "a copy's first element", &step->first, error) &&
           read_whole(json_array_get(json, 4), "a copy's count", &step->count, error);
}

static bool read_copy(const json_t *json, struct job_step *step, struct error *error)
{
    return read_index(json_array_get(json, 1), "a target", &step->target, error) &&
           read_index(json_array_get(json, 2), "a source", &step->source, error) &&
           read_whole(json_array_get(json, 3), "a copy's first target", &step->target_first, error) &&
           read_whole(json_array_get(json, 4), "a copy's first element", &step->first, error) &&
           read_whole(json_array_get(json, 5), "a copy's count", &step->count, error);
}

static bool read_stream(const json_t *json, unsigned *stream, struct error *error)
{
    uint64_t number;
    if (!read_whole(json, "a stream", &number, error))
        return false;
    *stream = (unsigned)number;
    return number < DEVICE_STREAMS || read_refuse(error, "a stream");
}

static bool read_launches(const json_t *json, uint32_t *launches, struct error *error)
{
    uint64_t number;
    if (!read_whole(json, "launches", &number, error))
        return false;
    *launches = (uint32_t)number;
    return number <= INT32_MAX || read_refuse(error, "launches");
}

static bool read_attributes(const json_t *json, struct job_step *step, struct error *error)
{
    const json_t *last = json_array_get(json, json_array_size(json) - 1);
    const json_t *stream = json_object_get(last, "stream"), *cluster = json_object_get(last, "cluster");
    const json_t *late = json_object_get(last, "late"), *launches = json_object_get(last, "launches");
    step->cooperative = json_is_true(json_object_get(last, "cooperative"));
    return (!late || late_read(late, &step->late, error)) && (!stream || read_stream(stream, &step->stream, error)) &&
           (!cluster || read_dimensions(cluster, &step->cluster, error)) &&
           (!launches || read_launches(launches, &step->launches, error));
}

static bool read_operands(const json_t *json, size_t depth, struct job_step *step, struct error *error)
{
    switch (step->kind) {
    case STEP_LAUNCH:
        return read_launch(json, step, error);
    case STEP_COPY_SYMBOL:
        return read_copy_symbol(json, step, error);
    case STEP_COPY:
        return read_copy(json, step, error);
    case STEP_FILL:
        return read_index(json_array_get(json, 1), "a target", &step->target, error) &&
               read_bytes(json_array_get(json, 2), step->bytes, error);
    case STEP_REPEAT:
        return read_index(json_array_get(json, 1), "a flag", &step->target, error) &&
               read_whole(json_array_get(json, 2), "rounds", &step->rounds, error) &&
               read_list(json_array_get(json, 3), depth + 1, &step->body, &step->body_count, error);
    case STEP_WAIT:
        return read_stream(json_array_get(json, 1), &step->stream, error) &&
               read_stream(json_array_get(json, 2), &step->awaited, error);
    case STEP_READ:
        return read_index(json_array_get(json, 1), "a source", &step->target, error) &&
               read_whole(json_array_get(json, 2), "an element", &step->first, error) &&
               read_whole(json_array_get(json, 3), "a bound", &step->count, error);
    case STEP_LET:
        return true;
    case STEP_IF:
        return read_list(json_array_get(json, 1), depth + 1, &step->body, &step->body_count, error) &&
               read_list(json_array_get(json, 2), depth + 1, &step->otherwise, &step->otherwise_count, error);
    case STEP_WHILE:
        return read_whole(json_array_get(json, 1), "rounds", &step->rounds, error) &&
               read_list(json_array_get(json, 2), depth + 1, &step->body, &step->body_count, error);
    case STEP_FOR:
        return read_list(json_array_get(json, 1), depth + 1, &step->body, &step->body_count, error);
    case STEP_SWAP:
        return read_index(json_array_get(json, 1), "a buffer", &step->target, error) &&
               read_index(json_array_get(json, 2), "a buffer", &step->source, error);
    case STEP_ALLOCATE:
        return read_index(json_array_get(json, 1), "a target", &step->target, error);
    }
    return false;
}

static bool read_step(const json_t *json, size_t depth, struct job_step *step, struct error *error)
{
    size_t kind;
    if (!read_word(json_array_get(json, 0), "a step's kind", step_names, STEP_COUNT, &kind, error))
        return false;
    step->kind = (enum job_step_kind)kind;
    return read_operands(json, depth, step, error) && read_attributes(json, step, error);
}

static bool read_list(const json_t *json, size_t depth, struct job_step **steps, size_t *count, struct error *error)
{
    if (depth > DEPTH_LIMIT)
        return error_set(error, ERROR_SYSTEM, "damaged job: steps are nested too deeply");
    *steps = read_allocate(json, "steps", sizeof **steps, error);
    if (!*steps)
        return false;
    for (size_t i = 0; i < json_array_size(json); i++) {
        if (!read_step(json_array_get(json, i), depth, &(*steps)[(*count)++], error))
            return false;
    }
    return true;
}

bool steps_from_json(const json_t *json, struct job_steps *steps, struct error *error)
{
    return read_list(json, 0, &steps->steps, &steps->count, error);
}

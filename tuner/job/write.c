/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/job/write.h"

#include "tuner/job/late_json.h"
#include "tuner/job/layouts.h"
#include "tuner/job/step_json.h"
#include "tuner/job/value_json.h"
#include "tuner/json/json_text.h"

#include <jansson.h>
#include <stdlib.h>

const char *const role_names[ROLE_COUNT] = {
    [BUFFER_IN] = "in",     [BUFFER_OUT] = "out",         [BUFFER_INOUT] = "inout",
    [BUFFER_TEMP] = "temp", [BUFFER_SCRATCH] = "scratch",
};
const char *const initial_names[INITIAL_COUNT] = {
    [INITIAL_NONE] = "none",   [INITIAL_UNIFORM] = "uniform", [INITIAL_CONSTANT] = "constant",
    [INITIAL_INDEX] = "index", [INITIAL_FILE] = "file",
};

const char *const array_names[MATRIX_ARRAYS] = {
    [MATRIX_NONE] = "none",       [MATRIX_STARTS] = "starts", [MATRIX_ROWS] = "rows",
    [MATRIX_COLUMNS] = "columns", [MATRIX_VALUES] = "values", [MATRIX_DENSE] = "dense",
};

static json_t *write_names(char *const *names, size_t count)
{
    json_t *array = json_array();
    bool complete = array;
    for (size_t i = 0; i < count && complete; i++)
        complete = write_add(array, json_string(names[i]));
    return write_finish(array, complete);
}

static json_t *write_place(const struct job_place *place)
{
    json_t *array = json_array();
    return write_finish(
        array, write_add(array, json_integer(place->line)) && write_add(array, json_integer(place->column)) &&
                   write_add(array, json_integer(place->length)) &&
                   write_add(array, place->excerpt ? json_string_of_bytes(place->excerpt) : json_null()));
}

static json_t *write_statement(const struct job_statement *statement)
{
    json_t *array = json_array();
    bool complete = array && write_add(array, write_place(&statement->place));
    for (size_t i = 0; i < statement->argument_count && complete; i++)
        complete = write_add(array, write_place(&statement->arguments[i]));
    return write_finish(array, complete);
}

static json_t *write_statements(const struct job_program *program)
{
    json_t *array = json_array();
    bool complete = array;
    for (size_t i = 0; i < program->statement_count && complete; i++)
        complete = write_add(array, write_statement(&program->statements[i]));
    return write_finish(array, complete);
}

static json_t *write_program(const struct job_program *program)
{
    if (!program->path)
        return json_null();
    json_t *object = json_object();
    return write_finish(object,
                        write_set(object, "path", json_string(program->path)) &&
                            write_set(object, "folder", write_text(program->folder)) &&
                            write_set(object, "defines", write_text(program->defines)) &&
                            (!program->awkward_defines ||
                             write_set(object, "awkward_defines", write_text(program->awkward_defines))) &&
                            write_set(object, "kernels", write_names(program->kernels, program->kernel_count)) &&
                            write_set(object, "symbols", write_names(program->symbols, program->symbol_count)) &&
                            write_set(object, "options", write_names(program->options, program->option_count)) &&
                            write_set(object, "template", write_text(program->template_file)) &&
                            write_set(object, "statements", write_statements(program)));
}

static json_t *write_data(const struct job_data *data)
{
    json_t *array = json_array();
    return write_finish(
        array, write_add(array, json_string(data->path)) && write_add(array, json_string_of_bytes(data->name)) &&
                   write_add(array, write_whole(data->offset)) && write_add(array, write_whole(data->count)) &&
                   write_add(array, write_key(data->stamp)) && write_add(array, write_key(data->hash)) &&
                   write_add(array, write_whole(data->all)) &&
                   write_add(array, data->records ? json_null() : json_string(element_types[data->element].name)) &&
                   write_add(array, json_string(array_names[data->array])));
}

/* As the last item; without a file there is none. */
static bool add_data(json_t *array, const struct job_data *data)
{
    return !data || !data->path || write_add(array, write_data(data));
}

static json_t *write_buffer(const struct job_case *one, size_t index)
{
    const struct job_buffer *buffer = &one->buffers[index];
    json_t *array = json_array();
    return write_finish(
        array, write_add(array, json_string(buffer->name)) && write_add(array, json_string(buffer->layout->name)) &&
                   write_add(array, job_is_late(one, index) ? json_null() : write_whole(buffer->extent)) &&
                   write_add(array, json_string(role_names[buffer->role])) &&
                   write_add(array, json_string(initial_names[buffer->initial])) &&
                   write_add(array, json_real(buffer->a)) && write_add(array, json_real(buffer->b)) &&
                   add_data(array, job_data_of(one, index)));
}

static json_t *write_buffers(const struct job_case *one)
{
    json_t *array = json_array();
    bool complete = array;
    for (size_t i = 0; i < one->buffer_count && complete; i++)
        complete = write_add(array, write_buffer(one, i));
    return write_finish(array, complete);
}

static json_t *write_range(const struct job_check *check)
{
    if (!check->partial)
        return json_null();
    if (check->late)
        return late_write(check->late);
    json_t *array = json_array();
    return write_finish(array,
                        write_add(array, write_whole(check->first)) && write_add(array, write_whole(check->count)));
}

static json_t *write_check(const struct job_check *check)
{
    json_t *array = json_array();
    bool field = check->leaf_count > 0;
    return write_finish(
        array, write_add(array, write_whole(check->buffer)) && write_add(array, json_boolean(check->exact)) &&
                   write_add(array, json_real(check->bound)) && write_add(array, json_real(check->absolute)) &&
                   write_add(array, json_boolean(check->nonfinite)) && write_add(array, write_text(check->file)) &&
                   write_add(array, json_integer(check->line)) && write_add(array, json_integer(check->column)) &&
                   write_add(array, write_range(check)) && write_add(array, json_boolean(check->unordered)) &&
                   write_add(array, json_boolean(check->below)) && write_add(array, write_text(check->name)) &&
                   (!field || (write_add(array, write_whole(check->first_leaf)) &&
                               write_add(array, write_whole(check->leaf_count)))) &&
                   add_data(array, &check->expected));
}

static json_t *write_checks(const struct job_case *one)
{
    json_t *array = json_array();
    bool complete = array;
    for (size_t i = 0; i < one->check_count && complete; i++)
        complete = write_add(array, write_check(&one->checks[i]));
    return write_finish(array, complete);
}

static bool set_work(json_t *object, const struct work *work)
{
    bool done = true;
    for (size_t i = 0; i < WORK_COUNT && done; i++)
        done = write_set(object, work_kinds[i].column, json_real(work->of[i]));
    return done;
}

/* Few templates have such a sequence. */
static bool set_further(json_t *object, const char *name, struct job_steps steps)
{
    return steps.count == 0 || write_set(object, name, steps_to_json(steps));
}

/* Few have any. */
static bool set_hosts(json_t *object, const struct job_case *one)
{
    json_t *array = NULL;
    for (size_t i = 0; i < one->buffer_count; i++) {
        if (!job_is_hosted(one, i))
            continue;
        array = array ? array : json_array();
        if (!write_add(array, write_whole(i))) {
            json_decref(array);
            return false;
        }
    }
    return !array || write_set(object, "host", array);
}

static json_t *write_case(const struct job_case *one)
{
    json_t *object = json_object();
    return write_finish(object, write_set(object, "size", json_string(one->size_text)) &&
                                    write_set(object, "reference_key", write_key(one->reference_key)) &&
                                    write_set(object, "buffers", write_buffers(one)) && set_hosts(object, one) &&
                                    write_set(object, "setup", steps_to_json(one->setup)) &&
                                    write_set(object, "prepare", steps_to_json(one->prepare)) &&
                                    write_set(object, "launch", steps_to_json(one->launch)) &&
                                    write_set(object, "reference", steps_to_json(one->reference)) &&
                                    set_further(object, "finish", one->finish) &&
                                    set_further(object, "verify", one->verify) &&
                                    write_set(object, "checks", write_checks(one)) && set_work(object, &one->work));
}

/* Few templates have counts. */
static bool set_names(json_t *object, const struct job *job)
{
    return job->name_count == 0 || (write_set(object, "names", late_write_names(job)) &&
                                    write_set(object, "counts", json_integer((json_int_t)job->count_count)));
}

json_t *job_to_json(const struct job *job)
{
    json_t *object = json_object();
    return write_finish(object, write_set(object, "seed", write_key(job->seed)) &&
                                    write_set(object, "reference_key", write_key(job->reference_key)) &&
                                    write_set(object, "types", layouts_write(job)) && set_names(object, job) &&
                                    write_set(object, "program", write_program(&job->program)) &&
                                    write_set(object, "setup", write_program(&job->setup)) &&
                                    write_set(object, "reference", write_program(&job->reference)) &&
                                    (!job->verify.path || write_set(object, "verify", write_program(&job->verify))) &&
                                    write_set(object, "tuned", write_case(&job->cases[JOB_TUNED])) &&
                                    write_set(object, "awkward",
                                              job->has_awkward ? write_case(&job->cases[JOB_AWKWARD]) : json_null()));
}

/* --- the reference key --- */

static void mark_argument(const struct job_argument *argument, bool *used)
{
    if (argument->kind == ARGUMENT_COMPOUND) {
        for (size_t i = 0; i < argument->compound->pointer_count; i++)
            used[argument->compound->pointers[i].buffer] = true;
    } else if (argument->kind != ARGUMENT_SCALAR) {
        used[argument->buffer] = true;
    }
}

static void mark_buffers(const struct job_step *steps, size_t count, bool *used)
{
    for (size_t i = 0; i < count; i++) {
        const struct job_step *step = &steps[i];
        for (size_t j = 0; j < step->argument_count; j++) {
            mark_argument(&step->arguments[j], used);
        }
        if (step_has_source(step->kind))
            used[step->source] = true;
        if (step_has_target(step->kind))
            used[step->target] = true;
        mark_buffers(step->body, step->body_count, used);
        mark_buffers(step->otherwise, step->otherwise_count, used);
    }
}

static json_t *write_input_buffers(const struct job_case *one)
{
    json_t *array = json_array();
    bool *used = calloc(one->buffer_count + 1, sizeof *used);
    bool complete = array && used;
    if (complete) {
        mark_buffers(one->setup.steps, one->setup.count, used);
        mark_buffers(one->reference.steps, one->reference.count, used);
    }
    for (size_t i = 0; i < one->buffer_count && complete; i++) {
        enum buffer_role role = one->buffers[i].role;
        bool counts = used[i] || job_data_of(one, i) || (role != BUFFER_TEMP && role != BUFFER_SCRATCH);
        complete = write_add(array, counts ? write_buffer(one, i) : json_null());
    }
    free(used);
    return write_finish(array, complete);
}

/* What the reference need not compute depends on the ranges, and those of unordered checks are put in order. */
static json_t *write_ranges(const struct job_case *one)
{
    json_t *array = json_array();
    bool complete = array;
    for (size_t i = 0; i < one->check_count && complete; i++) {
        const struct job_check *check = &one->checks[i];
        if (check->partial || check->unordered)
            complete = write_add(array, write_whole(check->buffer)) && write_add(array, write_range(check)) &&
                       write_add(array, json_boolean(check->unordered));
    }
    return write_finish(array, complete);
}

/* With the buffers, of which the launches may have swapped some. */
static json_t *write_expected(const struct job_case *one)
{
    json_t *array = json_array();
    bool complete = array;
    for (size_t i = 0; i < one->check_count && complete; i++) {
        if (one->checks[i].expected.path)
            complete =
                write_add(array, write_whole(one->checks[i].buffer)) && add_data(array, &one->checks[i].expected);
    }
    return write_finish(array, complete);
}

char *write_inputs(const struct job *job, const struct job_case *one, const char *template_hash)
{
    json_t *object = json_object();
    object = write_finish(object, write_set(object, "template", json_string(template_hash)) &&
                                      write_set(object, "seed", write_key(job->seed)) &&
                                      write_set(object, "setup_program", write_program(&job->setup)) &&
                                      write_set(object, "reference_program", write_program(&job->reference)) &&
                                      write_set(object, "buffers", write_input_buffers(one)) &&
                                      write_set(object, "setup", steps_to_json(one->setup)) &&
                                      write_set(object, "reference", steps_to_json(one->reference)) &&
                                      write_set(object, "ranges", write_ranges(one)) &&
                                      write_set(object, "expected", write_expected(one)));
    char *text = object ? json_print(object, JSON_COMPACT) : NULL;
    json_decref(object);
    return text;
}

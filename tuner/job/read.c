/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/job/check.h"
#include "tuner/job/late_json.h"
#include "tuner/job/layouts.h"
#include "tuner/job/step_json.h"
#include "tuner/job/value_json.h"
#include "tuner/job/write.h"

#include <jansson.h>
#include <stdlib.h>

/*
 * Types and ranges of values are checked here, references between them in check.c. A count is raised only when its
 * item can be freed by job_free.
 */

static bool read_place(const json_t *json, struct job_place *place, struct error *error)
{
    const json_t *excerpt = json_array_get(json, 3);
    return read_line(json_array_get(json, 0), "a line", &place->line, error) &&
           read_line(json_array_get(json, 1), "a column", &place->column, error) &&
           read_line(json_array_get(json, 2), "a length", &place->length, error) &&
           (json_is_null(excerpt) || read_text(excerpt, "an excerpt", &place->excerpt, error));
}

static bool read_statement(const json_t *json, struct job_statement *statement, struct error *error)
{
    statement->arguments = read_allocate(json, "a statement", sizeof *statement->arguments, error);
    if (!statement->arguments || !read_place(json_array_get(json, 0), &statement->place, error))
        return false;
    for (size_t i = 1; i < json_array_size(json); i++) {
        struct job_place *place = &statement->arguments[statement->argument_count++];
        if (!read_place(json_array_get(json, i), place, error))
            return false;
    }
    return true;
}

static bool read_statements(const json_t *json, struct job_program *program, struct error *error)
{
    program->statements = read_allocate(json, "statements", sizeof *program->statements, error);
    if (!program->statements)
        return false;
    for (size_t i = 0; i < json_array_size(json); i++) {
        if (!read_statement(json_array_get(json, i), &program->statements[program->statement_count++], error))
            return false;
    }
    return true;
}

static bool read_program(const json_t *json, const char *what, struct job_program *program, struct error *error)
{
    const json_t *template = json_object_get(json, "template");
    const json_t *awkward = json_object_get(json, "awkward_defines");
    if (json_is_null(json))
        return true;
    return read_text(json_object_get(json, "path"), what, &program->path, error) &&
           read_text(json_object_get(json, "folder"), "folder", &program->folder, error) &&
           read_text(json_object_get(json, "defines"), "defines", &program->defines, error) &&
           (!awkward || read_text(awkward, "defines", &program->awkward_defines, error)) &&
           read_names(json_object_get(json, "kernels"), "kernels", &program->kernels, &program->kernel_count,
                      error) &&
           read_names(json_object_get(json, "symbols"), "symbols", &program->symbols, &program->symbol_count,
                      error) &&
           read_names(json_object_get(json, "options"), "options", &program->options, &program->option_count,
                      error) &&
           (json_is_null(template) || read_text(template, "the template", &program->template_file, error)) &&
           read_statements(json_object_get(json, "statements"), program, error);
}

static bool read_data(const json_t *json, struct job_data *data, struct error *error)
{
    const json_t *element = json_array_get(json, 7);
    size_t array;
    if (!json)
        return true;
    if (!read_word(json_array_get(json, 8), "an array of a matrix", array_names, MATRIX_ARRAYS, &array, error))
        return false;
    data->array = (enum matrix_array)array;
    data->records = json_is_null(element);
    return read_text(json_array_get(json, 0), "a data file", &data->path, error) &&
           read_text(json_array_get(json, 1), "a data file", &data->name, error) &&
           read_whole(json_array_get(json, 2), "an offset", &data->offset, error) &&
           read_whole(json_array_get(json, 3), "a number of elements", &data->count, error) &&
           read_key(json_array_get(json, 4), "a stamp", &data->stamp, error) &&
           read_key(json_array_get(json, 5), "a hash", &data->hash, error) &&
           read_whole(json_array_get(json, 6), "a number of bytes", &data->all, error) &&
           (data->records || read_element(element, &data->element, error));
}

static bool read_buffer(const json_t *json, const struct job *job, struct job_buffer *buffer, struct job_data *data,
                        bool *late, struct error *error)
{
    size_t role, initial;
    *late = json_is_null(json_array_get(json, 2));
    if (!read_text(json_array_get(json, 0), "a buffer's name", &buffer->name, error) ||
        !layouts_find(json_array_get(json, 1), job, &buffer->layout, error) ||
        (!*late && !read_whole(json_array_get(json, 2), "an extent", &buffer->extent, error)) ||
        !read_word(json_array_get(json, 3), "a buffer's role", role_names, ROLE_COUNT, &role, error) ||
        !read_word(json_array_get(json, 4), "initial value", initial_names, INITIAL_COUNT, &initial, error) ||
        !read_real(json_array_get(json, 5), "an initial value's number", &buffer->a, error) ||
        !read_real(json_array_get(json, 6), "an initial value's number", &buffer->b, error) ||
        !read_data(json_array_get(json, 7), data, error))
        return false;
    buffer->role = (enum buffer_role)role;
    buffer->initial = (enum initial_kind)initial;
    return true;
}

static bool read_buffers(const json_t *json, const struct job *job, struct job_case *one, struct error *error)
{
    one->buffers = read_allocate(json, "buffers", sizeof *one->buffers, error);
    one->data = read_allocate(json, "buffers", sizeof *one->data, error);
    one->late = read_allocate(json, "buffers", sizeof *one->late, error);
    if (!one->buffers || !one->data || !one->late)
        return false;
    for (size_t i = 0; i < json_array_size(json); i++) {
        one->buffer_count++;
        if (!read_buffer(json_array_get(json, i), job, &one->buffers[i], &one->data[i], &one->late[i], error))
            return false;
    }
    return true;
}

/* Which of them are in the host's memory; there may be none. */
static bool read_hosts(const json_t *json, struct job_case *one, struct error *error)
{
    if (!json)
        return true;
    one->host = calloc(one->buffer_count + 1, sizeof *one->host);
    if (!one->host)
        return error_out_of_memory(error);
    for (size_t i = 0; i < json_array_size(json); i++) {
        size_t buffer;
        if (!read_index(json_array_get(json, i), "a buffer of the host", &buffer, error))
            return false;
        if (buffer >= one->buffer_count)
            return read_refuse(error, "a buffer of the host");
        one->host[buffer] = true;
    }
    return true;
}

static bool read_sequence(const json_t *json, const char *name, struct job_steps *sequence, struct error *error)
{
    return steps_from_json(json_object_get(json, name), sequence, error);
}

/* One that may be missing. */
static bool read_further(const json_t *json, const char *name, struct job_steps *sequence, struct error *error)
{
    return !json_object_get(json, name) || read_sequence(json, name, sequence, error);
}

static bool read_range(const json_t *json, struct job_check *check, struct error *error)
{
    check->partial = !json_is_null(json);
    if (json_array_size(json) > 2)
        return late_read(json, &check->late, error);
    return !check->partial || (read_whole(json_array_get(json, 0), "a check's range", &check->first, error) &&
                               read_whole(json_array_get(json, 1), "a check's range", &check->count, error));
}

/* Two more items if it is a check of a field. */
static bool read_leaves(const json_t *json, struct job_check *check, struct error *error)
{
    return json_array_size(json) < 14 ||
           (read_index(json_array_get(json, 12), "a check's field", &check->first_leaf, error) &&
            read_index(json_array_get(json, 13), "a check's field", &check->leaf_count, error));
}

/* What follows the range may be leaves, and then a file, which is an array. */
static const json_t *last_file(const json_t *json)
{
    size_t count = json_array_size(json);
    const json_t *last = count > 12 ? json_array_get(json, count - 1) : NULL;
    return json_is_array(last) ? last : NULL;
}

static bool read_check(const json_t *json, struct job_check *check, struct error *error)
{
    const json_t *file = json_array_get(json, 5), *name = json_array_get(json, 11);
    return read_index(json_array_get(json, 0), "a check's buffer", &check->buffer, error) &&
           read_flag(json_array_get(json, 1), "a check's kind", &check->exact, error) &&
           read_real(json_array_get(json, 2), "a check's bound", &check->bound, error) &&
           read_real(json_array_get(json, 3), "a check's bound", &check->absolute, error) &&
           read_flag(json_array_get(json, 4), "a check's kind", &check->nonfinite, error) &&
           (json_is_null(file) || read_text(file, "a check's place", &check->file, error)) &&
           read_line(json_array_get(json, 6), "a check's place", &check->line, error) &&
           read_line(json_array_get(json, 7), "a check's place", &check->column, error) &&
           read_range(json_array_get(json, 8), check, error) &&
           read_flag(json_array_get(json, 9), "a check's kind", &check->unordered, error) &&
           read_flag(json_array_get(json, 10), "a check's kind", &check->below, error) &&
           (json_is_null(name) || read_text(name, "a check's buffer", &check->name, error)) &&
           read_leaves(json, check, error) && read_data(last_file(json), &check->expected, error);
}

static bool read_checks(const json_t *json, struct job_case *one, struct error *error)
{
    one->checks = read_allocate(json, "checks", sizeof *one->checks, error);
    if (!one->checks)
        return false;
    for (size_t i = 0; i < json_array_size(json); i++) {
        if (!read_check(json_array_get(json, i), &one->checks[one->check_count++], error))
            return false;
    }
    return true;
}

static bool read_work(const json_t *json, struct work *work, struct error *error)
{
    for (size_t i = 0; i < WORK_COUNT; i++) {
        const char *name = work_kinds[i].column;
        if (!read_real(json_object_get(json, name), name, &work->of[i], error))
            return false;
    }
    return true;
}

static bool read_case(const json_t *json, const struct job *job, struct job_case *one, struct error *error)
{
    return read_text(json_object_get(json, "size"), "a size", &one->size_text, error) &&
           read_key(json_object_get(json, "reference_key"), "a reference key", &one->reference_key, error) &&
           read_buffers(json_object_get(json, "buffers"), job, one, error) &&
           read_hosts(json_object_get(json, "host"), one, error) &&
           read_sequence(json, "setup", &one->setup, error) && read_sequence(json, "prepare", &one->prepare, error) &&
           read_sequence(json, "launch", &one->launch, error) &&
           read_sequence(json, "reference", &one->reference, error) &&
           read_further(json, "finish", &one->finish, error) && read_further(json, "verify", &one->verify, error) &&
           read_checks(json_object_get(json, "checks"), one, error) && read_work(json, &one->work, error);
}

static bool read_names_of(const json_t *json, struct job *job, struct error *error)
{
    const json_t *names = json_object_get(json, "names");
    size_t counts;
    return !names || (read_index(json_object_get(json, "counts"), "the number of counts", &counts, error) &&
                      late_read_names(names, counts, job, error));
}

static bool read_job(const json_t *json, struct job *job, struct error *error)
{
    const json_t *awkward = json_object_get(json, "awkward"), *verify = json_object_get(json, "verify");
    job->has_awkward = !json_is_null(awkward);
    return read_key(json_object_get(json, "seed"), "the seed", &job->seed, error) &&
           read_key(json_object_get(json, "reference_key"), "the reference key", &job->reference_key, error) &&
           layouts_read(json_object_get(json, "types"), job, error) && read_names_of(json, job, error) &&
           read_program(json_object_get(json, "program"), "the program", &job->program, error) &&
           read_program(json_object_get(json, "setup"), "the setup", &job->setup, error) &&
           read_program(json_object_get(json, "reference"), "the reference", &job->reference, error) &&
           (!verify || read_program(verify, "verify", &job->verify, error)) &&
           read_case(json_object_get(json, "tuned"), job, &job->cases[JOB_TUNED], error) &&
           (!job->has_awkward || read_case(awkward, job, &job->cases[JOB_AWKWARD], error));
}

bool job_from_json(const struct json_t *json, struct job **result, struct error *error)
{
    struct job *job = calloc(1, sizeof *job);
    *result = NULL;
    if (!job)
        return error_out_of_memory(error);
    if (!read_job(json, job, error) || !late_resolve(job, error) || !job_check(job, error)) {
        job_free(job);
        return false;
    }
    *result = job;
    return true;
}

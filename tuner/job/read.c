/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/job/check.h"
#include "tuner/job/late_json.h"
#include "tuner/job/layouts.h"
#include "tuner/job/write.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

/*
 * Types and ranges of values are checked here, references between them in check.c. A count is raised only when its
 * item can be freed by job_free.
 */

enum { DEPTH_LIMIT = 200 }; /* of nested loops and conditions */

static bool refuse(struct error *error, const char *what)
{
    return error_set(error, ERROR_SYSTEM, "damaged job: %s is missing or of the wrong type", what);
}

static bool read_digits(const char *text, size_t count, uint64_t *number)
{
    *number = 0;
    if (strlen(text) != count || strspn(text, "0123456789abcdef") != count)
        return false;
    *number = strtoull(text, NULL, 16);
    return true;
}

static bool read_key(const json_t *json, const char *what, uint64_t *key, struct error *error)
{
    return (json_is_string(json) && read_digits(json_string_value(json), 16, key)) || refuse(error, what);
}

static bool read_whole(const json_t *json, const char *what, uint64_t *number, struct error *error)
{
    if (!json_is_integer(json))
        return read_key(json, what, number, error);
    if (json_integer_value(json) < 0)
        return refuse(error, what);
    *number = (uint64_t)json_integer_value(json);
    return true;
}

static bool read_index(const json_t *json, const char *what, size_t *index, struct error *error)
{
    uint64_t number;
    if (!read_whole(json, what, &number, error))
        return false;
    *index = (size_t)number;
    return true;
}

static bool read_real(const json_t *json, const char *what, double *real, struct error *error)
{
    *real = json_number_value(json);
    return json_is_number(json) || refuse(error, what);
}

static bool read_bytes(const json_t *json, unsigned char bytes[8], struct error *error)
{
    uint64_t number;
    if (!read_key(json, "the bytes of a value", &number, error))
        return false;
    for (size_t i = 0; i < 8; i++)
        bytes[i] = (unsigned char)(number >> 8 * (7 - i));
    return true;
}

static bool read_text(const json_t *json, const char *what, char **text, struct error *error)
{
    if (!json_is_string(json))
        return refuse(error, what);
    *text = strdup(json_string_value(json));
    return *text || error_out_of_memory(error);
}

/* The index of a word in a table. */
static bool read_word(const json_t *json, const char *what, const char *const *words, size_t count, size_t *index,
                      struct error *error)
{
    const char *text = json_string_value(json);
    for (*index = 0; text && *index < count; ++*index) {
        if (strcmp(text, words[*index]) == 0)
            return true;
    }
    return refuse(error, what);
}

static bool read_element(const json_t *json, enum element *element, struct error *error)
{
    const char *text = json_string_value(json);
    return (text && element_find(text, strlen(text), element)) || refuse(error, "an element type");
}

/* Zeroed memory for the items of an array, and one more; NULL and an error unless `json` is an array. */
static void *allocate_items(const json_t *json, const char *what, size_t size, struct error *error)
{
    if (!json_is_array(json)) {
        refuse(error, what);
        return NULL;
    }
    void *items = calloc(json_array_size(json) + 1, size);
    if (!items)
        error_out_of_memory(error);
    return items;
}

static bool read_names(const json_t *json, const char *what, char ***names, size_t *count, struct error *error)
{
    *names = allocate_items(json, what, sizeof **names, error);
    if (!*names)
        return false;
    for (size_t i = 0; i < json_array_size(json); i++) {
        if (!read_text(json_array_get(json, i), what, &(*names)[i], error))
            return false;
        ++*count;
    }
    return true;
}

static bool read_line(const json_t *json, const char *what, unsigned *line, struct error *error)
{
    json_int_t number = json_integer_value(json);
    if (!json_is_integer(json) || number < 0 || number > INT32_MAX)
        return refuse(error, what);
    *line = (unsigned)number;
    return true;
}

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
    statement->arguments = allocate_items(json, "a statement", sizeof *statement->arguments, error);
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
    program->statements = allocate_items(json, "statements", sizeof *program->statements, error);
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
    if (!json)
        return true;
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
    one->buffers = allocate_items(json, "buffers", sizeof *one->buffers, error);
    one->data = allocate_items(json, "buffers", sizeof *one->data, error);
    one->late = allocate_items(json, "buffers", sizeof *one->late, error);
    if (!one->buffers || !one->data || !one->late)
        return false;
    for (size_t i = 0; i < json_array_size(json); i++) {
        one->buffer_count++;
        if (!read_buffer(json_array_get(json, i), job, &one->buffers[i], &one->data[i], &one->late[i], error))
            return false;
    }
    return true;
}

static bool read_dimension(const json_t *json, size_t index, uint32_t *dimension, struct error *error)
{
    uint64_t number;
    if (!read_whole(json_array_get(json, index), "a dimension", &number, error))
        return false;
    if (number > UINT32_MAX)
        return refuse(error, "a dimension");
    *dimension = (uint32_t)number;
    return true;
}

static bool read_dimensions(const json_t *json, struct dimensions *dimensions, struct error *error)
{
    return read_dimension(json, 0, &dimensions->x, error) && read_dimension(json, 1, &dimensions->y, error) &&
           read_dimension(json, 2, &dimensions->z, error);
}

static bool read_texture(const json_t *json, struct job_argument *argument, struct error *error)
{
    struct texture_shape *shape = &argument->texture;
    uint64_t dimensions, address;
    if (!read_whole(json_array_get(json, 3), "a texture's dimensions", &dimensions, error) ||
        !read_dimensions(json_array_get(json, 4), &shape->extent, error) ||
        !read_whole(json_array_get(json, 7), "an address mode", &address, error))
        return false;
    if (dimensions > 3 || address > ADDRESS_MIRROR)
        return refuse(error, "a texture");
    shape->surface = argument->kind == ARGUMENT_SURFACE;
    shape->dimensions = (unsigned)dimensions;
    shape->linear = json_is_true(json_array_get(json, 5));
    shape->normalized = json_is_true(json_array_get(json, 6));
    shape->address = (enum address_mode)address;
    return true;
}

static bool read_argument(const json_t *json, struct job_argument *argument, struct error *error);

static bool read_value(const char *text, struct job_compound *compound, struct error *error)
{
    size_t digits = strlen(text);
    if (digits % 2 != 0 || digits == 0 || digits > 2 * (size_t)COMPOUND_BYTES_MOST ||
        strspn(text, "0123456789abcdef") != digits)
        return refuse(error, "the bytes of a value");
    compound->value = calloc(digits / 2, 1);
    if (!compound->value)
        return error_out_of_memory(error);
    compound->bytes = digits / 2;
    for (size_t i = 0; i < digits; i++) {
        int digit = text[i] <= '9' ? text[i] - '0' : text[i] - 'a' + 10;
        compound->value[i / 2] = (unsigned char)(compound->value[i / 2] << 4 | digit);
    }
    return true;
}

/* What pointers of a compound may be. */
static bool is_pointer(const struct job_argument *argument)
{
    return (int)argument->kind <= ARGUMENT_MAGNITUDE;
}

static bool read_compound(const json_t *json, struct job_argument *argument, struct error *error)
{
    const json_t *pointers = json_array_get(json, 4);
    const char *value = json_string_value(json_array_get(json, 3));
    argument->kind = ARGUMENT_COMPOUND;
    struct job_compound *compound = argument->compound = calloc(1, sizeof *compound);
    if (!compound)
        return error_out_of_memory(error);
    if (!value || !json_is_array(pointers))
        return refuse(error, "an argument");
    compound->pointers = calloc(json_array_size(pointers) / 2 + 1, sizeof *compound->pointers);
    if (!compound->pointers)
        return error_out_of_memory(error);
    if (!read_text(json_array_get(json, 1), "a type", &compound->name, error) ||
        !read_text(json_array_get(json, 2), "a type", &compound->c_name, error) ||
        !read_value(value, compound, error))
        return false;
    for (size_t i = 0; 2 * i < json_array_size(pointers); i++) {
        struct job_argument *pointer = &compound->pointers[i];
        const json_t *written = json_array_get(pointers, 2 * i + 1);
        if (json_array_size(written) != 3 || !read_argument(written, pointer, error) || !is_pointer(pointer) ||
            !read_index(json_array_get(pointers, 2 * i), "a pointer's place", &pointer->at, error))
            return refuse(error, "a pointer");
        compound->pointer_count++;
    }
    return true;
}

static bool read_argument(const json_t *json, struct job_argument *argument, struct error *error)
{
    size_t kind;
    if (json_array_size(json) == 5)
        return read_compound(json, argument, error);
    if (json_array_size(json) == 2) {
        argument->kind = ARGUMENT_SCALAR;
        return read_element(json_array_get(json, 0), &argument->element, error) &&
               read_bytes(json_array_get(json, 1), argument->bytes, error);
    }
    if (!read_word(json_array_get(json, 0), "an argument", pointer_names, POINTER_COUNT, &kind, error))
        return false;
    argument->kind = (enum argument_kind)kind;
    return read_index(json_array_get(json, 1), "an argument's buffer", &argument->buffer, error) &&
           read_whole(json_array_get(json, 2), "an argument's offset", &argument->offset, error) &&
           ((argument->kind != ARGUMENT_TEXTURE && argument->kind != ARGUMENT_SURFACE) ||
            read_texture(json, argument, error));
}

static bool read_arguments(const json_t *json, struct job_step *step, struct error *error)
{
    step->arguments = allocate_items(json, "arguments", sizeof *step->arguments, error);
    if (!step->arguments)
        return false;
    for (size_t i = 0; i < json_array_size(json); i++) {
        if (!read_argument(json_array_get(json, i), &step->arguments[step->argument_count++], error))
            return false;
    }
    return true;
}

static bool read_steps(const json_t *json, size_t depth, struct job_step **steps, size_t *count, struct error *error);

static bool read_launch(const json_t *json, struct job_step *step, struct error *error)
{
    return read_index(json_array_get(json, 1), "a kernel", &step->kernel, error) &&
           read_dimensions(json_array_get(json, 2), &step->grid, error) &&
           read_dimensions(json_array_get(json, 3), &step->block, error) &&
           read_whole(json_array_get(json, 4), "shared memory", &step->shared, error) &&
           read_arguments(json_array_get(json, 5), step, error) &&
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
    return number < DEVICE_STREAMS || refuse(error, "a stream");
}

static bool read_attributes(const json_t *json, struct job_step *step, struct error *error)
{
    const json_t *last = json_array_get(json, json_array_size(json) - 1);
    const json_t *stream = json_object_get(last, "stream"), *cluster = json_object_get(last, "cluster");
    const json_t *late = json_object_get(last, "late");
    step->cooperative = json_is_true(json_object_get(last, "cooperative"));
    return (!late || late_read(late, &step->late, error)) && (!stream || read_stream(stream, &step->stream, error)) &&
           (!cluster || read_dimensions(cluster, &step->cluster, error));
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
               read_steps(json_array_get(json, 3), depth + 1, &step->body, &step->body_count, error);
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
        return read_steps(json_array_get(json, 1), depth + 1, &step->body, &step->body_count, error) &&
               read_steps(json_array_get(json, 2), depth + 1, &step->otherwise, &step->otherwise_count, error);
    case STEP_WHILE:
        return read_whole(json_array_get(json, 1), "rounds", &step->rounds, error) &&
               read_steps(json_array_get(json, 2), depth + 1, &step->body, &step->body_count, error);
    case STEP_FOR:
        return read_steps(json_array_get(json, 1), depth + 1, &step->body, &step->body_count, error);
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

static bool read_steps(const json_t *json, size_t depth, struct job_step **steps, size_t *count, struct error *error)
{
    if (depth > DEPTH_LIMIT)
        return error_set(error, ERROR_SYSTEM, "damaged job: steps are nested too deeply");
    *steps = allocate_items(json, "steps", sizeof **steps, error);
    if (!*steps)
        return false;
    for (size_t i = 0; i < json_array_size(json); i++) {
        if (!read_step(json_array_get(json, i), depth, &(*steps)[(*count)++], error))
            return false;
    }
    return true;
}

static bool read_sequence(const json_t *json, const char *name, struct job_steps *sequence, struct error *error)
{
    return read_steps(json_object_get(json, name), 0, &sequence->steps, &sequence->count, error);
}

/* One that may be missing. */
static bool read_further(const json_t *json, const char *name, struct job_steps *sequence, struct error *error)
{
    return !json_object_get(json, name) || read_sequence(json, name, sequence, error);
}

static bool read_flag(const json_t *json, const char *what, bool *flag, struct error *error)
{
    *flag = json_is_true(json);
    return json_is_boolean(json) || refuse(error, what);
}

static bool read_range(const json_t *json, struct job_check *check, struct error *error)
{
    check->partial = !json_is_null(json);
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
    one->checks = allocate_items(json, "checks", sizeof *one->checks, error);
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

/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/data/inputs.h"

#include "tuner/data/input_matrix.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

bool input_blame(const struct input *input, struct error *error)
{
    struct error cause;
    if (!error)
        return false;
    cause = *error;
    if (input->overrides)
        error_set(error, cause.code, "--input: %.900s", cause.text);
    else
        error_at(error, cause.code, input->place, "%s", cause.text);
    memcpy(error->hint, cause.hint, sizeof error->hint);
    return false;
}

/* ---- types */

/* What NumPy would call the buffer's type. */
static void needed_name(const struct layout *layout, char name[64])
{
    char number[32];
    if (!layout_is_array(layout)) {
        snprintf(name, 64, "records of %zu bytes", layout->bytes);
        return;
    }
    numpy_element_name(layout->leaves[0].element, number);
    if (layout->leaf_count == 1)
        snprintf(name, 64, "%s", number);
    else
        snprintf(name, 64, "%s, a last dimension of %zu", number, layout->leaf_count);
}

static bool wrong_type(const struct input *input, const struct buffer_declaration *buffer, struct error *error)
{
    char have[32], need[64];
    const struct npy *npy = &input->file->npy;
    numpy_name(npy->kind, npy->bytes, have);
    needed_name(buffer->type->layout, need);
    error_set(error, ERROR_INPUT, "%s holds %s, but %s is %s (%s)", input->name, npy->record ? "records" : have,
              buffer->name, buffer->type->layout->name, need);
    if (layout_is_array(buffer->type->layout))
        error_hint(error, "in Python: np.save(\"x.npy\", x.astype(np.%.*s)); or declare %s with the type of the file",
                   (int)strcspn(need, ","), need, buffer->name);
    else
        error_hint(error, "in Python: x.tofile(\"x.raw\"), with the struct's own layout and padding");
    return input_blame(input, error);
}

static bool check_order(const struct input *input, const struct buffer_declaration *buffer, struct error *error)
{
    const struct npy *npy = &input->file->npy;
    size_t long_dimensions = 0;
    for (size_t i = 0; i < npy->rank; i++)
        long_dimensions += npy->shape[i] > 1;
    if (npy->kind == 'O') {
        error_set(error, ERROR_INPUT, "%s holds Python objects, not plain numbers", input->name);
        error_hint(error,
                   "save a plain array of the buffer's type: np.save(\"x.npy\", np.asarray(x, dtype=np.float32))");
        return input_blame(input, error);
    }
    if (npy->order == '>' && npy->bytes > 1) {
        error_set(error, ERROR_INPUT, "%s is big-endian", input->name);
        error_hint(error, "in Python: np.save(\"x.npy\", x.astype(x.dtype.newbyteorder(\"<\")))");
        return input_blame(input, error);
    }
    if (npy->fortran && long_dimensions > 1) {
        error_set(error, ERROR_INPUT, "%s is in Fortran order: its first index varies fastest", input->name);
        error_hint(
            error,
            "in Python: np.save(\"x.npy\", np.ascontiguousarray(x)); or save x.T, and swap the dimensions of %s",
            buffer->name);
        return input_blame(input, error);
    }
    return true;
}

/* A char may be NumPy's bool, as a uchar may. */
static bool same_type(enum element found, enum element wanted, char kind)
{
    return found == wanted || (kind == 'b' && element_types[wanted].bytes == 1);
}

/* Are the file's elements numbers, or pairs of them, of a type that will do? */
static bool has_numbers(struct input *input, const struct layout *layout)
{
    const struct npy *npy = &input->file->npy;
    bool is_complex = npy->kind == 'c' && npy->bytes % 2 == 0;
    input->per_item = is_complex ? 2 : 1;
    if (npy->record ||
        !numpy_element(is_complex ? 'f' : npy->kind, is_complex ? npy->bytes / 2 : npy->bytes, &input->element) ||
        layout->leaf_count % input->per_item)
        return false;
    return input->expected ||
           (layout_is_array(layout) && same_type(input->element, layout->leaves[0].element, npy->kind));
}

/* Are they of the size of the buffer's? NumPy's records and bytes; the file says how long a record is. */
static bool has_records(const struct input *input, const struct layout *layout)
{
    const struct npy *npy = &input->file->npy;
    uint64_t bytes;
    if (!npy->record)
        return npy->kind == 'V' && npy->bytes == layout->bytes;
    return !__builtin_mul_overflow(npy->count, (uint64_t)layout->bytes, &bytes) && bytes == input->file->bytes;
}

static bool read_npy_type(struct input *input, const struct buffer_declaration *buffer, struct error *error)
{
    const struct layout *layout = buffer->type->layout;
    const struct npy *npy = &input->file->npy;
    if (!check_order(input, buffer, error))
        return false;
    input->records = has_records(input, layout);
    if (input->records) {
        input->per_item = layout->leaf_count;
        input->count = npy->count;
        return true;
    }
    if (!has_numbers(input, layout))
        return wrong_type(input, buffer, error);
    uint64_t items = layout->leaf_count / input->per_item;
    input->count = npy->count / items;
    if (npy->count % items == 0)
        return true;
    error_set(error, ERROR_INPUT, "%s has %" PRIu64 " numbers, which is no whole number of elements of type %s",
              input->name, npy->count, layout->name);
    return input_blame(input, error);
}

/* A file without a header has the buffer's type. */
static bool read_raw_type(struct input *input, const struct buffer_declaration *buffer, struct error *error)
{
    uint64_t bytes = buffer->type->layout->bytes;
    input->records = true;
    input->per_item = buffer->type->layout->leaf_count;
    input->count = input->file->bytes / bytes;
    if (input->file->bytes % bytes == 0)
        return true;
    error_set(error, ERROR_INPUT, "%s has %" PRIu64 " bytes, which is no whole number of elements of type %s",
              input->name, input->file->bytes, buffer->type->layout->name);
    error_hint(
        error,
        "a file whose name ends neither in .npy nor in .mtx holds elements of the buffer's type and nothing else");
    return input_blame(input, error);
}

/* ---- opening */

/* The path of a file that the template names. */
static char *path_of(const struct template *template, const char *file)
{
    char *path;
    if (file[0] == '/')
        return strdup(file);
    return asprintf(&path, "%s/%s", template->folder, file) < 0 ? NULL : path;
}

static bool open_file(const struct template *template, struct input *input, const char *file, struct error *error)
{
    char *path = input->overrides ? strdup(file) : path_of(template, file);
    input->name = strdup(file);
    bool done = (path && input->name) || error_out_of_memory(error);
    if (done && !data_file_open(path, input->name, &input->file, error))
        done = input_blame(input, error);
    free(path);
    return done;
}

static bool open_input(const struct template *template, struct input *input, const char *file, struct error *error)
{
    const struct buffer_declaration *buffer = &template->buffers[input->buffer];
    if (buffer->type->has_pointer) {
        error_set(error, ERROR_INPUT, "%s has pointers, which no file can hold", buffer->name);
        return input_blame(input, error);
    }
    if (!open_file(template, input, file, error))
        return false;
    input->is_dense = matrix_is_file(file);
    return (input->is_dense       ? input_read_dense
            : input->file->is_npy ? read_npy_type
                                  : read_raw_type)(input, buffer, error);
}

static bool open_matrix(struct inputs *inputs, const struct matrix_declaration *matrix, const char *setting,
                        struct error *error)
{
    if (!setting && !matrix->file)
        return true;
    struct input *input = &inputs->list[inputs->count++];
    input->matrix = matrix;
    input->overrides = setting != NULL;
    input->place = matrix->file_place;
    return open_file(inputs->template, input, setting ? setting : matrix->file, error) &&
           input_read_matrix(inputs->template, input, error);
}

static bool find_buffer(const struct template *template, const char *name, size_t *index)
{
    for (*index = 0; *index < template->buffer_count; ++*index) {
        if (strcmp(template->buffers[*index].name, name) == 0)
            return true;
    }
    return false;
}

static bool has_matrix(const struct template *template, const char *name)
{
    for (size_t i = 0; i < template->matrix_count; i++) {
        if (strcmp(template->matrices[i].name, name) == 0)
            return true;
    }
    return false;
}

static bool unknown_buffer(const struct template *template, const char *name, struct error *error)
{
    const char *names[64];
    size_t count = 0;
    for (size_t i = 0; i < template->matrix_count && count < sizeof names / sizeof *names; i++)
        names[count++] = template->matrices[i].name;
    for (size_t i = 0; i < template->buffer_count && count < sizeof names / sizeof *names; i++) {
        if (role_is_initialised(template->buffers[i].role))
            names[count++] = template->buffers[i].name;
    }
    error_set(error, ERROR_INPUT, "--input: template %s has no buffer %s", template->name, name);
    const char *nearest = error_nearest(name, names, count);
    return nearest ? error_hint(error, "did you mean %s?", nearest) : false;
}

/* Does setup leave a buffer alone that a file has? */
static bool is_asked_for(const struct template *template, size_t buffer)
{
    for (size_t i = 0; i < template->given_count; i++) {
        if (!template->givens[i].of_matrix && template->givens[i].index == buffer)
            return true;
    }
    return false;
}

bool inputs_take(const struct template *template, size_t buffer)
{
    size_t part;
    return role_is_initialised(template->buffers[buffer].role) && !template_matrix_of(template, buffer, &part) &&
           (template->buffers[buffer].initial != INITIAL_NONE || is_asked_for(template, buffer));
}

static bool check_setting(const struct template *template, const struct input_setting *setting, struct error *error)
{
    size_t buffer, part;
    if (has_matrix(template, setting->buffer))
        return true;
    if (!find_buffer(template, setting->buffer, &buffer))
        return unknown_buffer(template, setting->buffer, error);
    if (!role_is_initialised(template->buffers[buffer].role)) {
        error_set(error, ERROR_INPUT, "--input: %s has no initial values to replace", setting->buffer);
        return error_hint(error, "a buffer that is both read and written is inout");
    }
    if (inputs_take(template, buffer))
        return true;
    const struct matrix_declaration *matrix = template_matrix_of(template, buffer, &part);
    if (!matrix) {
        error_set(error, ERROR_INPUT, "--input: setup writes %s, whatever a file holds", setting->buffer);
        return error_hint(error, "in the template: setup ... { if not given(%s) { ... } }", setting->buffer);
    }
    error_set(error, ERROR_INPUT, "--input: %s is part of matrix %s", setting->buffer, matrix->name);
    return error_hint(error, "a file has all of it: --input %s=FILE.mtx", matrix->name);
}

static bool check_settings(const struct template *template, const struct input_setting *settings, size_t count,
                           struct error *error)
{
    for (size_t i = 0; i < count; i++) {
        if (!check_setting(template, &settings[i], error))
            return false;
        for (size_t j = 0; j < i; j++) {
            if (strcmp(settings[j].buffer, settings[i].buffer) == 0)
                return error_set(error, ERROR_INPUT, "--input: %s is given twice", settings[i].buffer);
        }
    }
    return true;
}

static const char *setting_of(const struct input_setting *settings, size_t count, const char *buffer)
{
    for (size_t i = 0; i < count; i++) {
        if (strcmp(settings[i].buffer, buffer) == 0)
            return settings[i].file;
    }
    return NULL;
}

static bool open_initial(struct inputs *inputs, size_t buffer, const char *setting, struct error *error)
{
    const struct buffer_declaration *declaration = &inputs->template->buffers[buffer];
    size_t part;
    if ((!setting && declaration->initial != INITIAL_FILE) || template_matrix_of(inputs->template, buffer, &part))
        return true;
    struct input *input = &inputs->list[inputs->count++];
    input->buffer = buffer;
    input->overrides = setting != NULL;
    input->place = declaration->file_place;
    return open_input(inputs->template, input, setting ? setting : declaration->file, error);
}

static bool open_expected(struct inputs *inputs, size_t buffer, struct error *error)
{
    const struct template *template = inputs->template;
    for (size_t i = 0; i < template->expected_count; i++) {
        const struct expected_file *expected = &template->expected[i];
        if (expected->buffer != buffer)
            continue;
        struct input *input = &inputs->list[inputs->count++];
        input->buffer = buffer;
        input->expected = true;
        input->place = expected->place;
        return open_input(template, input, expected->file, error);
    }
    return true;
}

/* Expected values from a file hold for certain inputs only. */
static bool refuse_random(const struct inputs *inputs, size_t buffer, struct error *error)
{
    const struct template *template = inputs->template;
    const struct buffer_declaration *declaration = &template->buffers[buffer];
    if (template->expected_count == 0 || declaration->initial != INITIAL_UNIFORM || inputs_of(inputs, buffer, false))
        return true;
    error_at(error, ERROR_INPUT, declaration->place, "%s is random, so no file can have the expected values",
             declaration->name);
    return error_hint(error, "give %s the values that they were computed from: file(\"%s.npy\"), or --input %s=FILE",
                      declaration->name, declaration->name, declaration->name);
}

static bool open_all(struct inputs *inputs, const struct input_setting *settings, size_t count, struct error *error)
{
    const struct template *template = inputs->template;
    if (!check_settings(template, settings, count, error))
        return false;
    for (size_t i = 0; i < template->buffer_count; i++) {
        const char *setting = setting_of(settings, count, template->buffers[i].name);
        if (!open_initial(inputs, i, setting, error) || !open_expected(inputs, i, error) ||
            !refuse_random(inputs, i, error))
            return false;
    }
    for (size_t i = 0; i < template->matrix_count; i++) {
        const char *setting = setting_of(settings, count, template->matrices[i].name);
        if (!open_matrix(inputs, &template->matrices[i], setting, error))
            return false;
    }
    return true;
}

bool inputs_open(const struct template *template, const struct input_setting *settings, size_t count,
                 struct inputs **result, struct error *error)
{
    struct inputs *inputs = calloc(1, sizeof *inputs);
    *result = NULL;
    if (!inputs)
        return error_out_of_memory(error);
    inputs->template = template;
    inputs->list = calloc(2 * template->buffer_count + template->matrix_count + 1, sizeof *inputs->list);
    bool done = inputs->list ? open_all(inputs, settings, count, error) : error_out_of_memory(error);
    if (!done) {
        inputs_free(inputs);
        return false;
    }
    *result = inputs;
    return true;
}

void inputs_free(struct inputs *inputs)
{
    if (!inputs)
        return;
    for (size_t i = 0; i < inputs->count; i++) {
        data_file_free(inputs->list[i].file);
        free(inputs->list[i].name);
    }
    free(inputs->list);
    free(inputs->held);
    free(inputs->named);
    free(inputs);
}

size_t inputs_count(const struct inputs *inputs)
{
    return inputs ? inputs->count : 0;
}

const struct input *inputs_of(const struct inputs *inputs, size_t buffer, bool expected)
{
    for (size_t i = 0; i < inputs_count(inputs); i++) {
        const struct input *input = &inputs->list[i];
        bool has_buffer = input->matrix ? input_array(input, buffer) != MATRIX_NONE : input->buffer == buffer;
        if (has_buffer && input->expected == expected)
            return input;
    }
    return NULL;
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/space/sizes.h"

#include "tuner/error/text_stream.h"
#include "tuner/space/slots.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static bool find_size(const struct template *template, const char *name, size_t *index)
{
    for (*index = 0; *index < template->size_count; ++*index) {
        if (strcmp(template->sizes[*index].name, name) == 0)
            return true;
    }
    return false;
}

static bool unknown_size(const struct template *template, const char *name, struct error *error)
{
    const char *names[64];
    char list[200] = "";
    size_t count = 0, length = 0;
    for (size_t i = 0; i < template->size_count && count < sizeof names / sizeof *names; i++) {
        if (template->sizes[i].derived)
            continue;
        names[count++] = template->sizes[i].name;
        if (length < sizeof list)
            length += (size_t)snprintf(list + length, sizeof list - length, "%s%s", length ? ", " : "",
                                       template->sizes[i].name);
    }
    error_set(error, ERROR_INPUT, "template %s has no size %s", template->name, name);
    const char *nearest = error_nearest(name, names, count);
    if (nearest)
        return error_hint(error, "did you mean %s?", nearest);
    return count ? error_hint(error, "its sizes are %s", list) : false;
}

static bool check_settings(const struct template *template, const struct size_setting *settings, size_t count,
                           struct error *error)
{
    for (size_t i = 0; i < count; i++) {
        size_t index;
        if (!find_size(template, settings[i].name, &index))
            return unknown_size(template, settings[i].name, error);
        if (settings[i].value < 1) {
            error_set(error, ERROR_INPUT, "size %s is %" PRId64, settings[i].name, settings[i].value);
            return error_hint(error, "sizes must be positive integers");
        }
        for (size_t j = 0; j < i; j++) {
            if (strcmp(settings[j].name, settings[i].name) == 0)
                return error_set(error, ERROR_INPUT, "size %s is given twice", settings[i].name);
        }
    }
    return true;
}

static const struct size_setting *find_setting(const struct size_setting *settings, size_t count, const char *name)
{
    for (size_t i = 0; i < count; i++) {
        if (strcmp(settings[i].name, name) == 0)
            return &settings[i];
    }
    return NULL;
}

static bool evaluate_size(const struct size_declaration *size, const struct expr *expr, const struct value *slots,
                          int64_t *result, struct error *error)
{
    if (!expr_integer(expr, slots, result, error))
        return false;
    if (*result < 1)
        return error_at(error, ERROR_INPUT, expr_place(expr),
                        "size %s is %" PRId64 "; sizes must be positive integers", size->name, *result);
    return true;
}

/* ---- sizes that follow from a matrix ---- */

/* Of a size that nobody sets: --size may repeat what it is, as the text of all sizes does. */
static bool check_derived(const struct size_declaration *size, const struct size_setting *setting, int64_t value,
                          struct error *error)
{
    if (!size->derived || !setting || setting->value == value)
        return true;
    error_set(error, ERROR_INPUT, "size %s is %" PRId64 " here, not %" PRId64, size->name, value, setting->value);
    return error_hint(error, "leave it out: it follows from the other sizes, or from the file of a matrix");
}

/* Is it the program's, and none of a file? */
static bool is_own(const struct given_sizes *given, const struct matrix_declaration *matrix)
{
    return given->own_matrices && !inputs_of(given->inputs, matrix->parts[0], false);
}

/* What the settings say of one of a matrix's sizes; NULL: nothing. */
static const struct size_setting *matrix_setting(const struct template *template, const struct given_sizes *given,
                                                 const struct matrix_declaration *matrix, enum matrix_size which)
{
    if (which >= matrix->size_count)
        return NULL;
    return find_setting(given->settings, given->count, scope_name(template->scope, matrix->sizes[which]));
}

/* All that can be said of a matrix, or nothing. */
static bool check_whole(const struct template *template, const struct given_sizes *given,
                        const struct matrix_declaration *matrix, struct error *error)
{
    const char *missing = NULL, *said = NULL;
    for (size_t i = 0; i < matrix->size_count; i++) {
        const char *name = scope_name(template->scope, matrix->sizes[i]);
        *(matrix_setting(template, given, matrix, (enum matrix_size)i) ? &said : &missing) = name;
    }
    if (!said || !missing)
        return true;
    error_set(error, ERROR_INPUT, "size %s of matrix %s is not given, but %s is", missing, matrix->name, said);
    return error_hint(error, "of a matrix of your own say both, else neither");
}

static bool check_complete(const struct template *template, const struct given_sizes *given, struct error *error)
{
    for (size_t i = 0; i < template->matrix_count; i++) {
        const struct matrix_declaration *matrix = &template->matrices[i];
        if (is_own(given, matrix) && !check_whole(template, given, matrix, error))
            return false;
    }
    return true;
}

/* Is there a matrix of this shape with so many entries, so many at most in a row? */
static bool check_matrix(const struct matrix_declaration *matrix, const struct size_setting *entries,
                         const struct size_setting *longest, const struct value *slots, struct error *error)
{
    int64_t rows, columns;
    if (!expr_integer(matrix->rows, slots, &rows, error) || !expr_integer(matrix->columns, slots, &columns, error))
        return false;
    if (rows < 1 || columns < 1 || (entries->value - 1) / columns >= rows)
        return error_set(error, ERROR_INPUT,
                         "size %s is %" PRId64 ", but matrix %s, %" PRId64 " x %" PRId64 ", has no room for so many",
                         entries->name, entries->value, matrix->name, rows, columns);
    if (!longest)
        return true;
    const int64_t most = columns < entries->value ? columns : entries->value;
    if (longest->value > most)
        return error_set(error, ERROR_INPUT,
                         "size %s is %" PRId64 ", but a row of matrix %s has at most %" PRId64 " entries",
                         longest->name, longest->value, matrix->name, most);
    if ((entries->value - 1) / longest->value >= rows)
        return error_set(error, ERROR_INPUT,
                         "size %s is %" PRId64 ", but %" PRId64 " rows of matrix %s have %" PRId64 " entries",
                         longest->name, longest->value, rows, matrix->name, entries->value);
    return true;
}

/* Is it what the template says? That may be a bound that no matrix reaches. */
static bool is_default(const struct template *template, const struct size_setting *setting, const struct value *slots)
{
    size_t index;
    int64_t value;
    return find_size(template, setting->name, &index) &&
           expr_integer(template->sizes[index].value, slots, &value, NULL) && value == setting->value;
}

/* Once all that there is to say of it was said, if anything. */
static bool check_own_matrix(const struct template *template, const struct matrix_declaration *matrix,
                             const struct given_sizes *given, const struct value *slots, struct error *error)
{
    const struct size_setting *entries = matrix_setting(template, given, matrix, MATRIX_ENTRIES);
    const struct size_setting *longest = matrix_setting(template, given, matrix, MATRIX_LONGEST);
    const bool says_more =
        entries && !(is_default(template, entries, slots) && (!longest || is_default(template, longest, slots)));
    return !says_more || check_matrix(matrix, entries, longest, slots, error);
}

static bool check_matrices(const struct template *template, const struct given_sizes *given,
                           const struct value *slots, struct error *error)
{
    for (size_t i = 0; i < template->matrix_count; i++) {
        const struct matrix_declaration *matrix = &template->matrices[i];
        if (is_own(given, matrix) && !check_own_matrix(template, matrix, given, slots, error))
            return false;
    }
    return true;
}

/* What --size says, or a file, or the template; of a program's own matrix, what the program says. */
static bool tune_size(const struct template *template, size_t index, const struct given_sizes *given,
                      const struct value *slots, int64_t *value, struct error *error)
{
    const struct size_declaration *size = &template->sizes[index];
    const struct size_setting *setting = find_setting(given->settings, given->count, size->name);
    *value = 0;
    if ((!setting || size->derived) && !inputs_size(given->inputs, index, value, error))
        return false;
    if (*value == 0 && setting && (!size->derived || given->own_matrices))
        *value = setting->value;
    return (*value != 0 || evaluate_size(size, size->value, slots, value, error)) &&
           check_derived(size, setting, *value, error);
}

size_t sizes_settable(const struct template *template, const struct size_setting *sizes,
                      struct size_setting *settable)
{
    size_t count = 0;
    for (size_t i = 0; i < template->size_count; i++) {
        if (!template->sizes[i].derived)
            settable[count++] = sizes[i];
    }
    return count;
}

/* ---- what the template makes of them ---- */

static bool address_extent(const struct template *template, const struct buffer_declaration *buffer,
                           const struct value *slots, struct error *error)
{
    int64_t extent, bytes;
    if (!expr_integer(buffer->extent, slots, &extent, error))
        return slots_blame(template, NULL, buffer->extent, slots, error);
    if (extent < 0)
        return error_at(error, ERROR_INPUT, expr_place(buffer->extent), "buffer %s has an extent of %" PRId64,
                        buffer->name, extent);
    if (__builtin_mul_overflow(extent, (int64_t)buffer->type->layout->bytes, &bytes))
        return error_at(error, ERROR_INPUT, expr_place(buffer->extent),
                        "buffer %s has %" PRId64 " elements, more than can be addressed", buffer->name, extent);
    return true;
}

/* Do the files of a buffer have what it needs? Its extent can be evaluated. At the tuned size shapes must fit as
 * well, as far as no parameter affects a dimension. */
static bool check_files(const struct template *template, size_t index, const struct inputs *inputs,
                        const struct value *slots, bool tuned, const char *sizes, struct error *error)
{
    const struct buffer_declaration *buffer = &template->buffers[index];
    int64_t extent, *dimensions = NULL;
    bool done = expr_integer(buffer->extent, slots, &extent, error);
    if (done && tuned) {
        dimensions = calloc(buffer->dimension_count, sizeof *dimensions);
        done = dimensions || error_out_of_memory(error);
        for (size_t i = 0; i < buffer->dimension_count && done; i++)
            done = expr_integer(buffer->dimensions[i], slots, &dimensions[i], error);
    }
    for (int expected = 0; expected <= 1 && done; expected++) {
        const struct input *input = inputs_of(inputs, index, expected);
        done = !input || inputs_suffice(inputs, input, index, (uint64_t)extent, dimensions, sizes, error);
    }
    free(dimensions);
    return done;
}

static bool has_files(const struct inputs *inputs, size_t buffer)
{
    return inputs_of(inputs, buffer, false) || inputs_of(inputs, buffer, true);
}

static bool check_data(const struct template *template, struct value *slots, const struct size_setting *sizes,
                       const struct inputs *inputs, bool tuned, struct error *error)
{
    if (inputs_count(inputs) == 0)
        return true;
    char *text = sizes_text(sizes, template->size_count);
    bool done = (text || error_out_of_memory(error)) && inputs_have_shapes(inputs, slots, text, error);
    slots_set_lets(template, NULL, slots);
    for (size_t i = 0; i < template->buffer_count && done; i++) {
        bool depends = true;
        if (!has_files(inputs, i))
            continue;
        done = slots_read_parameters(template, template->buffers[i].extent, &depends, error) &&
               (depends || check_files(template, i, inputs, slots, tuned, text, error));
    }
    free(text);
    return done;
}

/* Refuse sizes that overflow an extent before looking at any configuration. */
static bool check_extents(const struct template *template, struct value *slots, const struct size_setting *sizes,
                          struct error *error)
{
    slots_set_lets(template, NULL, slots);
    for (size_t i = 0; i < template->buffer_count; i++) {
        const struct buffer_declaration *buffer = &template->buffers[i];
        bool depends;
        if (!slots_read_parameters(template, buffer->extent, &depends, error))
            return false;
        if (depends || address_extent(template, buffer, slots, error))
            continue;
        char *text = sizes_text(sizes, template->size_count);
        if (text)
            error_hint(error, "the sizes are %s", text);
        free(text);
        return false;
    }
    return true;
}

static bool tune_sizes(const struct template *template, const struct given_sizes *given, struct value *slots,
                       struct size_setting *tuned, struct error *error)
{
    for (size_t i = 0; i < template->size_count; i++) {
        const struct size_declaration *size = &template->sizes[i];
        tuned[i].name = size->name;
        if (!tune_size(template, i, given, slots, &tuned[i].value, error))
            return false;
        slots[size->slot] = value_integer(tuned[i].value);
    }
    return true;
}

static bool choose_awkward(const struct template *template, const struct size_setting *tuned, struct value *slots,
                           struct size_setting *awkward, struct error *error)
{
    for (size_t i = 0; i < template->size_count; i++) {
        const struct size_declaration *size = &template->sizes[i];
        const struct expr *value = size->derived ? size->value : size->awkward;
        awkward[i] = tuned[i];
        if (value && !evaluate_size(size, value, slots, &awkward[i].value, error))
            return false;
        slots[size->slot] = value_integer(awkward[i].value);
    }
    return true;
}

bool sizes_evaluate(const struct template *template, const struct device_description *device,
                    const struct given_sizes *given, struct size_setting *const sizes[SIZES_COUNT],
                    struct error *error)
{
    const struct inputs *inputs = given->inputs;
    struct value *slots = calloc(scope_count(template->scope) + 1, sizeof *slots);
    if (!slots)
        return error_out_of_memory(error);
    slots_set_device(template->scope, device, slots);
    bool done =
        check_settings(template, given->settings, given->count, error) && check_complete(template, given, error) &&
        tune_sizes(template, given, slots, sizes[SIZES_TUNED], error) &&
        check_matrices(template, given, slots, error) && check_extents(template, slots, sizes[SIZES_TUNED], error) &&
        check_data(template, slots, sizes[SIZES_TUNED], inputs, true, error) &&
        choose_awkward(template, sizes[SIZES_TUNED], slots, sizes[SIZES_AWKWARD], error) &&
        (template->expected_count > 0 || inputs_are_whole(inputs) || inputs_are_spare(inputs) ||
         check_data(template, slots, sizes[SIZES_AWKWARD], inputs, false, error));
    free(slots);
    return done;
}

char *sizes_text(const struct size_setting *sizes, size_t count)
{
    struct text_stream stream;
    if (!text_stream_open(&stream, NULL))
        return NULL;
    for (size_t i = 0; i < count; i++)
        fprintf(stream.out, "%s%s=%" PRId64, i ? "," : "", sizes[i].name, sizes[i].value);
    return text_stream_close(&stream, NULL);
}

/* SPDX-License-Identifier: Apache-2.0 */
/* What the shapes of data files say of sizes, and whether they fit. */
#include "tuner/data/inputs.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Does the file's shape have the buffer's dimensions, and one more for components? */
static bool has_dimensions(const struct input *input, const struct buffer_declaration *buffer)
{
    const struct npy *npy = &input->file->npy;
    size_t items = input->is_dense ? 1 : buffer->type->layout->leaf_count / input->per_item,
           rank = buffer->dimension_count;
    if (!input->file->is_npy && !input->is_dense)
        return false;
    return items == 1 ? npy->rank == rank : npy->rank == rank + 1 && npy->shape[rank] == items;
}

/* How long dimension `index` of the buffer is in the file; 0: the file does not say. */
static uint64_t length_of(const struct input *input, const struct buffer_declaration *buffer, size_t index)
{
    if (has_dimensions(input, buffer))
        return input->file->npy.shape[index];
    return buffer->dimension_count == 1 ? input->count : 0;
}

static bool names(const struct expr *expr, size_t slot)
{
    size_t named;
    return expr_is_name(expr, &named) && named == slot;
}

/* Of a matrix: its rows, its columns, or all of a buffer that is part of it. */
static uint64_t matrix_length_named(const struct inputs *inputs, const struct input *input, size_t slot)
{
    const struct matrix_declaration *matrix = input->matrix;
    if (names(matrix->rows, slot) || names(matrix->columns, slot))
        return names(matrix->rows, slot) ? input->rows : input->columns;
    for (size_t i = 0; i < matrix->part_count; i++) {
        const struct buffer_declaration *buffer = &inputs->template->buffers[matrix->parts[i]];
        if (buffer->dimension_count == 1 && names(buffer->extent, slot))
            return input_count(input, matrix->parts[i]);
    }
    return 0;
}

/* What a matrix has that a derived size says of it; 0: the size is not of this matrix. */
static uint64_t derived_value(const struct input *input, size_t slot)
{
    const uint64_t values[MATRIX_SIZES] = {[MATRIX_ENTRIES] = input->entries, [MATRIX_LONGEST] = input->longest};
    for (size_t i = 0; i < MATRIX_SIZES; i++) {
        if (input->matrix && i < input->matrix->size_count && input->matrix->sizes[i] == slot)
            return values[i];
    }
    return 0;
}

/* The length of the dimension that is this size and nothing else; 0: none is. */
static uint64_t length_named(const struct inputs *inputs, const struct input *input, size_t slot)
{
    if (input->matrix)
        return matrix_length_named(inputs, input, slot);
    const struct buffer_declaration *buffer = &inputs->template->buffers[input->buffer];
    for (size_t i = 0; i < buffer->dimension_count; i++) {
        if (names(buffer->dimensions[i], slot))
            return length_of(input, buffer, i);
    }
    return 0;
}

bool inputs_size(const struct inputs *inputs, size_t size, int64_t *value, struct error *error)
{
    const struct input *first = NULL;
    *value = 0;
    for (size_t i = 0; i < inputs_count(inputs); i++) {
        const struct input *input = &inputs->list[i];
        const struct size_declaration *declaration = &inputs->template->sizes[size];
        uint64_t length = declaration->derived ? derived_value(input, declaration->slot)
                                               : length_named(inputs, input, declaration->slot);
        if (length == 0 || length > INT64_MAX)
            continue;
        if (first && (int64_t)length != *value) {
            error_set(error, ERROR_INPUT, "size %s is %" PRId64 " by the shape of %s, but %" PRIu64 " by that of %s",
                      declaration->name, *value, first->name, length, input->name);
            error_hint(error, "say which: --size %s=%" PRId64, declaration->name,
                       *value < (int64_t)length ? *value : (int64_t)length);
            return input_blame(input, error);
        }
        first = first ? first : input;
        *value = (int64_t)length;
    }
    return true;
}

/* "12 x 34" */
static void shape_text(const struct npy *npy, char text[128])
{
    size_t length = 0;
    text[0] = '\0';
    for (size_t i = 0; i < npy->rank && length < 128; i++)
        length += (size_t)snprintf(text + length, 128 - length, "%s%" PRIu64, i ? " x " : "", npy->shape[i]);
}

/* Rows may be left over at the end, but what is inside a row must not move. */
static bool check_shape(const struct input *input, const struct buffer_declaration *buffer, const int64_t *dimensions,
                        const char *size_text, struct error *error)
{
    const struct npy *npy = &input->file->npy;
    if (!has_dimensions(input, buffer))
        return true;
    for (size_t i = input->expected ? 0 : 1; i < buffer->dimension_count; i++) {
        if (npy->shape[i] == (uint64_t)dimensions[i])
            continue;
        char shape[128];
        shape_text(npy, shape);
        error_set(error, ERROR_INPUT, "%s has the shape %s, but dimension %zu of %s is %" PRId64 " at size %s",
                  input->name, shape, i + 1, buffer->name, dimensions[i], size_text);
        error_hint(error, "for its first elements whatever their shape, write the extent of %s as one product",
                   buffer->name);
        return input_blame(input, error);
    }
    return true;
}

/* A matrix makes sense as a whole. Buffers of entries may be longer than it needs, since their use is known from the
 * starts or from a size; what is behind them is 0. */
static bool check_part(const struct input *input, const struct buffer_declaration *buffer, size_t index,
                       uint64_t extent, const char *size_text, struct error *error)
{
    uint64_t count = input_count(input, index);
    bool exact = input_array(input, index) == MATRIX_STARTS;
    if (exact ? count == extent : count <= extent)
        return true;
    error_set(error, ERROR_INPUT, "%s has %" PRIu64 " %s, but %s has %" PRIu64 " elements at size %s", input->name,
              count, exact ? "starts of rows, the end included" : "entries", buffer->name, extent, size_text);
    error_hint(error, "sizes that --size gives do not come from the file; a buffer's extent that is one size does");
    return input_blame(input, error);
}

bool inputs_have_shapes(const struct inputs *inputs, const struct value *slots, const char *size_text,
                        struct error *error)
{
    for (size_t i = 0; i < inputs_count(inputs); i++) {
        const struct input *input = &inputs->list[i];
        const struct matrix_declaration *matrix = input->matrix;
        int64_t rows, columns;
        if (!matrix)
            continue;
        if (!expr_integer(matrix->rows, slots, &rows, error) ||
            !expr_integer(matrix->columns, slots, &columns, error))
            return false;
        if (rows == (int64_t)input->rows && columns == (int64_t)input->columns)
            continue;
        error_set(error, ERROR_INPUT,
                  "%s has %" PRIu64 " rows and %" PRIu64 " columns, but %s has %" PRId64 " and %" PRId64
                  " at size %s",
                  input->name, input->rows, input->columns, matrix->name, rows, columns, size_text);
        error_hint(error, "leave to the file what it knows: rows and columns without --size");
        return input_blame(input, error);
    }
    return true;
}

bool inputs_suffice(const struct inputs *inputs, const struct input *input, size_t index, uint64_t extent,
                    const int64_t *dimensions, const char *size_text, struct error *error)
{
    const struct buffer_declaration *buffer = &inputs->template->buffers[index];
    if (input->matrix)
        return check_part(input, buffer, index, extent, size_text, error);
    if (input->count < extent || (input->expected && input->count != extent)) {
        error_set(error, ERROR_INPUT, "%s has %" PRIu64 " elements, but %s has %" PRIu64 " at size %s", input->name,
                  input->count, buffer->name, extent, size_text);
        if (input->expected)
            error_hint(error, "expected values in a file hold for one size only");
        else
            error_hint(error, "a longer file will do, too: its first elements are used");
        return input_blame(input, error);
    }
    return !dimensions || check_shape(input, buffer, dimensions, size_text, error);
}

bool inputs_are_spare(const struct inputs *inputs)
{
    for (size_t i = 0; i < inputs_count(inputs); i++) {
        const struct input *input = &inputs->list[i];
        if (!input->overrides || input->matrix || inputs->template->buffers[input->buffer].initial == INITIAL_FILE)
            return false;
    }
    return true;
}

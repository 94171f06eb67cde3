/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/data/input_matrix.h"

#include <inttypes.h>
#include <string.h>

enum matrix_array input_array(const struct input *input, size_t buffer)
{
    static const enum matrix_array arrays[][MATRIX_PARTS] = {
        [MATRIX_CSR] = {MATRIX_STARTS, MATRIX_COLUMNS, MATRIX_VALUES},
        [MATRIX_COO] = {MATRIX_ROWS, MATRIX_COLUMNS, MATRIX_VALUES},
    };
    for (size_t i = 0; input->matrix && i < input->matrix->part_count; i++) {
        if (input->matrix->parts[i] == buffer)
            return arrays[input->matrix->format][i];
    }
    return input->is_dense && input->buffer == buffer ? MATRIX_DENSE : MATRIX_NONE;
}

uint64_t input_count(const struct input *input, size_t buffer)
{
    if (!input->matrix)
        return input->count;
    return input_array(input, buffer) == MATRIX_STARTS ? input->rows + 1 : input->entries;
}

bool inputs_give(const struct inputs *inputs, const struct given_declaration *given)
{
    if (!given->of_matrix)
        return inputs_of(inputs, given->index, false) != NULL;
    for (size_t i = 0; i < inputs_count(inputs); i++) {
        if (inputs->list[i].matrix == &inputs->template->matrices[given->index])
            return true;
    }
    return false;
}

bool inputs_are_whole(const struct inputs *inputs)
{
    for (size_t i = 0; i < inputs_count(inputs); i++) {
        if (inputs->list[i].matrix || inputs->list[i].expected)
            return true;
    }
    return false;
}

/* Read it once to the end. */
static bool read_matrix(const struct input *input, enum element element, size_t numbers,
                        struct sparse_matrix **matrix, struct error *error)
{
    const struct data_file *file = input->file;
    const struct data_part part = {file->path, file->stamp, 0, file->bytes, 1, 0, 0};
    return matrix_read(&part, input->name, element, numbers, matrix, error) || input_blame(input, error);
}

/* The greatest value of an integer type. */
static uint64_t greatest(enum element element)
{
    return UINT64_MAX >> (64 - 8 * element_types[element].bytes + element_types[element].is_signed);
}

static bool check_index(const struct template *template, const struct input *input, size_t part, uint64_t most,
                        struct error *error)
{
    const struct buffer_declaration *buffer = &template->buffers[input->matrix->parts[part]];
    if (most <= greatest(buffer->type->layout->leaves[0].element))
        return true;
    error_set(error, ERROR_INPUT, "%s needs numbers up to %" PRIu64 " in %s, which is of type %s", input->name, most,
              buffer->name, buffer->type->layout->name);
    return input_blame(input, error);
}

bool input_read_matrix(const struct template *template, struct input *input, struct error *error)
{
    const struct matrix_declaration *declaration = input->matrix;
    bool has_values = declaration->part_count > 2;
    const struct layout *values = has_values ? template->buffers[declaration->parts[2]].type->layout : NULL;
    struct sparse_matrix *matrix;
    if (!read_matrix(input, values ? values->leaves[0].element : ELEMENT_DOUBLE, values ? values->leaf_count : 0,
                     &matrix, error))
        return false;
    input->rows = matrix->rows;
    input->columns = matrix->columns;
    input->entries = matrix->count;
    input->longest = matrix_longest(matrix);
    matrix_free(matrix);
    if (input->entries == 0) {
        error_set(error, ERROR_INPUT, "%s has no entries", input->name);
        return input_blame(input, error);
    }
    return check_index(template, input, 0, declaration->format == MATRIX_CSR ? input->entries : input->rows - 1,
                       error) &&
           check_index(template, input, 1, input->columns - 1, error);
}

bool input_read_dense(struct input *input, const struct buffer_declaration *buffer, struct error *error)
{
    const struct layout *layout = buffer->type->layout;
    struct npy *npy = &input->file->npy;
    struct sparse_matrix *matrix;
    if (!layout_is_array(layout) || layout->leaf_count > 2) {
        error_set(error, ERROR_INPUT, "%s has numbers, but %s is of type %s", input->name, buffer->name,
                  layout->name);
        return input_blame(input, error);
    }
    enum element element = input->expected ? ELEMENT_DOUBLE : layout->leaves[0].element;
    if (!read_matrix(input, element, layout->leaf_count, &matrix, error))
        return false;
    input->per_item = layout->leaf_count;
    input->element = element;
    input->count = matrix->rows * matrix->columns;
    npy->rank = matrix->columns > 1 ? 2 : 1; /* a column is a vector */
    npy->shape[0] = matrix->rows;
    npy->shape[1] = matrix->columns;
    matrix_free(matrix);
    return true;
}

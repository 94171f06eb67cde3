/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/measure/data_load.h"

#include "tuner/data/data_file.h"
#include "tuner/data/numbers.h"

#include <stdlib.h>
#include <string.h>

/* Where the next piece goes. */
struct target {
    struct validation_kernels *validation;
    uint64_t address;
    const struct layout *layout; /* of the elements, if the file has those */
    enum element element;        /* of its numbers */
};

static bool take_elements(const void *piece, size_t bytes, void *context, struct error *error)
{
    struct target *target = context;
    const struct validation_kernels *validation = target->validation;
    if (!validation->driver->upload(validation->device, target->address, piece, bytes, error))
        return false;
    target->address += bytes;
    return true;
}

static bool load_part(struct validation_kernels *validation, const struct job_data *data,
                      const struct instance_buffer *buffer, struct error *error)
{
    size_t item = buffer->layout->bytes, bytes = (size_t)buffer->extent * item;
    struct target target = {.validation = validation, .address = buffer->memory.address};
    const struct data_part part = {data->path, data->stamp, data->offset, bytes, item, data->all, data->hash};
    return data_read(&part, take_elements, &target, error);
}

/* ---- matrices ---- */

static bool read_matrix(const struct job_data *data, enum element element, size_t numbers,
                        struct sparse_matrix **matrix, struct error *error)
{
    const struct data_part part = {data->path, data->stamp, 0, data->all, 1, data->all, data->hash};
    return matrix_read(&part, data->name, element, numbers, matrix, error);
}

static bool has_values(const struct job_data *data)
{
    return data->array == MATRIX_VALUES || data->array == MATRIX_DENSE;
}

/* The buffer that decides what is kept of the values: the one that has them, or will have. */
static size_t find_values(const struct job_case *job_case, size_t index)
{
    const struct job_data *wanted = job_data_of(job_case, index);
    for (size_t i = 0; i < job_case->buffer_count && !has_values(wanted); i++) {
        const struct job_data *data = job_data_of(job_case, i);
        if (data && data->array == MATRIX_VALUES && strcmp(data->path, wanted->path) == 0)
            return i;
    }
    return index;
}

static bool use_matrix(struct data_loading *loading, size_t index, struct error *error)
{
    const struct job_case *job_case = loading->job_case;
    const struct job_data *data = job_data_of(job_case, index);
    bool is_same = loading->matrix && strcmp(job_data_of(job_case, loading->values)->path, data->path) == 0;
    if (is_same && (!has_values(data) || loading->values == index))
        return true;
    data_load_end(loading);
    loading->values = find_values(job_case, index);
    const struct layout *layout = job_case->buffers[loading->values].layout;
    size_t numbers = has_values(job_data_of(job_case, loading->values)) ? layout->leaf_count : 0;
    return read_matrix(data, layout->leaves[0].element, numbers, &loading->matrix, error);
}

void data_load_end(struct data_loading *loading)
{
    matrix_free(loading->matrix);
    loading->matrix = NULL;
}

static bool load_array(struct validation_kernels *validation, struct data_loading *loading, size_t index,
                       const struct instance_buffer *buffer, struct error *error)
{
    struct target target = {.validation = validation, .address = buffer->memory.address};
    enum matrix_array array = job_data_of(loading->job_case, index)->array;
    return use_matrix(loading, index, error) && matrix_take(loading->matrix, array, buffer->layout->leaves[0].element,
                                                            buffer->extent, take_elements, &target, error);
}

bool data_load_initial(struct validation_kernels *validation, struct data_loading *loading, size_t index,
                       struct instance_buffer *buffer, struct error *error)
{
    const struct device_driver *driver = validation->driver;
    const struct job_data *data = job_data_of(loading->job_case, index);
    size_t bytes = (size_t)instance_buffer_bytes(buffer);
    if (data->array != MATRIX_NONE ? !load_array(validation, loading, index, buffer, error)
                                   : !load_part(validation, data, buffer, error))
        return false;
    if (!driver->allocate(validation->device, bytes ? bytes : 1, &buffer->copy, error)) {
        buffer->copy = 0;
        return false;
    }
    return bytes == 0 || driver->copy(validation->device, buffer->copy, buffer->memory.address, bytes, error);
}

/* ---- expected values ---- */

/* The numbers of elements that lie in the file as they do in a buffer. */
static void numbers_of_records(const struct layout *layout, const char *piece, size_t count, double *numbers)
{
    for (size_t i = 0; i < count; i++) {
        for (size_t leaf = 0; leaf < layout->leaf_count; leaf++)
            numbers_to_double(layout->leaves[leaf].element, piece + i * layout->bytes + layout->leaves[leaf].offset,
                              1, numbers++);
    }
}

static bool take_numbers(const void *piece, size_t bytes, void *context, struct error *error)
{
    struct target *target = context;
    const struct layout *layout = target->layout;
    size_t count = layout ? bytes / layout->bytes * layout->leaf_count : bytes / element_types[target->element].bytes;
    double *numbers = calloc(count, sizeof *numbers);
    if (!numbers)
        return error_out_of_memory(error);
    if (layout)
        numbers_of_records(layout, piece, bytes / layout->bytes, numbers);
    else
        numbers_to_double(target->element, piece, count, numbers);
    bool done = take_elements(numbers, count * sizeof *numbers, target, error);
    free(numbers);
    return done;
}

static bool load_dense(struct validation_kernels *validation, const struct job_data *data,
                       const struct instance_buffer *buffer, struct error *error)
{
    struct target target = {.validation = validation, .address = buffer->reference};
    struct sparse_matrix *matrix;
    if (!read_matrix(data, ELEMENT_DOUBLE, buffer->layout->leaf_count, &matrix, error))
        return false;
    bool done = matrix_take(matrix, MATRIX_DENSE, ELEMENT_DOUBLE, data->count, take_elements, &target, error);
    matrix_free(matrix);
    return done;
}

bool data_load_expected(struct validation_kernels *validation, const struct job_data *data,
                        const struct instance_buffer *buffer, struct error *error)
{
    const struct layout *layout = buffer->layout;
    if (data->array == MATRIX_DENSE)
        return load_dense(validation, data, buffer, error);
    struct target target = {.validation = validation,
                            .address = buffer->reference,
                            .layout = data->records ? layout : NULL,
                            .element = data->element};
    size_t item = data->records ? layout->bytes : element_types[data->element].bytes;
    uint64_t items = data->records ? data->count : data->count * layout->leaf_count;
    const struct data_part part = {data->path, data->stamp, data->offset, items * item, item, data->all, data->hash};
    return data_read(&part, take_numbers, &target, error);
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/measure/data_load.h"

#include "tuner/data/data_file.h"
#include "tuner/data/numbers.h"

#include <stdlib.h>

/* Where the next piece goes. */
struct loading {
    struct validation_kernels *validation;
    uint64_t address;
    const struct layout *layout; /* of the elements, if the file has those */
    enum element element;        /* of its numbers */
};

static bool take_elements(const void *piece, size_t bytes, void *context, struct error *error)
{
    struct loading *loading = context;
    const struct validation_kernels *validation = loading->validation;
    if (!validation->driver->upload(validation->device, loading->address, piece, bytes, error))
        return false;
    loading->address += bytes;
    return true;
}

bool data_load_initial(struct validation_kernels *validation, const struct job_data *data,
                       struct instance_buffer *buffer, struct error *error)
{
    const struct device_driver *driver = validation->driver;
    size_t item = buffer->layout->bytes, bytes = (size_t)buffer->extent * item;
    struct loading loading = {.validation = validation, .address = buffer->memory.address};
    const struct data_part part = {data->path, data->stamp, data->offset, bytes, item, data->all, data->hash};
    if (!data_read(&part, take_elements, &loading, error))
        return false;
    if (!driver->allocate(validation->device, bytes ? bytes : 1, &buffer->copy, error)) {
        buffer->copy = 0;
        return false;
    }
    return bytes == 0 || driver->copy(validation->device, buffer->copy, buffer->memory.address, bytes, error);
}

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
    struct loading *loading = context;
    const struct layout *layout = loading->layout;
    size_t count =
        layout ? bytes / layout->bytes * layout->leaf_count : bytes / element_types[loading->element].bytes;
    double *numbers = calloc(count, sizeof *numbers);
    if (!numbers)
        return error_out_of_memory(error);
    if (layout)
        numbers_of_records(layout, piece, bytes / layout->bytes, numbers);
    else
        numbers_to_double(loading->element, piece, count, numbers);
    bool done = take_elements(numbers, count * sizeof *numbers, loading, error);
    free(numbers);
    return done;
}

bool data_load_expected(struct validation_kernels *validation, const struct job_data *data,
                        const struct instance_buffer *buffer, struct error *error)
{
    const struct layout *layout = buffer->layout;
    struct loading loading = {.validation = validation,
                              .address = buffer->reference,
                              .layout = data->records ? layout : NULL,
                              .element = data->element};
    size_t item = data->records ? layout->bytes : element_types[data->element].bytes;
    uint64_t items = data->records ? data->count : data->count * layout->leaf_count;
    const struct data_part part = {data->path, data->stamp, data->offset, items * item, item, data->all, data->hash};
    return data_read(&part, take_numbers, &loading, error);
}

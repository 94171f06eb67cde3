/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/job/data.h"

#include <stdlib.h>
#include <string.h>

static bool set_data(const struct lowering *lowering, const struct job_case *now, const struct input *input,
                     size_t index, struct job_data *data)
{
    const uint64_t extent = now->buffers[index].extent;
    const struct data_file *file = input->file;
    if (!inputs_suffice(lowering->inputs, input, index, extent, NULL, now->size_text, lowering->error) ||
        !data_file_hash(input->file, &data->hash, lowering->error))
        return false;
    data->path = strdup(file->path);
    data->name = strdup(input->name);
    data->offset = file->offset;
    data->count = extent;
    data->stamp = file->stamp;
    data->all = file->bytes;
    data->records = input->records;
    data->element = input->element;
    data->array = input_array(input, index);
    return (data->path && data->name) || lowering_out_of_memory(lowering);
}

bool data_lower_initial(const struct lowering *lowering, struct job_case *now, size_t index)
{
    const struct template *template = lowering->template;
    const struct input *input = inputs_of(lowering->inputs, index, false);
    if (!input)
        return true;
    if (!now->data)
        now->data = calloc(template->buffer_count + 1, sizeof *now->data);
    if (!now->data)
        return lowering_out_of_memory(lowering);
    now->buffers[index].initial = INITIAL_FILE;
    return set_data(lowering, now, input, index, &now->data[index]);
}

bool data_lower_expected(const struct lowering *lowering, const struct job_case *now, size_t index,
                         struct job_check *check)
{
    const struct template *template = lowering->template;
    const struct input *input = inputs_of(lowering->inputs, index, true);
    for (size_t i = 0; !input && i < template->expected_count; i++) {
        if (template->expected[i].buffer == index)
            return error_at(lowering->error, ERROR_INPUT, template->expected[i].place,
                            "the file with the expected values of %s has not been read",
                            template->buffers[index].name);
    }
    return !input || set_data(lowering, now, input, index, &check->expected);
}

bool data_reaches(const struct lowering *lowering)
{
    const struct inputs *inputs = lowering->inputs;
    struct lowering quiet = *lowering;
    quiet.error = NULL; /* what cannot be evaluated is refused later */
    for (size_t i = 0; inputs_are_spare(inputs) && i < inputs_count(inputs); i++) {
        const struct input *input = &inputs->list[i];
        int64_t extent;
        if (lowering_integer(&quiet, lowering->template->buffers[input->buffer].extent, 0, &extent) && extent > 0 &&
            (uint64_t)extent > input->count)
            return false;
    }
    return true;
}

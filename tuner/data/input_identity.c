/* SPDX-License-Identifier: Apache-2.0 */
/* What data files hold, as the identity of a problem and for people. */
#include "tuner/data/inputs.h"

#include "tuner/error/text_stream.h"

#include <inttypes.h>
#include <stdlib.h>

/* The type of expected values is the file's own: the same bytes are other numbers in another one. */
static bool hash_of(const struct input *input, uint64_t *hash, struct error *error)
{
    if (!data_file_hash(input->file, hash, error))
        return false;
    if (input->expected)
        *hash ^= (uint64_t)(input->records ? 0 : input->element + 1) * UINT64_C(0x9e3779b97f4a7c15);
    return true;
}

/* One of the two texts, allocated. */
static char *list_files(const struct inputs *inputs, bool names, struct error *error)
{
    struct text_stream stream;
    bool done = true;
    if (!text_stream_open(&stream, error))
        return NULL;
    for (size_t i = 0; i < inputs->count && done; i++) {
        const struct input *input = &inputs->list[i];
        const char *buffer = input->matrix ? input->matrix->name : inputs->template->buffers[input->buffer].name;
        uint64_t hash = 0;
        done = hash_of(input, &hash, error);
        fprintf(stream.out, "%s%s%s%s", i ? names ? ", " : "," : "", input->expected ? "ref(" : "", buffer,
                input->expected ? ")" : "");
        fprintf(stream.out, names ? " = %s (%016" PRIx64 ")" : "=%.0s%016" PRIx64, input->name, hash);
    }
    char *text = text_stream_close(&stream, done ? error : NULL);
    if (done)
        return text;
    free(text);
    return NULL;
}

bool inputs_identify(struct inputs *inputs, const char **held, const char **named, struct error *error)
{
    *held = *named = "";
    if (inputs_count(inputs) == 0)
        return true;
    if (!inputs->held)
        inputs->held = list_files(inputs, false, error);
    if (inputs->held && !inputs->named)
        inputs->named = list_files(inputs, true, error);
    if (!inputs->held || !inputs->named)
        return false;
    *held = inputs->held;
    *named = inputs->named;
    return true;
}

bool inputs_same(const struct inputs *inputs, struct error *error)
{
    for (size_t i = 0; i < inputs_count(inputs); i++) {
        if (!data_file_same(inputs->list[i].file, error))
            return input_blame(&inputs->list[i], error);
    }
    return true;
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/job/unrolling.h"

#include <stdlib.h>
#include <string.h>

const struct job_buffer *unrolling_buffer(const struct unrolling *unrolling, size_t name, size_t *buffer)
{
    *buffer = unrolling->names[name];
    return &unrolling->now->buffers[*buffer];
}

struct job_step *unrolling_append(const struct unrolling *unrolling, struct step_list *list, enum job_step_kind kind)
{
    if (list->count == list->capacity) {
        size_t capacity = list->capacity ? list->capacity * 2 : 4;
        struct job_step *steps = realloc(list->steps, capacity * sizeof *steps);
        if (!steps) {
            lowering_out_of_memory(unrolling->lowering);
            return NULL;
        }
        list->steps = steps;
        list->capacity = capacity;
    }
    struct job_step *step = &list->steps[list->count++];
    memset(step, 0, sizeof *step);
    step->kind = kind;
    return step;
}

bool unrolling_may_write(const struct unrolling *unrolling, const struct statement *statement,
                         const struct job_buffer *buffer)
{
    if (buffer->role != BUFFER_IN || unrolling->makes_inputs)
        return true;
    error_at(unrolling->lowering->error, ERROR_INPUT, statement->place, "buffer %s is an input and cannot be written",
             buffer->name);
    return error_hint(unrolling->lowering->error, "declare it inout or temp, or write it in the setup");
}

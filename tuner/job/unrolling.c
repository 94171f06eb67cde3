/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/job/unrolling.h"

#include "tuner/job/late.h"

#include <stdlib.h>
#include <string.h>

const struct job_buffer *unrolling_buffer(const struct unrolling *unrolling, size_t name, struct place place,
                                          size_t *buffer)
{
    const struct lowering *lowering = unrolling->lowering;
    *buffer = unrolling->names[name];
    const struct job_buffer *result = &unrolling->now->buffers[*buffer];
    bool before = unrolling->part == PART_SETUP || unrolling->part == PART_REFERENCE; /* of all configurations */
    if (!job_is_late(unrolling->now, *buffer) || (lowering->late->made[*buffer] && !before))
        return result;
    error_at(lowering->error, ERROR_INPUT, place, "the extent of %s depends on counts and is not known here",
             result->name);
    error_hint(lowering->error, "a setup or prepare block must read these first; setup and reference cannot use %s",
               result->name);
    return NULL;
}

void unrolling_set(const struct unrolling *unrolling, size_t slot, struct value value)
{
    unrolling->lowering->slots[slot] = value;
    if (unrolling->lowering->late)
        unrolling->lowering->late->known[slot] = false;
}

bool unrolling_spend(struct unrolling *unrolling, const struct statement *statement)
{
    if (++unrolling->spent <= STEPS_LIMIT)
        return true;
    error_at(unrolling->lowering->error, ERROR_INPUT, statement->place, "the sequence has more than %d steps",
             STEPS_LIMIT);
    return error_hint(unrolling->lowering->error, "loops are unrolled; do more work per launch");
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
    if (buffer->role != BUFFER_IN || unrolling->part == PART_SETUP)
        return true;
    error_at(unrolling->lowering->error, ERROR_INPUT, statement->place, "buffer %s is an input and cannot be written",
             buffer->name);
    return error_hint(unrolling->lowering->error, "declare it inout or temp, or write it in the setup");
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/job/step_host.h"

#include <string.h>

/* Setup, verify and reference have sources of their own, which say what is right and are not timed. */
static bool check_part(const struct unrolling *unrolling, const struct statement *statement)
{
    const enum part part = unrolling->part;
    if (part == PART_PREPARE || part == PART_LAUNCH || part == PART_FINISH)
        return true;
    error_at(unrolling->lowering->error, ERROR_INPUT, statement->place, "kernel %s cannot run on the host here",
             statement->name);
    return error_hint(unrolling->lowering->error, "prepare, launch and finish have launches on the host");
}

static bool check_buffer(const struct unrolling *unrolling, const struct job_argument *argument, struct place place)
{
    const struct job_buffer *buffer = &unrolling->now->buffers[argument->buffer];
    if (buffer->role == BUFFER_TEMP || buffer->role == BUFFER_SCRATCH)
        return true;
    error_at(unrolling->lowering->error, ERROR_INPUT, place,
             "%s stays on the device; the host takes temp and scratch buffers", buffer->name);
    return error_hint(unrolling->lowering->error, "copy it into one, or back: copy host_%s <- %s", buffer->name,
                      buffer->name);
}

static bool check_argument(const struct unrolling *unrolling, const struct job_argument *argument, struct place place)
{
    switch (argument->kind) {
    case ARGUMENT_TEXTURE:
    case ARGUMENT_SURFACE:
        return error_at(unrolling->lowering->error, ERROR_INPUT, place,
                        "textures and surfaces stay on the device; the host takes temp and scratch buffers");
    case ARGUMENT_SCALAR:
        return true;
    case ARGUMENT_COMPOUND:
        for (size_t i = 0; i < argument->compound->pointer_count; i++) {
            if (!check_buffer(unrolling, &argument->compound->pointers[i], place))
                return false;
        }
        return true;
    default:
        return check_buffer(unrolling, argument, place);
    }
}

bool step_host_lower(const struct unrolling *unrolling, const struct statement *statement,
                     const struct job_step *step)
{
    const struct lowering *lowering = unrolling->lowering;
    const struct launch_attributes *attributes = &statement->attributes;
    bool on_host;
    if (!attributes->host)
        return true;
    if (!lowering_truth(lowering, attributes->host_if, true, &on_host))
        return false;
    if (on_host && !check_part(unrolling, statement))
        return false;
    for (size_t i = 0; on_host && i < step->argument_count; i++) {
        if (!check_argument(unrolling, &step->arguments[i], statement->arguments[i].place))
            return false;
    }
    if (!on_host || strcmp(lowering->device->kind, "cpu") == 0)
        return true;
    return error_at(lowering->error, ERROR_RESOURCES, statement->place,
                    "kernel %s runs on the host, which only the CPU device has launches for", statement->name);
}

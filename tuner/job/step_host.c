/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/job/step_host.h"

#include <stdlib.h>
#include <string.h>

static bool is_host(const struct lowering *lowering)
{
    return strcmp(lowering->device->kind, "cpu") == 0;
}

/* Is such a buffer the configuration's, so that nothing else has to find it in the device's memory? */
static bool role_is_own(enum buffer_role role)
{
    return role == BUFFER_TEMP || role == BUFFER_SCRATCH;
}

static bool runs_on_host(const struct lowering *lowering, const struct launch_attributes *attributes, bool *on_host)
{
    *on_host = false;
    return !attributes->host || lowering_truth(lowering, attributes->host_if, true, on_host);
}

bool step_host_choose(const struct unrolling *unrolling, const struct statement *statement, const char **before)
{
    bool on_host;
    if (!runs_on_host(unrolling->lowering, &statement->attributes, &on_host))
        return false;
    *before = on_host && !is_host(unrolling->lowering) ? HOST_KERNEL : "";
    return true;
}

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
    unrolling->lowering->hosted[argument->buffer] = !is_host(unrolling->lowering);
    if (role_is_own(buffer->role))
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
    bool on_host;
    if (!runs_on_host(unrolling->lowering, &statement->attributes, &on_host) ||
        (on_host && !check_part(unrolling, statement)))
        return false;
    for (size_t i = 0; on_host && i < step->argument_count; i++) {
        if (!check_argument(unrolling, &step->arguments[i], statement->arguments[i].place))
            return false;
    }
    return true;
}

bool step_host_place(const struct lowering *lowering, struct job_case *now)
{
    for (size_t i = 0; i < now->buffer_count; i++) {
        const struct job_buffer *buffer = &now->buffers[i];
        if (!lowering->hosted[i])
            continue;
        if (!now->host && !(now->host = calloc(now->buffer_count, sizeof *now->host)))
            return lowering_out_of_memory(lowering);
        now->host[i] = true;
        if (!lowering->moved[i] && role_is_own(buffer->role))
            continue;
        error_at(lowering->error, ERROR_INPUT, lowering->template->buffers[i].place,
                 "the host takes %s, which is swapped with another buffer", buffer->name);
        return error_hint(lowering->error, "a buffer of the host's must stay that; copy instead");
    }
    return true;
}

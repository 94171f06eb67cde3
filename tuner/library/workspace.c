/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/library/workspace.h"

#include "tuner/measure/instance_run.h"
#include "tuner/measure/step_use.h"
#include "tuner/measure/textures.h"

#include <stdlib.h>
#include <string.h>

static bool is_used(const struct job_case *one, size_t buffer)
{
    return steps_use_buffer(&one->prepare, buffer) || steps_use_buffer(&one->launch, buffer) ||
           steps_use_buffer(&one->finish, buffer);
}

static bool open_buffer(const struct code *code, struct workspace *workspace, size_t index, struct error *error)
{
    const struct job_case *one = code_case(code);
    const struct job_buffer *wanted = &one->buffers[index];
    struct instance_buffer *buffer = &workspace->instance.buffers[index];
    *buffer = (struct instance_buffer){.layout = wanted->layout,
                                       .name = wanted->name,
                                       .role = wanted->role,
                                       .extent = wanted->extent,
                                       .memory = {.host = job_is_hosted(one, index)},
                                       .home = index};
    if (wanted->role == BUFFER_SCRATCH && !filling_of_buffer(wanted, index, code->job->seed, &buffer->filling, error))
        return false;
    const bool own = workspace->passed->of[index] == PASSED_NONE && !job_is_late(one, index) && is_used(one, index);
    return !own || instance_allocate_bare(&workspace->filler, &workspace->instance, index, wanted->extent, error);
}

bool workspace_open(const struct code *code, struct device *view, const struct passed *passed,
                    struct workspace *workspace, struct error *error)
{
    const struct job_case *one = code_case(code);
    struct instance *instance = &workspace->instance;
    *workspace = (struct workspace){.filler = code->filler, .passed = passed, .initial = one->buffers};
    workspace->filler.device = view;
    instance->bare = true;
    instance->buffers = calloc(one->buffer_count + 1, sizeof *instance->buffers);
    if (!instance->buffers)
        return error_out_of_memory(error);
    if (!instance_grow_values(instance, code->job->name_count, error))
        return false;
    for (; instance->buffer_count < one->buffer_count; instance->buffer_count++) {
        if (!open_buffer(code, workspace, instance->buffer_count, error))
            return false;
    }
    return true;
}

void workspace_clear(struct workspace *workspace)
{
    struct instance *instance = &workspace->instance;
    if (workspace->filler.device)
        textures_clear(&workspace->filler, &workspace->textures);
    for (size_t i = 0; i < instance->buffer_count; i++)
        instance_release_bare(&workspace->filler, &instance->buffers[i]);
    free(instance->buffers);
    free(instance->values);
    free(instance->early);
    free(instance->found);
    *workspace = (struct workspace){0};
}

uint64_t workspace_bytes(const struct workspace *workspace)
{
    uint64_t bytes = 0;
    for (size_t i = 0; i < workspace->instance.buffer_count; i++) {
        const struct guarded *memory = &workspace->instance.buffers[i].memory;
        bytes += memory->allocation ? memory->capacity : 0;
    }
    return bytes;
}

/* The buffer that has the memory of another at present, or its own. */
static struct instance_buffer *guest_of(const struct instance *instance, size_t index)
{
    size_t i = 0;
    while (instance->buffers[i].home != index)
        i++;
    return &instance->buffers[i];
}

void workspace_bind(struct workspace *workspace, const struct tune_buffer *buffers, bool goes_on)
{
    struct instance *instance = &workspace->instance;
    instance->textures = &workspace->textures;
    if (!goes_on)
        instance_go_home(instance);
    for (size_t i = 0; i < workspace->passed->count; i++)
        guest_of(instance, workspace->passed->list[i].memory)->memory.address =
            (uint64_t)(uintptr_t)buffers[i].address;
}

bool workspace_begin(struct workspace *workspace, const struct job_steps *steps, struct error *error)
{
    struct instance *instance = &workspace->instance;
    for (size_t i = 0; i < instance->buffer_count; i++) {
        const struct instance_buffer *buffer = &instance->buffers[i];
        unsigned char byte;
        if (buffer->role != BUFFER_SCRATCH || buffer->extent == 0 || !steps_use_buffer(steps, i))
            continue;
        const bool even = code_begins_with_bytes(&workspace->initial[i], &byte);
        if (!(even ? workspace->filler.driver->fill(workspace->filler.device, buffer->memory.address, byte,
                                                    (size_t)instance_buffer_bytes(buffer), error)
                   : validation_fill(&workspace->filler, buffer->memory.address, instance_array(buffer),
                                     &buffer->filling, error)))
            return false;
    }
    return true;
}

/* Is the memory of buffer `index` now where another's values are that are still to be copied? */
static bool is_taken(const struct workspace *workspace, size_t index)
{
    const struct instance *instance = &workspace->instance;
    for (size_t i = 0; i < workspace->passed->count; i++) {
        const size_t result = workspace->passed->list[i].result;
        if (workspace->passed->list[i].memory != index && instance->buffers[result].home == index)
            return true;
    }
    return false;
}

bool workspace_end(struct workspace *workspace, struct error *error)
{
    const struct instance *instance = &workspace->instance;
    const struct device_driver *driver = workspace->filler.driver;
    for (size_t i = 0; i < workspace->passed->count; i++) {
        const struct passed_buffer *own = &workspace->passed->list[i];
        const struct instance_buffer *result = &instance->buffers[own->result];
        if (result->home == own->memory || own->bytes == 0)
            continue;
        if (is_taken(workspace, own->memory))
            return error_set(error, ERROR_INPUT, "the launches leave buffer %s swapped with another that is passed",
                             result->name);
        if (!driver->copy(workspace->filler.device, guest_of(instance, own->memory)->memory.address,
                          result->memory.address, (size_t)own->bytes, error))
            return false;
    }
    return true;
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/measure/instance.h"

#include "tuner/measure/expected.h"
#include "tuner/measure/steps.h"
#include "tuner/measure/template_sequences.h"

#include <inttypes.h>
#include <stdlib.h>

static uint64_t buffer_bytes(const struct instance_buffer *buffer)
{
    return buffer->extent * element_types[buffer->element].bytes;
}

uint64_t instance_bytes(const struct job_case *job_case)
{
    uint64_t total = 0;
    for (size_t i = 0; i < job_case->buffer_count; i++) {
        const struct job_buffer *buffer = &job_case->buffers[i];
        total += guarded_bytes(buffer->extent * element_types[buffer->element].bytes);
    }
    for (size_t i = 0; i < job_case->check_count; i++) {
        size_t buffer = job_case->checks[i].buffer;
        uint64_t arrays = steps_use_magnitude(&job_case->reference, buffer) ? 2 : 1;
        total += arrays * sizeof(double) * job_case->buffers[buffer].extent;
    }
    return total;
}

uint64_t instance_job_bytes(const struct job *job)
{
    uint64_t bytes = instance_bytes(&job->cases[JOB_TUNED]);
    return job->has_awkward ? bytes + instance_bytes(&job->cases[JOB_AWKWARD]) : bytes;
}

/* ---- buffers ---- */

static bool fill_initial(struct validation_kernels *validation, const struct instance_buffer *buffer,
                         struct error *error)
{
    return validation_fill(validation, buffer->memory.address, buffer->extent, &buffer->filling, error);
}

static bool make_buffers(struct validation_kernels *validation, struct instance *instance,
                         const struct job_case *job_case, uint64_t seed, struct error *error)
{
    for (size_t i = 0; i < job_case->buffer_count; i++) {
        const struct job_buffer *wanted = &job_case->buffers[i];
        struct instance_buffer *buffer = &instance->buffers[i];
        buffer->element = wanted->element;
        buffer->role = wanted->role;
        buffer->extent = wanted->extent;
        if (!filling_of_buffer(wanted, i, seed, &buffer->filling, error) ||
            !validation_allocate_guarded(validation, buffer_bytes(buffer), &buffer->memory, error) ||
            !fill_initial(validation, buffer, error))
            return false;
    }
    return true;
}

/* One double per element, poisoned to detect elements that the reference never writes. */
static bool make_expected(struct validation_kernels *validation, uint64_t extent, uint64_t *address,
                          struct error *error)
{
    struct filling poison = filling_poison(ELEMENT_DOUBLE);
    if (extent > SIZE_MAX / sizeof(double))
        return error_set(error, ERROR_DOES_NOT_FIT, "a reference of %" PRIu64 " elements does not fit in memory",
                         extent);
    size_t bytes = (extent ? (size_t)extent : 1) * sizeof(double);
    if (!validation->driver->allocate(validation->device, bytes, address, error)) {
        *address = 0;
        return false;
    }
    return validation_fill(validation, *address, extent, &poison, error);
}

static bool make_all_expected(struct validation_kernels *validation, struct instance *instance,
                              const struct job_case *job_case, struct error *error)
{
    for (size_t i = 0; i < job_case->check_count; i++) {
        size_t index = job_case->checks[i].buffer;
        struct instance_buffer *buffer = &instance->buffers[index];
        if (buffer->reference)
            continue;
        if (!make_expected(validation, buffer->extent, &buffer->reference, error))
            return false;
        if (steps_use_magnitude(&job_case->reference, index) &&
            !make_expected(validation, buffer->extent, &buffer->magnitude, error))
            return false;
    }
    return true;
}

/* ---- instances ---- */

static bool fill_instance(struct validation_kernels *validation, struct program_cache *programs,
                          const struct job *job, struct instance *instance, struct error *error)
{
    const struct job_case *job_case = &job->cases[instance->which];
    return make_buffers(validation, instance, job_case, job->seed, error) &&
           make_all_expected(validation, instance, job_case, error) &&
           template_sequences_run(validation, programs, job, instance, error) &&
           expected_check(validation, programs, job, instance, error);
}

bool instance_create(struct validation_kernels *validation, struct program_cache *programs, const struct job *job,
                     size_t which, struct instance **result, struct error *error)
{
    size_t count = job->cases[which].buffer_count;
    struct instance *instance = calloc(1, sizeof *instance);
    struct instance_buffer *buffers = calloc(count + 1, sizeof *buffers);
    *result = NULL;
    if (!instance || !buffers) {
        free(instance);
        free(buffers);
        return error_out_of_memory(error);
    }
    *instance = (struct instance){job->reference_key, which, buffers, count, 0};
    if (!fill_instance(validation, programs, job, instance, error)) {
        instance_free(validation, instance);
        return false;
    }
    *result = instance;
    return true;
}

void instance_free(struct validation_kernels *validation, struct instance *instance)
{
    if (!instance)
        return;
    for (size_t i = 0; i < instance->buffer_count; i++) {
        struct instance_buffer *buffer = &instance->buffers[i];
        const uint64_t plain[] = {buffer->copy, buffer->reference, buffer->magnitude};
        for (size_t j = 0; j < sizeof plain / sizeof plain[0]; j++) {
            if (plain[j])
                validation->driver->release(validation->device, plain[j]);
        }
        validation_release_guarded(validation, &buffer->memory);
    }
    free(instance->buffers);
    free(instance);
}

bool instance_matches(const struct instance *instance, const struct job *job, size_t which)
{
    const struct job_case *job_case = &job->cases[which];
    if (instance->reference_key != job->reference_key || instance->which != which ||
        instance->buffer_count != job_case->buffer_count)
        return false;
    for (size_t i = 0; i < job_case->buffer_count; i++) {
        const struct job_buffer *wanted = &job_case->buffers[i];
        const struct instance_buffer *buffer = &instance->buffers[i];
        if (buffer->element != wanted->element || buffer->role != wanted->role ||
            (buffer->extent != wanted->extent && buffer->role != BUFFER_TEMP))
            return false;
    }
    for (size_t i = 0; i < job_case->check_count; i++) {
        if (!instance->buffers[job_case->checks[i].buffer].reference)
            return false;
    }
    return true;
}

bool instance_fit(struct validation_kernels *validation, struct instance *instance, const struct job_case *job_case,
                  struct error *error)
{
    for (size_t i = 0; i < instance->buffer_count; i++) {
        struct instance_buffer *buffer = &instance->buffers[i];
        if (buffer->memory.allocation && buffer->extent == job_case->buffers[i].extent)
            continue;
        buffer->extent = job_case->buffers[i].extent;
        if (!validation_resize_guarded(validation, buffer_bytes(buffer), &buffer->memory, error))
            return false;
    }
    return true;
}

/* ---- between runs ---- */

bool instance_restore(struct validation_kernels *validation, const struct instance *instance, struct error *error)
{
    for (size_t i = 0; i < instance->buffer_count; i++) {
        const struct instance_buffer *buffer = &instance->buffers[i];
        if (buffer->role != BUFFER_INOUT)
            continue;
        bool queued = buffer->copy ? validation->driver->copy(validation->device, buffer->memory.address,
                                                              buffer->copy, (size_t)buffer_bytes(buffer), error)
                                   : fill_initial(validation, buffer, error);
        if (!queued)
            return false;
    }
    return true;
}

/* Outputs have no initial value: filling them poisons them. */
bool instance_poison_outputs(struct validation_kernels *validation, const struct instance *instance,
                             struct error *error)
{
    for (size_t i = 0; i < instance->buffer_count; i++) {
        if (instance->buffers[i].role == BUFFER_OUT && !fill_initial(validation, &instance->buffers[i], error))
            return false;
    }
    return true;
}

bool instance_reset(struct validation_kernels *validation, const struct instance *instance, struct error *error)
{
    return instance_reset_otherwise(validation, instance, INSTANCE_NONE, error);
}

bool instance_blank_guards(struct validation_kernels *validation, const struct instance *instance, bool blank,
                           struct error *error)
{
    for (size_t i = 0; i < instance->buffer_count; i++) {
        if (!validation_blank_guards(validation, &instance->buffers[i].memory, blank, error))
            return false;
    }
    return true;
}

bool instance_reset_otherwise(struct validation_kernels *validation, const struct instance *instance, size_t place,
                              struct error *error)
{
    for (size_t i = 0; i < instance->buffer_count; i++) {
        struct instance_buffer *buffer = &instance->buffers[i];
        bool blank = place == INSTANCE_ALL || place == instance->buffer_count + i;
        if (!validation_blank_guards(validation, &buffer->memory, blank, error))
            return false;
        if (!instance_has_poison(buffer))
            continue;
        struct filling filling =
            place == i || place == INSTANCE_ALL ? filling_other_poison(buffer->element) : buffer->filling;
        if (!validation_fill(validation, buffer->memory.address, buffer->extent, &filling, error))
            return false;
    }
    return instance_restore(validation, instance, error);
}

bool instance_check_unchanged(struct validation_kernels *validation, const struct instance *instance, size_t index,
                              size_t report, struct error *error)
{
    const struct instance_buffer *buffer = &instance->buffers[index];
    if (buffer->copy)
        return validation_check_copy(validation, buffer->memory.address, buffer->copy, buffer->extent,
                                     buffer->element, report, error);
    return validation_check_initial(validation, buffer->memory.address, buffer->extent, &buffer->filling, report,
                                    error);
}

bool instance_intact(struct validation_kernels *validation, const struct instance *instance, bool *intact,
                     struct error *error)
{
    uint64_t checksum;
    if (!template_sequences_checksum(validation, instance, &checksum, error))
        return false;
    *intact = checksum == instance->checksum;
    return true;
}

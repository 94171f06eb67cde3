/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/measure/instance.h"

#include "tuner/measure/steps.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Does the buffer come with values that a job must find there? */
static bool is_given(enum buffer_role role)
{
    return role == BUFFER_IN || role == BUFFER_INOUT;
}

static uint64_t buffer_bytes(const struct instance_buffer *buffer)
{
    return buffer->extent * element_types[buffer->element].bytes;
}

uint64_t instance_bytes(const struct job_case *job_case)
{
    uint64_t total = 0;
    for (size_t i = 0; i < job_case->buffer_count; i++) {
        const struct job_buffer *buffer = &job_case->buffers[i];
        total += 2 * BUFFER_GUARD_BYTES + buffer->extent * element_types[buffer->element].bytes;
    }
    for (size_t i = 0; i < job_case->check_count; i++) {
        size_t buffer = job_case->checks[i].buffer;
        uint64_t arrays = steps_use_magnitude(&job_case->reference, buffer) ? 2 : 1;
        total += arrays * sizeof(double) * job_case->buffers[buffer].extent;
    }
    return total;
}

/* ---- buffers ---------------------------------------------------------------------------------------------- */

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

/* A double for each element, poisoned so that what the reference leaves out is found. */
static bool make_expected(struct validation_kernels *validation, uint64_t extent, uint64_t *address, struct error *error)
{
    struct filling poison = filling_poison(ELEMENT_DOUBLE);
    if (extent > SIZE_MAX / sizeof(double))
        return error_set(error, ERROR_DOES_NOT_FIT, "the reference of %" PRIu64 " elements does not fit into memory",
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

/* ---- the template's own sequences ------------------------------------------------------------------------- */

/* Whatever goes wrong in setup or reference is the template's fault, but for what this machine lacks. */
static bool blame_template(struct error *error, const char *sequence)
{
    if (!error || error->code == ERROR_DOES_NOT_FIT || error_is_of_machine(error) || error->code == ERROR_INPUT)
        return false;
    struct error cause = *error;
    error_set(error, ERROR_INPUT, "the template's %s fails: %s", sequence, cause.text);
    return false;
}

static bool run_sequence(struct validation_kernels *validation, struct program_cache *programs,
                         const struct job_program *source, const struct job_steps *steps,
                         const struct instance *instance, const char *name, struct error *error)
{
    const struct program *program;
    if (steps->count == 0)
        return true;
    struct kernel_resources resources = {0};
    if (validation->began)
        validation->began(name, validation->context);
    bool done = program_cache_get(programs, validation->driver, validation->device, &validation->description, validation->images,
                                  source, &program, error) &&
                steps_check_resources(validation, program, source, steps, &resources, error) &&
                steps_run(validation, program, steps, instance, error) &&
                validation->driver->synchronize(validation->device, error);
    if (validation->began)
        validation->began(NULL, validation->context);
    return done || blame_template(error, name);
}

/* Keep copies of the given buffers that setup has written: no filling makes those again. */
static bool keep_copies(struct validation_kernels *validation, struct instance *instance,
                        const struct job_case *job_case, struct report *reports, struct error *error)
{
    size_t count = instance->buffer_count;
    if (!validation_reset_reports(validation, count, error))
        return false;
    for (size_t i = 0; i < count; i++) {
        if (is_given(instance->buffers[i].role) && !instance_check_unchanged(validation, instance, i, i, error))
            return false;
    }
    if (!validation_read_reports(validation, reports, count, error))
        return false;
    for (size_t i = 0; i < count; i++) {
        struct instance_buffer *buffer = &instance->buffers[i];
        if (!is_given(buffer->role) || buffer->extent == 0)
            continue;
        if (buffer->filling.kind == INITIAL_NONE && !reports[i].changed)
            return error_set(error, ERROR_INPUT,
                             "nothing sets buffer %s: it has no initial value and setup does "
                             "not write it",
                             job_case->buffers[i].name);
        if (!reports[i].changed)
            continue;
        size_t bytes = (size_t)buffer_bytes(buffer);
        if (!validation->driver->allocate(validation->device, bytes, &buffer->copy, error)) {
            buffer->copy = 0;
            return false;
        }
        if (!validation->driver->copy(validation->device, buffer->copy, buffer->memory.address, bytes, error))
            return false;
    }
    return true;
}

static bool judge_reference(const struct report *report, const char *name, const char *function, struct error *error)
{
    if (report->unwritten)
        return error_set(error, ERROR_INPUT,
                         "the reference never writes %" PRIu64 " elements of %s(%s), first %" PRIu64,
                         report->unwritten, function, name, report->first_unwritten);
    if (report->wrong)
        return error_set(error, ERROR_INPUT,
                         "the reference gives element %" PRIu64
                         " of %s(%s) a magnitude that is negative or not finite",
                         report->first_wrong, function, name);
    return true;
}

static bool judge_template(const struct instance *instance, const struct job_case *job_case,
                           const struct report *reports, struct error *error)
{
    for (size_t i = 0; i < instance->buffer_count; i++) {
        const struct report *report = &reports[3 * i];
        const char *name = job_case->buffers[i].name;
        if (report->before || report->behind)
            return error_set(error, ERROR_INPUT, "setup or reference writes %s buffer %s, at size %s",
                             report->before ? "before" : "behind", name, job_case->size_text);
        if (report->changed)
            return error_set(error, ERROR_INPUT, "the reference writes into the input %s, first at element %" PRIu64,
                             name, report->first_changed);
        if (!judge_reference(&reports[3 * i + 1], name, "ref", error) ||
            !judge_reference(&reports[3 * i + 2], name, "mag", error))
            return false;
    }
    return true;
}

/* Have setup and reference kept to their buffers and written all that they must? Three reports a buffer. */
static bool check_template(struct validation_kernels *validation, const struct instance *instance,
                           const struct job_case *job_case, struct report *reports, struct error *error)
{
    size_t count = instance->buffer_count;
    if (!validation_reset_reports(validation, 3 * count, error))
        return false;
    for (size_t i = 0; i < count; i++) {
        const struct instance_buffer *buffer = &instance->buffers[i];
        if (!validation_check_guards(validation, &buffer->memory, 3 * i, error))
            return false;
        if (buffer->role == BUFFER_IN && !instance_check_unchanged(validation, instance, i, 3 * i, error))
            return false;
        if (buffer->reference &&
            !validation_check_reference(validation, buffer->reference, buffer->extent, false, 3 * i + 1, error))
            return false;
        if (buffer->magnitude &&
            !validation_check_reference(validation, buffer->magnitude, buffer->extent, true, 3 * i + 2, error))
            return false;
    }
    return validation_read_reports(validation, reports, 3 * count, error) &&
           judge_template(instance, job_case, reports, error);
}

static bool sum_expected(struct validation_kernels *validation, const struct instance *instance, uint64_t *checksum,
                         struct error *error)
{
    if (!validation_reset_reports(validation, 1, error))
        return false;
    for (size_t i = 0; i < instance->buffer_count; i++) {
        const struct instance_buffer *buffer = &instance->buffers[i];
        if (buffer->reference && !validation_checksum(validation, buffer->reference, buffer->extent, 0, error))
            return false;
        if (buffer->magnitude && !validation_checksum(validation, buffer->magnitude, buffer->extent, 0, error))
            return false;
    }
    struct report report;
    if (!validation_read_reports(validation, &report, 1, error))
        return false;
    *checksum = report.checksum;
    return true;
}

/* ---- instances -------------------------------------------------------------------------------------------- */

static bool fill_instance(struct validation_kernels *validation, struct program_cache *programs, const struct job *job,
                          struct instance *instance, struct report *reports, struct error *error)
{
    const struct job_case *job_case = &job->cases[instance->which];
    return make_buffers(validation, instance, job_case, job->seed, error) &&
           make_all_expected(validation, instance, job_case, error) &&
           run_sequence(validation, programs, &job->setup, &job_case->setup, instance, "setup", error) &&
           keep_copies(validation, instance, job_case, reports, error) &&
           run_sequence(validation, programs, &job->reference, &job_case->reference, instance, "reference", error) &&
           check_template(validation, instance, job_case, reports, error) &&
           sum_expected(validation, instance, &instance->checksum, error);
}

bool instance_create(struct validation_kernels *validation, struct program_cache *programs, const struct job *job,
                     size_t which, struct instance **result, struct error *error)
{
    size_t count = job->cases[which].buffer_count;
    struct instance *instance = calloc(1, sizeof *instance);
    struct report *reports = calloc(3 * count + 1, sizeof *reports);
    struct instance_buffer *buffers = calloc(count + 1, sizeof *buffers);
    *result = NULL;
    if (!instance || !reports || !buffers) {
        error_out_of_memory(error);
        free(buffers);
        goto fail;
    }
    *instance = (struct instance){job->reference_key, which, buffers, count, 0};
    if (!fill_instance(validation, programs, job, instance, reports, error))
        goto fail;
    free(reports);
    *result = instance;
    return true;
fail:
    free(reports);
    instance_free(validation, instance);
    return false;
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

/* ---- between runs ----------------------------------------------------------------------------------------- */

bool instance_restore(struct validation_kernels *validation, const struct instance *instance, struct error *error)
{
    for (size_t i = 0; i < instance->buffer_count; i++) {
        const struct instance_buffer *buffer = &instance->buffers[i];
        if (buffer->role != BUFFER_INOUT)
            continue;
        bool queued = buffer->copy ? validation->driver->copy(validation->device, buffer->memory.address, buffer->copy,
                                                           (size_t)buffer_bytes(buffer), error)
                                   : fill_initial(validation, buffer, error);
        if (!queued)
            return false;
    }
    return true;
}

/* Outputs and temporaries have no initial value, so that filling them is poisoning. */
static bool fill_role(struct validation_kernels *validation, const struct instance *instance, enum buffer_role role,
                      struct error *error)
{
    for (size_t i = 0; i < instance->buffer_count; i++) {
        if (instance->buffers[i].role == role && !fill_initial(validation, &instance->buffers[i], error))
            return false;
    }
    return true;
}

bool instance_poison_outputs(struct validation_kernels *validation, const struct instance *instance, struct error *error)
{
    return fill_role(validation, instance, BUFFER_OUT, error);
}

bool instance_reset(struct validation_kernels *validation, const struct instance *instance, struct error *error)
{
    return fill_role(validation, instance, BUFFER_OUT, error) && fill_role(validation, instance, BUFFER_TEMP, error) &&
           instance_restore(validation, instance, error);
}

bool instance_check_unchanged(struct validation_kernels *validation, const struct instance *instance, size_t index,
                              size_t report, struct error *error)
{
    const struct instance_buffer *buffer = &instance->buffers[index];
    if (buffer->copy)
        return validation_check_copy(validation, buffer->memory.address, buffer->copy, buffer->extent, buffer->element,
                                     report, error);
    return validation_check_initial(validation, buffer->memory.address, buffer->extent, &buffer->filling, report, error);
}

bool instance_intact(struct validation_kernels *validation, const struct instance *instance, bool *intact,
                     struct error *error)
{
    uint64_t checksum;
    if (!sum_expected(validation, instance, &checksum, error))
        return false;
    *intact = checksum == instance->checksum;
    return true;
}

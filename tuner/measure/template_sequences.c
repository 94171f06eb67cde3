/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/measure/template_sequences.h"

#include "tuner/measure/arguments.h"
#include "tuner/measure/check_range.h"
#include "tuner/measure/instance_run.h"
#include "tuner/measure/report.h"
#include "tuner/measure/step_resources.h"
#include "tuner/measure/steps.h"

#include <inttypes.h>
#include <stdlib.h>

/* A failure of setup or reference is the template's fault, unless memory or this machine is to blame. */
static bool blame_template(struct error *error, const char *sequence)
{
    if (!error || error->code == ERROR_DOES_NOT_FIT || error_is_of_machine(error) || error->code == ERROR_INPUT)
        return false;
    struct error cause = *error;
    error_set(error, ERROR_INPUT, "the template's %s fails: %s", sequence, cause.text);
    return false;
}

static bool run_sequence(struct validation_kernels *validation, struct program_cache *programs,
                         const struct job_program *whole, const struct job_case *job_case,
                         const struct job_steps *steps, const struct instance *instance, const char *name,
                         struct error *error)
{
    const struct job_program now = job_program_for(whole, instance->which), *source = &now;
    const struct program *program;
    if (steps->count == 0)
        return true;
    struct kernel_resources resources = {0};
    if (validation->on_sequence)
        validation->on_sequence(name, validation->on_sequence_context);
    bool done = program_cache_get(programs, validation->driver, validation->device, &validation->description,
                                  validation->images, source, &program, error) &&
                arguments_check(validation->driver, program, source, job_case, steps, error) &&
                steps_check_resources(validation, program, source, steps, &resources, error) &&
                steps_run(validation, program, steps, instance, error) &&
                validation->driver->synchronize(validation->device, error);
    instance_settle(instance);
    if (validation->on_sequence)
        validation->on_sequence(NULL, validation->on_sequence_context);
    return done || blame_template(error, name);
}

/* Copy the inputs that setup has written, which no filling can restore. */
static bool keep_copies(struct validation_kernels *validation, struct instance *instance,
                        const struct job_case *job_case, struct report *reports, struct error *error)
{
    size_t count = instance->buffer_count;
    if (!validation_reset_reports(validation, count, error))
        return false;
    for (size_t i = 0; i < count; i++) {
        if (role_is_initialised(instance->buffers[i].role) &&
            !instance_check_unchanged(validation, instance, i, i, error))
            return false;
    }
    if (!validation_read_reports(validation, reports, count, error))
        return false;
    for (size_t i = 0; i < count; i++) {
        struct instance_buffer *buffer = &instance->buffers[i];
        if (!role_is_initialised(buffer->role) || buffer->extent == 0)
            continue;
        if (buffer->filling.kind == INITIAL_NONE && !buffer->copy && !reports[i].changed)
            return error_set(error, ERROR_INPUT,
                             "buffer %s is never initialised: it has no initial value and setup does not write it",
                             job_case->buffers[i].name);
        if (!reports[i].changed)
            continue;
        size_t bytes = (size_t)(buffer->extent * buffer->layout->bytes);
        if (!buffer->copy && !validation->driver->allocate(validation->device, bytes, &buffer->copy, error)) {
            buffer->copy = 0;
            return false;
        }
        if (!validation->driver->copy(validation->device, buffer->copy, buffer->memory.address, bytes, error))
            return false;
    }
    return true;
}

static bool judge_reference(const struct report *report, uint64_t first, const char *name, const char *function,
                            struct error *error)
{
    if (report->unwritten)
        return error_set(error, ERROR_INPUT,
                         "the reference leaves %" PRIu64 " elements of %s(%s) unwritten, the first at %" PRIu64,
                         report->unwritten, function, name, first + report->first_unwritten);
    return true;
}

static bool judge_template(const struct instance *instance, const struct job_case *job_case,
                           const struct report *reports, struct error *error)
{
    for (size_t i = 0; i < instance->buffer_count; i++) {
        const struct report *report = &reports[i];
        const char *name = job_case->buffers[i].name;
        if (report->before || report->behind)
            return error_set(error, ERROR_INPUT, "the reference writes %s buffer %s at size %s",
                             report->before ? "before" : "past the end of", name, job_case->size_text);
        if (report->changed)
            return error_set(error, ERROR_INPUT, "the reference modifies the input %s, first at element %" PRIu64,
                             name, report->first_changed / instance->buffers[i].layout->leaf_count);
    }
    reports += instance->buffer_count;
    for (size_t i = 0; i < job_case->check_count; i++) {
        const struct job_check *check = &job_case->checks[i];
        const char *name = job_check_name(job_case, check);
        const uint64_t first = check_range(instance, check).first;
        if (!judge_reference(&reports[2 * i], first, name, "ref", error) ||
            !judge_reference(&reports[2 * i + 1], first, name, "mag", error))
            return false;
    }
    return true;
}

/* Did the reference write all that is compared? Two reports per check, from `report` on. */
static bool check_expected(struct validation_kernels *validation, const struct instance *instance,
                           const struct job_case *job_case, size_t report, struct error *error)
{
    for (size_t i = 0; i < job_case->check_count; i++) {
        struct job_check check = job_case->checks[i];
        struct expected_values expected = instance_expected(instance, &check);
        size_t at = report + 2 * i;
        if (check.below)
            continue;
        check.exact = false; /* what is too large for the type is not at issue */
        if (!validation_check_reference(validation, expected.reference, expected.array, &check, at, error))
            return false;
        if (expected.magnitude && !validation_check_magnitude(validation, expected.magnitude, expected.reference,
                                                              expected.array, &check, at + 1, error))
            return false;
    }
    return true;
}

/* Did setup and reference stay within their buffers and write everything? A report per buffer, two per check. */
static bool check_template(struct validation_kernels *validation, const struct instance *instance,
                           const struct job_case *job_case, struct report *reports, struct error *error)
{
    size_t count = instance->buffer_count, total = count + 2 * job_case->check_count;
    if (!validation_reset_reports(validation, total, error))
        return false;
    for (size_t i = 0; i < count; i++) {
        const struct instance_buffer *buffer = &instance->buffers[i];
        if (!validation_check_guards(validation, &buffer->memory, i, error))
            return false;
        if (buffer->role == BUFFER_IN && !instance_check_unchanged(validation, instance, i, i, error))
            return false;
    }
    return check_expected(validation, instance, job_case, count, error) &&
           validation_read_reports(validation, reports, total, error) &&
           judge_template(instance, job_case, reports, error);
}

bool template_sequences_checksum(struct validation_kernels *validation, const struct instance *instance,
                                 uint64_t *checksum, struct error *error)
{
    if (!validation_reset_reports(validation, 1, error))
        return false;
    for (size_t i = 0; i < instance->buffer_count; i++) {
        const struct instance_buffer *buffer = &instance->buffers[i];
        if (buffer->reference &&
            !validation_checksum(validation, buffer->reference, instance_numbers(buffer), 0, error))
            return false;
        if (buffer->magnitude &&
            !validation_checksum(validation, buffer->magnitude, instance_numbers(buffer), 0, error))
            return false;
    }
    struct report report;
    if (!validation_read_reports(validation, &report, 1, error))
        return false;
    *checksum = report.checksum;
    return true;
}

bool template_sequences_reference(struct validation_kernels *validation, struct program_cache *programs,
                                  const struct job *job, const struct instance *instance, struct error *error)
{
    const struct job_case *job_case = &job->cases[instance->which];
    return run_sequence(validation, programs, &job->reference, job_case, &job_case->reference, instance, "reference",
                        error);
}

/* Did setup stay within its buffers? */
static bool check_setup_guards(struct validation_kernels *validation, const struct instance *instance,
                               const struct job_case *job_case, struct report *reports, struct error *error)
{
    size_t count = instance->buffer_count;
    if (!validation_reset_reports(validation, count, error))
        return false;
    for (size_t i = 0; i < count; i++) {
        if (!validation_check_guards(validation, &instance->buffers[i].memory, i, error))
            return false;
    }
    if (!validation_read_reports(validation, reports, count, error))
        return false;
    for (size_t i = 0; i < count; i++) {
        if (reports[i].before || reports[i].behind)
            return error_set(error, ERROR_INPUT, "setup writes %s buffer %s at size %s",
                             reports[i].before ? "before" : "past the end of", job_case->buffers[i].name,
                             job_case->size_text);
    }
    return true;
}

/* Setup runs only once: what it reads outside of its buffers must show in the inputs that it makes. */
static bool run_setup(struct validation_kernels *validation, struct program_cache *programs, const struct job *job,
                      const struct instance *instance, struct report *reports, struct error *error)
{
    const struct job_case *job_case = &job->cases[instance->which];
    if (job_case->setup.count == 0)
        return true;
    if (!instance_blank_guards(validation, instance, true, error) ||
        !run_sequence(validation, programs, &job->setup, job_case, &job_case->setup, instance, "setup", error))
        return false;
    instance_keep_values(instance);
    return check_setup_guards(validation, instance, job_case, reports, error) &&
           instance_blank_guards(validation, instance, false, error);
}

static bool run_and_check(struct validation_kernels *validation, struct program_cache *programs,
                          const struct job *job, struct instance *instance, struct report *reports,
                          struct error *error)
{
    const struct job_case *job_case = &job->cases[instance->which];
    return run_setup(validation, programs, job, instance, reports, error) &&
           keep_copies(validation, instance, job_case, reports, error) &&
           template_sequences_reference(validation, programs, job, instance, error) &&
           check_ranges_keep(instance, job_case, error) &&
           check_template(validation, instance, job_case, reports, error);
}

bool template_sequences_run(struct validation_kernels *validation, struct program_cache *programs,
                            const struct job *job, struct instance *instance, struct error *error)
{
    size_t count = instance->buffer_count + 2 * job->cases[instance->which].check_count;
    struct report *reports = calloc(count + 1, sizeof *reports);
    if (!reports)
        return error_out_of_memory(error);
    bool done = run_and_check(validation, programs, job, instance, reports, error);
    free(reports);
    return done;
}

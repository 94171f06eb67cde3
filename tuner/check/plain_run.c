/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/check/plain_run.h"

#include "tuner/measure/steps.h"

#include <inttypes.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

struct json_t *plain_run_request(const char *kind, int ordinal, const struct job *job, size_t which)
{
    json_t *json = job_to_json(job);
    return json ? json_pack("{s:s, s:i, s:i, s:o}", "kind", kind, "ordinal", ordinal, "case", (int)which, "job", json)
                : NULL;
}

/* Places in the source are wanted whatever the template's options are. */
static bool add_line_option(struct job_program *program, struct error *error)
{
    char **longer = realloc(program->options, (program->option_count + 1) * sizeof *longer);
    if (!longer)
        return error_out_of_memory(error);
    program->options = longer;
    longer[program->option_count] = strdup("-lineinfo");
    program->option_count += longer[program->option_count] != NULL;
    return true;
}

static void drop_reference(struct job_case *job_case, struct job_steps *reference, size_t *check_count)
{
    *reference = job_case->reference;
    *check_count = job_case->check_count;
    job_case->reference = (struct job_steps){0};
    job_case->check_count = 0;
}

/* Nobody's memory, where the allocator gives addresses in turn: what lies before a buffer must not be another's. */
enum { GAP_BYTES = 64 << 10 };

static bool allocate_behind_gap(struct validation_kernels *kernels, size_t bytes, uint64_t *gap, uint64_t *address,
                                struct error *error)
{
    const struct device_driver *driver = kernels->driver;
    if (driver->allocate(kernels->device, GAP_BYTES, gap, error)) {
        if (driver->allocate(kernels->device, bytes, address, error))
            return true;
        driver->release(kernels->device, *gap);
    }
    *gap = 0;
    return false;
}

/* Give each buffer memory of its exact size instead of that between guard bands, which comes back in `guarded`. */
static bool make_exact(struct validation_kernels *kernels, struct instance *instance, const struct job_case *job_case,
                       struct guarded *guarded, uint64_t *gaps, struct error *error)
{
    for (size_t i = 0; i < instance->buffer_count; i++) {
        struct instance_buffer *buffer = &instance->buffers[i];
        struct guarded exact = {.bytes = buffer->memory.bytes};
        if (exact.bytes == 0)
            continue;
        if (!allocate_behind_gap(kernels, (size_t)exact.bytes, &gaps[i], &exact.allocation, error) ||
            !kernels->driver->copy(kernels->device, exact.allocation, buffer->memory.address, (size_t)exact.bytes,
                                   error))
            return false;
        exact.address = exact.allocation;
        guarded[i] = buffer->memory;
        buffer->memory = exact;
        printf(PLAIN_RUN_BUFFER " %s %" PRIx64 " %" PRIu64 "\n", job_case->buffers[i].name, exact.address,
               exact.bytes);
    }
    fflush(stdout); /* what follows may end the process */
    return true;
}

static bool run_sequences(struct validation_kernels *kernels, const struct program *program,
                          const struct job_case *job_case, struct instance *instance, struct error *error)
{
    struct guarded *guarded = calloc(instance->buffer_count + 1, sizeof *guarded);
    uint64_t *gaps = calloc(instance->buffer_count + 1, sizeof *gaps);
    bool done = (guarded && gaps) || error_out_of_memory(error);
    done = done && instance_reset(kernels, instance, error) &&
           make_exact(kernels, instance, job_case, guarded, gaps, error);
    for (size_t i = 0; gaps && i < instance->buffer_count; i++) {
        if (gaps[i])
            kernels->driver->release(kernels->device, gaps[i]);
    }
    free(gaps);
    done = done && steps_run(kernels, program, &job_case->prepare, instance, error) &&
           steps_run(kernels, program, &job_case->launch, instance, error) &&
           kernels->driver->synchronize(kernels->device, error);
    for (size_t i = 0; guarded && i < instance->buffer_count; i++) {
        if (!guarded[i].allocation)
            continue;
        kernels->driver->release(kernels->device, instance->buffers[i].memory.allocation);
        instance->buffers[i].memory = guarded[i];
    }
    free(guarded);
    return done;
}

static bool run_job(struct validation_kernels *kernels, struct job *job, size_t which, struct error *error)
{
    struct program_cache *programs = NULL;
    struct program program = {0};
    struct instance *instance = NULL;
    struct job_steps reference;
    size_t check_count, length;
    char *text = NULL;
    drop_reference(&job->cases[which], &reference, &check_count);
    bool done = add_line_option(&job->program, error) && program_read(job->program.path, &text, &length, error) &&
                program_cache_create(&programs, error) &&
                program_compile(kernels->driver, kernels->device, &kernels->description, kernels->images,
                                &job->program, text, length, &program, error) &&
                instance_create(kernels, programs, job, which, &instance, error) &&
                run_sequences(kernels, &program, &job->cases[which], instance, error);
    job->cases[which].reference = reference;
    job->cases[which].check_count = check_count;
    instance_free(kernels, instance);
    program_unload(kernels->driver, kernels->device, &program);
    program_cache_free(programs, kernels->driver, kernels->device);
    free(text);
    return done;
}

static bool run_request(const json_t *request, struct error *error)
{
    const char *kind;
    int ordinal, which;
    struct validation_kernels kernels;
    struct job *job = NULL;
    if (json_unpack((json_t *)(uintptr_t)request, "{s:s, s:i, s:i}", "kind", &kind, "ordinal", &ordinal, "case",
                    &which) != 0 ||
        which < 0 || which >= JOB_CASES || !device_driver_find(kind))
        return error_set(error, ERROR_INPUT, "a run was sent an incomplete request");
    if (!job_from_json(json_object_get(request, "job"), &job, error))
        return false;
    bool opened = validation_kernels_open(&kernels, device_driver_find(kind), ordinal, true, error);
    bool done = opened && run_job(&kernels, job, (size_t)which, error);
    if (opened)
        validation_kernels_close(&kernels);
    job_free(job);
    return done;
}

int plain_run_main(int input)
{
    struct error error = {0};
    json_t *request = json_loadfd(input, 0, NULL);
    bool done = request ? run_request(request, &error) : error_set(&error, ERROR_INPUT, "a run was sent no request");
    json_decref(request);
    if (!done)
        error_print(&error, stderr);
    return done ? EXIT_SUCCESS : EXIT_FAILURE;
}

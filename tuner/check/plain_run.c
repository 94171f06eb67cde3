/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/check/plain_run.h"

#include "tuner/measure/arguments.h"
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

/* Line numbers are needed whatever the template's options. */
static bool add_line_option(struct job_program *program, struct error *error)
{
    char **options = realloc(program->options, (program->option_count + 1) * sizeof *options);
    if (!options)
        return error_out_of_memory(error);
    program->options = options;
    options[program->option_count] = strdup("-lineinfo");
    if (!options[program->option_count])
        return error_out_of_memory(error);
    program->option_count++;
    return true;
}

static void drop_reference(struct job_case *job_case, struct job_steps *reference, size_t *check_count)
{
    *reference = job_case->reference;
    *check_count = job_case->check_count;
    job_case->reference = (struct job_steps){0};
    job_case->check_count = 0;
}

/* Allocators hand out consecutive addresses: a gap keeps what precedes a buffer from belonging to another one. */
enum { GAP_BYTES = 64 << 10 };

static bool allocate_behind_gap(struct validation_kernels *validation, size_t bytes, uint64_t *gap, uint64_t *address,
                                struct error *error)
{
    const struct device_driver *driver = validation->driver;
    if (driver->allocate(validation->device, GAP_BYTES, gap, error)) {
        if (driver->allocate(validation->device, bytes, address, error))
            return true;
        driver->release(validation->device, *gap);
    }
    *gap = 0;
    return false;
}

/* Replace each buffer's memory between guard bands, saved in `guarded`, by an allocation of its exact size. */
static bool make_exact(struct validation_kernels *validation, struct instance *instance,
                       const struct job_case *job_case, struct guarded *guarded, uint64_t *gaps, struct error *error)
{
    for (size_t i = 0; i < instance->buffer_count; i++) {
        struct instance_buffer *buffer = &instance->buffers[i];
        struct guarded exact = {.bytes = buffer->memory.bytes};
        if (exact.bytes == 0)
            continue;
        if (!allocate_behind_gap(validation, (size_t)exact.bytes, &gaps[i], &exact.allocation, error) ||
            !validation->driver->copy(validation->device, exact.allocation, buffer->memory.address,
                                      (size_t)exact.bytes, error))
            return false;
        exact.address = exact.allocation;
        guarded[i] = buffer->memory;
        buffer->memory = exact;
        printf(PLAIN_RUN_BUFFER " %s %" PRIx64 " %" PRIu64 "\n", job_case->buffers[i].name, exact.address,
               exact.bytes);
    }
    fflush(stdout); /* the kernel may kill the process */
    return true;
}

/* `verify`: the program of the verify block. */
static bool run_sequences(struct validation_kernels *validation, const struct program *program,
                          const struct program *verify, const struct job_program *source,
                          const struct job_case *job_case, struct instance *instance, struct error *error)
{
    const struct device_driver *driver = validation->driver;
    struct guarded *guarded = calloc(instance->buffer_count + 1, sizeof *guarded);
    uint64_t *gaps = calloc(instance->buffer_count + 1, sizeof *gaps);
    bool done = (guarded && gaps) || error_out_of_memory(error);
    done = done && arguments_check(driver, program, source, job_case, &job_case->prepare, error) &&
           arguments_check(driver, program, source, job_case, &job_case->launch, error) &&
           arguments_check(driver, program, source, job_case, &job_case->finish, error) &&
           instance_reset(validation, instance, error) &&
           make_exact(validation, instance, job_case, guarded, gaps, error);
    for (size_t i = 0; gaps && i < instance->buffer_count; i++) {
        if (gaps[i])
            validation->driver->release(validation->device, gaps[i]);
    }
    free(gaps);
    done = done && steps_run(validation, program, &job_case->prepare, instance, error) &&
           steps_run(validation, program, &job_case->launch, instance, error) &&
           steps_run(validation, program, &job_case->finish, instance, error) &&
           steps_run(validation, verify, &job_case->verify, instance, error) &&
           validation->driver->synchronize(validation->device, error);
    for (size_t i = 0; guarded && i < instance->buffer_count; i++) {
        if (!guarded[i].allocation)
            continue;
        validation->driver->release(validation->device, instance->buffers[i].memory.allocation);
        instance->buffers[i].memory = guarded[i];
    }
    free(guarded);
    return done;
}

static bool run_job(struct validation_kernels *validation, struct job *job, size_t which, struct error *error)
{
    struct program_cache *programs = NULL;
    struct program program = {0};
    const struct program *verify;
    struct instance *instance = NULL;
    struct job_steps reference;
    size_t check_count, length;
    char *text = NULL;
    struct job_program verified = job_program_for(&job->verify, which), source;
    drop_reference(&job->cases[which], &reference, &check_count);
    bool done = add_line_option(&job->program, error) && program_read(job->program.path, &text, &length, error) &&
                program_cache_create(&programs, error);
    source = job_program_for(&job->program, which);
    done = done &&
           program_compile(validation->driver, validation->device, &validation->description, validation->images,
                           &source, text, length, &program, error) &&
           instance_create(validation, programs, job, which, &instance, error) &&
           program_cache_get(programs, validation->driver, validation->device, &validation->description,
                             validation->images, &verified, &verify, error) &&
           arguments_check(validation->driver, verify, &job->verify, &job->cases[which], &job->cases[which].verify,
                           error) &&
           run_sequences(validation, &program, verify, &job->program, &job->cases[which], instance, error);
    job->cases[which].reference = reference;
    job->cases[which].check_count = check_count;
    instance_free(validation, instance);
    program_unload(validation->driver, validation->device, &program);
    program_cache_free(programs, validation->driver, validation->device);
    free(text);
    return done;
}

static bool run_request(const json_t *request, struct error *error)
{
    const char *kind;
    int ordinal, which;
    struct validation_kernels validation;
    struct job *job = NULL;
    if (json_unpack((json_t *)(uintptr_t)request, "{s:s, s:i, s:i}", "kind", &kind, "ordinal", &ordinal, "case",
                    &which) != 0 ||
        which < 0 || which >= JOB_CASES || !device_driver_find(kind))
        return error_set(error, ERROR_INPUT, "a plain run received an incomplete request");
    if (!job_from_json(json_object_get(request, "job"), &job, error))
        return false;
    const struct compile_images images = {.disk = cache_open()}; /* beside a GPU no code of a template runs */
    bool opened = validation_kernels_open(&validation, device_driver_find(kind), ordinal, &images, error);
    bool done = opened && run_job(&validation, job, (size_t)which, error);
    if (opened)
        validation_kernels_close(&validation);
    job_free(job);
    return done;
}

int plain_run_main(int input)
{
    struct error error = {0};
    json_t *request = json_loadfd(input, 0, NULL);
    bool done =
        request ? run_request(request, &error) : error_set(&error, ERROR_INPUT, "a plain run received no request");
    json_decref(request);
    if (!done)
        error_print(&error, stderr);
    return done ? EXIT_SUCCESS : EXIT_FAILURE;
}

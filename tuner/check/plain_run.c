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

/* Buffers whose memory between guard bands is replaced by allocations of their exact size. */
struct exactness {
    struct validation_kernels *validation;
    struct instance *instance;
    struct guarded *guarded; /* by buffer: its memory before; none: it still has it */
    uint64_t *gaps;
    struct error failure; /* of an allocation while the sequences run */
};

static bool make_exact(struct exactness *exactness, size_t i, struct error *error)
{
    struct validation_kernels *validation = exactness->validation;
    struct instance_buffer *buffer = &exactness->instance->buffers[i];
    struct guarded exact = {.bytes = buffer->memory.bytes};
    if (exact.bytes == 0 || buffer->memory.host) /* which the host's launches could not reach otherwise */
        return true;
    if (!allocate_behind_gap(validation, (size_t)exact.bytes, &exactness->gaps[i], &exact.allocation, error) ||
        !validation->driver->copy(validation->device, exact.allocation, buffer->memory.address, (size_t)exact.bytes,
                                  error))
        return false;
    exact.address = exact.allocation;
    exactness->guarded[i] = buffer->memory;
    buffer->memory = exact;
    printf(PLAIN_RUN_BUFFER " %s %" PRIx64 " %" PRIu64 "\n", buffer->name, exact.address, exact.bytes);
    fflush(stdout); /* the kernel may kill the process */
    return true;
}

static bool make_all_exact(struct exactness *exactness, struct error *error)
{
    bool done = true;
    for (size_t i = 0; done && i < exactness->instance->buffer_count; i++)
        done = make_exact(exactness, i, error);
    return done;
}

static void release_gaps(struct exactness *exactness)
{
    for (size_t i = 0; i < exactness->instance->buffer_count; i++) {
        if (exactness->gaps[i])
            exactness->validation->driver->release(exactness->validation->device, exactness->gaps[i]);
        exactness->gaps[i] = 0;
    }
}

static void make_guarded(struct exactness *exactness, size_t i)
{
    struct instance_buffer *buffer = &exactness->instance->buffers[i];
    if (!exactness->guarded[i].allocation)
        return;
    exactness->validation->driver->release(exactness->validation->device, buffer->memory.allocation);
    buffer->memory = exactness->guarded[i];
    exactness->guarded[i] = (struct guarded){0};
}

/* A late buffer is allocated between guard bands, then made exact. */
static void on_allocate(size_t buffer, bool done, void *context)
{
    struct exactness *exactness = context;
    if (!done)
        make_guarded(exactness, buffer);
    else if (!make_exact(exactness, buffer, &exactness->failure))
        exactness->failure.code = exactness->failure.code ? exactness->failure.code : ERROR_SYSTEM;
    release_gaps(exactness);
}

/* `verify`: the program of the verify block. */
static bool run_sequences(struct validation_kernels *validation, const struct program *program,
                          const struct program *verify, const struct job_program *source,
                          const struct job_case *job_case, struct instance *instance, struct error *error)
{
    const struct device_driver *driver = validation->driver;
    struct exactness exactness = {.validation = validation,
                                  .instance = instance,
                                  .guarded = calloc(instance->buffer_count + 1, sizeof *exactness.guarded),
                                  .gaps = calloc(instance->buffer_count + 1, sizeof *exactness.gaps)};
    if (!exactness.guarded || !exactness.gaps) {
        free(exactness.guarded);
        free(exactness.gaps);
        return error_out_of_memory(error);
    }
    bool done = true;
    done = done && arguments_check(driver, program, source, job_case, &job_case->prepare, error) &&
           arguments_check(driver, program, source, job_case, &job_case->launch, error) &&
           arguments_check(driver, program, source, job_case, &job_case->finish, error) &&
           instance_reset(validation, instance, error) && make_all_exact(&exactness, error);
    release_gaps(&exactness);
    validation->on_allocate = on_allocate;
    validation->on_allocate_context = &exactness;
    done = done && steps_prepare(validation, program, job_case, instance, error) &&
           steps_run(validation, program, &job_case->launch, instance, error) &&
           steps_run(validation, program, &job_case->finish, instance, error) &&
           steps_run(validation, verify, &job_case->verify, instance, error) &&
           validation->driver->synchronize(validation->device, error);
    validation->on_allocate = NULL;
    validation->on_allocate_context = NULL;
    if (done && exactness.failure.code) {
        *error = exactness.failure;
        done = false;
    }
    for (size_t i = 0; i < instance->buffer_count; i++)
        make_guarded(&exactness, i);
    free(exactness.gaps);
    free(exactness.guarded);
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
    const struct compile_images images = {.open = cache_open}; /* beside a GPU no code of a template runs */
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

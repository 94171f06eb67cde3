/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/library/code.h"

#include "tuner/library/failure.h"
#include "tuner/measure/arguments.h"
#include "tuner/measure/filling.h"
#include "tuner/measure/step_resources.h"
#include "tuner/measure/step_use.h"

#include <stdlib.h>
#include <string.h>

/* ---- what is filled ---- */

static bool repeats(uint64_t bits, size_t bytes)
{
    for (size_t i = 1; i < bytes; i++) {
        if ((bits >> 8 * i & 0xff) != (bits & 0xff))
            return false;
    }
    return true;
}

bool code_fills_bytes(const struct job_step *step, const struct layout *layout)
{
    uint64_t bits;
    memcpy(&bits, step->bytes, sizeof bits);
    return repeats(bits, element_types[layout->leaves[0].element].bytes);
}

bool code_begins_with_bytes(const struct job_buffer *buffer, unsigned char *byte)
{
    const enum element element = buffer->layout->leaves[0].element;
    struct filling filling;
    if (buffer->initial != INITIAL_CONSTANT || !filling_of_buffer(buffer, 0, 0, &filling, NULL))
        return false;
    const uint64_t bits = filling_bits(&filling, element).first;
    *byte = (unsigned char)bits;
    return repeats(bits, element_types[element].bytes) && (bits == 0 || layout_is_array(buffer->layout));
}

/* The context is the job's case. */
static bool is_fill_of_kernels(const struct job_step *step, const void *context)
{
    const struct job_case *one = context;
    return step->kind == STEP_FILL && !code_fills_bytes(step, one->buffers[step->target].layout);
}

static bool needs_kernels(const struct job_case *one)
{
    const struct job_steps *const sequences[] = {&one->prepare, &one->launch, &one->finish};
    unsigned char byte;
    for (size_t i = 0; i < sizeof sequences / sizeof *sequences; i++) {
        if (steps_any(sequences[i], is_fill_of_kernels, one))
            return true;
        for (size_t j = 0; j < one->buffer_count; j++) {
            if (one->buffers[j].role == BUFFER_SCRATCH && steps_use_buffer(sequences[i], j) &&
                (job_is_late(one, j) || !code_begins_with_bytes(&one->buffers[j], &byte)))
                return true;
        }
    }
    return false;
}

/* ---- images ---- */

/* Those of the program's kernels and of the fills; `disk` NULL: nothing is cached. */
static struct compile_cache *open_images(const struct code *code, const char *folder, bool cached,
                                         struct error *error)
{
    struct cache *disk = !cached ? NULL : folder ? cache_open_at(folder, cache_bound()) : cache_open();
    struct compile_cache *images = compile_cache_create(disk, code->attached->driver, &code->filler.description);
    if (!images)
        error_out_of_memory(error);
    return images;
}

/* What an answer was asked for may not say what compiles here. */
static void describe(const struct code_request *request, struct device_description *description)
{
    *description = *problem_device(request->problem);
    if (!description->compiler[0])
        strcpy(description->compiler, request->attached->description.compiler);
}

/* Compile the program, or find it. */
static bool make_image(struct code *code, const struct job_program *source, struct compile_cache *images,
                       struct error *error)
{
    char *text = NULL;
    size_t length;
    struct compile_result result;
    if (!program_read(source->path, &text, &length, error))
        return false;
    struct compile_request request = program_request(source, text, length); /* as in the sweep: not awaited */
    bool done = program_image(code->attached->driver, &code->filler.description, images, &request, &result, error);
    free(text);
    if (!done)
        return false;
    free(code->image);
    code->image = result.image;
    code->image_bytes = result.image_bytes;
    code->from_cache = result.cached;
    free(result.log);
    return true;
}

static bool load_image(struct code *code, const struct job_program *source, struct error *error)
{
    return program_load(code->attached->driver, code->attached->device, source, code->image, code->image_bytes,
                        &code->program, error);
}

static bool device_failed(const struct error *error)
{
    return error->code == ERROR_DEVICE || error->code == ERROR_FAULT;
}

/* An image from the cache that cannot be loaded is compiled afresh, unless it is the device that fails. */
static bool make_program(struct code *code, const struct job_program *source, const char *folder, struct error *error)
{
    struct compile_cache *images = open_images(code, folder, true, error);
    if (!images)
        return false;
    code->filler.images = images;
    bool done = make_image(code, source, images, error);
    if (done && !load_image(code, source, error)) {
        const bool retry = code->from_cache && !device_failed(error);
        struct compile_cache *none = retry ? open_images(code, folder, false, error) : NULL;
        done = none && make_image(code, source, none, error) && load_image(code, source, error);
        compile_cache_free(none);
    }
    done = done && (!needs_kernels(code_case(code)) || validation_kernels_load(&code->filler, error));
    code->filler.images = NULL;
    compile_cache_free(images);
    return done;
}

/* ---- loading ---- */

static bool check(struct code *code, const struct job_program *source, struct error *error)
{
    const struct job_case *one = code_case(code);
    const struct job_steps *const sequences[] = {&one->prepare, &one->launch, &one->finish};
    struct kernel_resources resources = {0};
    for (size_t i = 0; i < sizeof sequences / sizeof *sequences; i++) {
        if (!arguments_check(code->attached->driver, &code->program, source, one, sequences[i], error) ||
            !steps_check_resources(&code->filler, &code->program, source, sequences[i], &resources, error))
            return false;
    }
    return true;
}

static struct code *create(struct attached *attached)
{
    struct code *code = calloc(1, sizeof *code);
    if (!code)
        return NULL;
    code->users = 1;
    code->attached = attached_share(attached);
    code->filler.driver = attached->driver;
    code->filler.device = attached->device;
    return code;
}

enum tune_code code_load(const struct code_request *request, struct code **result, struct tune_error *error)
{
    struct error own;
    struct code *code = create(request->attached);
    if (!code)
        return failure_out_of_memory(error);
    describe(request, &code->filler.description);
    if (!job_lower(request->problem, 0, 0, &code->job, &own)) {
        code_release(code);
        return failure_of(&own, error);
    }
    const struct job_program source = job_program_for(&code->job->program, JOB_TUNED);
    if (make_program(code, &source, request->cache, &own) && check(code, &source, &own)) {
        *result = code;
        return TUNE_OK;
    }
    code_release(code);
    return own.code == ERROR_INPUT ? failure_as(TUNE_ERROR_COMPILE, &own, error) : failure_of(&own, error);
}

enum tune_code code_load_again(struct code *code, struct code **result, struct tune_error *error)
{
    struct error own;
    struct code *again = create(code->attached);
    if (!again)
        return failure_out_of_memory(error);
    again->origin = code_share(code->origin ? code->origin : code);
    again->filler = code->filler; /* its kernels have no variables */
    again->job = code->job;
    again->image = code->image;
    again->image_bytes = code->image_bytes;
    again->from_cache = code->from_cache;
    const struct job_program source = job_program_for(&again->job->program, JOB_TUNED);
    if (load_image(again, &source, &own) && check(again, &source, &own)) {
        *result = again;
        return TUNE_OK;
    }
    code_release(again);
    return failure_of(&own, error);
}

struct code *code_share(struct code *code)
{
    atomic_fetch_add(&code->users, 1);
    return code;
}

void code_release(struct code *code)
{
    if (!code || atomic_fetch_sub(&code->users, 1) > 1)
        return;
    struct attached *attached = code->attached;
    bool entered;
    if (attached_enter(attached, true, &entered, NULL)) {
        program_unload(attached->driver, attached->device, &code->program);
        if (!code->origin && code->filler.module)
            attached->driver->unload(attached->device, code->filler.module);
        attached_leave(attached, entered);
    }
    if (!code->origin) {
        job_free(code->job);
        free(code->image);
    }
    code_release(code->origin);
    attached_release(attached);
    free(code);
}

bool code_is_cached(const struct code_request *request)
{
    struct code code = {.attached = request->attached};
    struct compile_cache *images = NULL;
    char *text = NULL;
    size_t length;
    bool cached = false;
    describe(request, &code.filler.description);
    if (job_lower(request->problem, 0, 0, &code.job, NULL)) {
        const struct job_program source = job_program_for(&code.job->program, JOB_TUNED);
        images = open_images(&code, request->cache, true, NULL);
        if (images && program_read(source.path, &text, &length, NULL)) {
            const struct compile_request wanted = program_request(&source, text, length);
            cached = compile_cache_has(images, &wanted);
        }
        free(text);
        compile_cache_free(images);
        job_free(code.job);
    }
    return cached;
}

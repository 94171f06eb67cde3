/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/device/cuda/guest.h"

#include "tuner/device/cuda/compiler.h"
#include "tuner/device/cuda/image.h"
#include "tuner/device/cuda/limits.h"
#include "tuner/device/cuda/result.h"

#include <stdlib.h>

/* ---- contexts ---- */

static bool enter(struct device *device, bool anyway, bool *entered, struct error *error)
{
    const struct context *context = &device->context;
    cuda_context current = NULL;
    *entered = false;
    const cuda_result found = context->cuda.context_current(&current);
    if (found == CUDA_SUCCESS && current == context->primary)
        return true;
    if (!cuda_check(&context->cuda, found, error, "finding the current context"))
        return false;
    if (current && !anyway) {
        error_set(error, ERROR_INPUT,
                  "the calling thread's CUDA context is not the one that the kernel was loaded into");
        return error_hint(error, "make that context current (cuCtxSetCurrent, cudaSetDevice), or load it there too");
    }
    *entered = cuda_check(&context->cuda, context->cuda.context_push(context->primary), error,
                          "making the GPU's context current");
    return *entered;
}

static void leave(struct device *device, bool entered)
{
    cuda_context popped;
    if (entered)
        (void)device->context.cuda.context_pop(&popped);
}

/* The program's context, or the GPU's primary one. */
static bool find_context(struct device *device, int ordinal, struct error *error)
{
    struct context *context = &device->context;
    const struct cuda_library *cuda = &context->cuda;
    if (!cuda_check(cuda, cuda->context_current(&context->primary), error, "finding the current context"))
        return false;
    if (context->primary)
        return cuda_check(cuda, cuda->context_device(&context->id), error, "finding the context's GPU");
    if (!cuda_check(cuda, cuda->device_get(&context->id, ordinal), error, "opening GPU %d", ordinal) ||
        !cuda_check(cuda, cuda->context_retain(&context->primary, context->id), error, "opening GPU %d", ordinal)) {
        context->primary = NULL;
        return false;
    }
    device->retained = true;
    return true;
}

/* ---- opening ---- */

static void begin_streams(struct device *device)
{
    device->blocking.context = &device->context;
    device->streams = (struct streams){.context = &device->context, .blocking = &device->blocking};
}

static bool attach(int ordinal, struct device **result, struct device_description *description, struct error *error)
{
    struct device *device = calloc(1, sizeof *device);
    if (!device)
        return error_out_of_memory(error);
    struct context *context = &device->context;
    device->guest = true;
    begin_streams(device);
    if (!cuda_library_start(&context->cuda, error)) {
        free(device);
        return false;
    }
    if (!find_context(device, ordinal, error) ||
        !limits_read(&context->cuda, context->id, &context->description, error)) {
        cuda_guest_close(device);
        return false;
    }
    snprintf(context->description.kind, sizeof context->description.kind, "cuda");
    *description = context->description;
    *result = device;
    return true;
}

static bool view(struct device *device, struct device **result, struct error *error)
{
    struct device *view = calloc(1, sizeof *view);
    if (!view)
        return error_out_of_memory(error);
    view->context = device->context;
    view->guest = view->borrows = true;
    begin_streams(view);
    *result = view;
    return true;
}

void cuda_guest_close(struct device *device)
{
    struct context *context = &device->context;
    bool entered = false;
    if (context->primary && enter(device, true, &entered, NULL)) {
        streams_close(&device->streams);
        leave(device, entered);
    }
    if (!device->borrows) {
        if (device->retained)
            context->cuda.context_release(context->id);
        host_close(context->host);
        cuda_library_close(&context->cuda);
    }
    free(device);
}

/* ---- streams ---- */

static void program_stream(struct device *device, void *stream)
{
    device->context.stream = device->context.current = stream;
}

static bool capturing(struct device *device, void *stream, bool *result, struct error *error)
{
    const struct cuda_library *cuda = &device->context.cuda;
    int status = 0;
    cuda_result asked = cuda->stream_capturing(stream, &status);
    *result = asked == CUDA_CAPTURING_ELSEWHERE || status != 0;
    return asked == CUDA_CAPTURING_ELSEWHERE ||
           cuda_check(cuda, asked, error, "asking whether the stream is being captured");
}

static bool launch(struct device *device, void *stream, struct device_kernel *kernel,
                   const struct launch_shape *shape, void *const *arguments, size_t argument_count,
                   struct error *error)
{
    return module_launch_quickly(&device->context, kernel, stream, shape, arguments) ||
           module_launch(kernel, stream, shape, arguments, argument_count, error);
}

static bool launch_at_once(struct device *device, void *stream, struct device_kernel *kernel,
                           const struct launch_shape *shape, void *const *arguments)
{
    return module_launch_quickly(&device->context, kernel, stream, shape, arguments);
}

static bool copy(struct device *device, void *stream, uint64_t to, uint64_t from, size_t bytes, struct error *error)
{
    const struct cuda_library *cuda = &device->context.cuda;
    return cuda_check(cuda, cuda->copy_any(to, from, bytes, stream), error, "copying %zu bytes on the GPU", bytes);
}

static bool fill(struct device *device, void *stream, uint64_t address, uint8_t byte, size_t bytes,
                 struct error *error)
{
    const struct cuda_library *cuda = &device->context.cuda;
    return cuda_check(cuda, cuda->fill(address, byte, bytes, stream), error, "filling %zu bytes on the GPU", bytes);
}

/* ---- marks ---- */

struct device_mark {
    cuda_event event;
};

static bool mark_create(struct device *device, struct device_mark **result, struct error *error)
{
    const struct cuda_library *cuda = &device->context.cuda;
    struct device_mark *mark = calloc(1, sizeof *mark);
    if (!mark)
        return error_out_of_memory(error);
    if (!cuda_check(cuda, cuda->event_create(&mark->event, CUDA_EVENT_DEFAULT), error, "creating an event")) {
        free(mark);
        return false;
    }
    *result = mark;
    return true;
}

static void mark_destroy(struct device *device, struct device_mark *mark)
{
    if (mark)
        device->context.cuda.event_destroy(mark->event);
    free(mark);
}

static bool set_mark(struct device *device, void *stream, struct device_mark *mark, struct error *error)
{
    const struct cuda_library *cuda = &device->context.cuda;
    return cuda_check(cuda, cuda->event_record(mark->event, stream), error, "recording an event");
}

/* To ask for events ends captures of other threads, unless these or the calling one are relaxed about it. */
static int relax(const struct cuda_library *cuda)
{
    int mode = CUDA_CAPTURE_RELAXED;
    (void)cuda->capture_mode(&mode);
    return mode;
}

static bool mark_reached(struct device *device, struct device_mark *mark, bool *reached, struct error *error)
{
    const struct cuda_library *cuda = &device->context.cuda;
    int before = relax(cuda);
    const cuda_result asked = cuda->event_query(mark->event);
    (void)cuda->capture_mode(&before);
    *reached = asked == CUDA_SUCCESS;
    return asked == CUDA_NOT_READY || cuda_check(cuda, asked, error, "asking for an event");
}

static bool mark_between(struct device *device, struct device_mark *from, struct device_mark *to, double *nanoseconds,
                         struct error *error)
{
    const struct cuda_library *cuda = &device->context.cuda;
    float milliseconds = 0;
    int before = relax(cuda);
    const cuda_result asked = cuda->event_elapsed(&milliseconds, from->event, to->event);
    (void)cuda->capture_mode(&before);
    *nanoseconds = 1e6 * (double)milliseconds;
    return cuda_check(cuda, asked, error, "reading the time between two events");
}

static void keep_quiet(struct device *device)
{
    bool entered;
    if (!enter(device, true, &entered, NULL))
        return;
    (void)relax(&device->context.cuda);
    leave(device, entered);
}

static bool aside(struct device *view, struct error *error)
{
    if (!streams_use(&view->streams, 1, error))
        return false;
    program_stream(view, view->context.current);
    return true;
}

/* ---- what a program gets ---- */

static void *function(const struct device_kernel *kernel)
{
    return kernel->function;
}

static bool binary(const void *image, size_t bytes, const void **result, size_t *result_bytes, struct error *error)
{
    struct host_image parts;
    struct image_view view;
    if (!host_image_split(image, bytes, &parts, error) || !image_view(parts.own, parts.own_bytes, &view, error))
        return false;
    *result = view.cubin;
    *result_bytes = view.cubin_bytes;
    return true;
}

static bool compiler(char *name, size_t bytes, struct error *error)
{
    (void)error;
    cuda_compiler_name(name, bytes);
    return true;
}

const struct device_guest cuda_guest = {
    .attach = attach,
    .view = view,
    .enter = enter,
    .leave = leave,
    .program_stream = program_stream,
    .capturing = capturing,
    .launch = launch,
    .launch_at_once = launch_at_once,
    .copy = copy,
    .fill = fill,
    .mark_create = mark_create,
    .mark_destroy = mark_destroy,
    .mark = set_mark,
    .mark_reached = mark_reached,
    .mark_between = mark_between,
    .keep_quiet = keep_quiet,
    .aside = aside,
    .function = function,
    .binary = binary,
    .compiler = compiler,
};

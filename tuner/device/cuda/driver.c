/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/device/cuda/driver.h"

#include "tuner/device/cuda/compiler.h"
#include "tuner/device/cuda/guest.h"
#include "tuner/device/cuda/limits.h"
#include "tuner/device/cuda/result.h"
#include "tuner/device/cuda/texture.h"

#include <stdlib.h>
#include <string.h>

static bool count_devices(int *count, struct error *error)
{
    *count = 0;
    struct cuda_library cuda;
    if (!cuda_library_start(&cuda, error))
        return true;
    bool done = cuda_check(&cuda, cuda.device_count(count), error, "counting the GPUs");
    if (done && *count == 0)
        error_set(error, ERROR_WORK, "the NVIDIA driver reports no GPU");
    cuda_library_close(&cuda);
    return done;
}

static void close_device(struct device *device)
{
    if (!device)
        return;
    if (device->guest) {
        cuda_guest_close(device);
        return;
    }
    const struct cuda_library *cuda = &device->context.cuda;
    if (device->context.primary) {
        blocking_kernel_close(&device->blocking);
        cache_flush_close(&device->flush, &device->context);
        timer_close(&device->timer);
        streams_close(&device->streams);
        if (device->context.stream)
            cuda->stream_destroy(device->context.stream);
        cuda->context_release(device->context.id);
    }
    host_close(device->context.host);
    clocks_close(&device->clocks);
    cuda_library_close(&device->context.cuda);
    free(device);
}

static bool start_device(struct device *device, struct error *error)
{
    struct context *context = &device->context;
    const struct cuda_library *cuda = &context->cuda;
    device->blocking.context = context;
    device->streams = (struct streams){.context = context, .blocking = &device->blocking};
    return cuda_check(cuda, cuda->context_retain(&context->primary, context->id), error, "opening the GPU") &&
           cuda_check(cuda, cuda->context_use(context->primary), error, "opening the GPU") &&
           cuda_check(cuda, cuda->stream_create(&context->stream, CUDA_STREAM_NON_BLOCKING), error,
                      "creating a stream") &&
           streams_use(&device->streams, 0, error) &&
           timer_open(&device->timer, context, &device->blocking, &device->flush, error);
}

/* The driver's version by NVML, else the version of CUDA that it supports. */
static void name_driver(const struct device *device, char *text, size_t size)
{
    int version = 0;
    if (clocks_driver_version(&device->clocks, text, size))
        return;
    if (device->context.cuda.driver_version(&version) == CUDA_SUCCESS)
        snprintf(text, size, "CUDA %d.%d", version / 1000, version % 1000 / 10);
    else
        text[0] = '\0';
}

/* Find the GPU and describe it. */
static bool find_device(int ordinal, struct device **result, struct error *error)
{
    struct device *device = calloc(1, sizeof *device);
    if (!device)
        return error_out_of_memory(error);
    struct context *context = &device->context;
    struct device_description *description = &context->description;
    if (!cuda_library_start(&context->cuda, error)) {
        free(device);
        return false;
    }
    if (!cuda_check(&context->cuda, context->cuda.device_get(&context->id, ordinal), error, "opening GPU %d",
                    ordinal) ||
        !limits_read(&context->cuda, context->id, description, error)) {
        close_device(device);
        return false;
    }
    snprintf(description->kind, sizeof description->kind, "%s", cuda_driver.kind);
    clocks_open(&device->clocks, description->uuid);
    name_driver(device, description->driver, sizeof description->driver);
    cuda_compiler_name(description->compiler, sizeof description->compiler);
    *result = device;
    return true;
}

static bool open_device(int ordinal, struct device **result, struct error *error)
{
    if (!find_device(ordinal, result, error))
        return false;
    if (start_device(*result, error))
        return true;
    close_device(*result);
    *result = NULL;
    return false;
}

/* By NVML, which unlike the driver needs no time to start, and does not number devices as that does. */
static bool guess(struct device_description *description)
{
    if (!clocks_common_architecture(description->architecture, sizeof description->architecture))
        return false;
    snprintf(description->kind, sizeof description->kind, "%s", cuda_driver.kind);
    cuda_compiler_name(description->compiler, sizeof description->compiler);
    return true;
}

/* Creating a context takes longer than everything else together. */
static bool look(int ordinal, struct device_description *description, struct error *error)
{
    struct device *device;
    if (!find_device(ordinal, &device, error))
        return false;
    *description = device->context.description;
    close_device(device);
    return true;
}

static bool describe(struct device *device, struct device_description *description, struct error *error)
{
    (void)error;
    *description = device->context.description;
    return true;
}

static bool compile(const struct device_description *description, const struct compile_request *request,
                    struct compile_result *result, struct error *error)
{
    return host_is_wanted(request) ? host_compile(cuda_compile, description, request, result, error)
                                   : cuda_compile(description, request, result, error);
}

static bool load(struct device *device, const void *image, size_t bytes, struct module **module, struct error *error)
{
    struct context *context = &device->context;
    struct host_image parts;
    if (!host_image_split(image, bytes, &parts, error) ||
        (parts.host && !context->host && !host_open(device->guest, &context->host, error)) ||
        !module_load(context, parts.own, parts.own_bytes, module, error))
        return false;
    if (!parts.host || host_load(context->host, &parts, &(*module)->host, error))
        return true;
    module_unload(*module);
    return false;
}

/* Nothing of the module is queued any more, for the host in particular. */
static void unload(struct device *device, struct module *module)
{
    if (module && module->host) {
        blocking_kernel_unblock(&device->blocking);
        (void)device->context.cuda.stream_synchronize(device->context.stream);
    }
    module_unload(module);
}

static bool resources(struct device *device, struct device_kernel *kernel, const struct launch_shape *shape,
                      struct kernel_resources *result, struct error *error)
{
    (void)device;
    return module_resources(kernel, shape, result, error);
}

static bool allocate(struct device *device, size_t bytes, uint64_t *address, struct error *error)
{
    const struct cuda_library *cuda = &device->context.cuda;
    *address = 0;
    return cuda_check(cuda, cuda->allocate(address, bytes ? bytes : 1), error, "allocating %zu bytes on the GPU",
                      bytes);
}

static void release(struct device *device, uint64_t address)
{
    if (address)
        device->context.cuda.release(address);
}

static bool host_allocate(struct device *device, size_t bytes, uint64_t *address, struct error *error)
{
    const struct cuda_library *cuda = &device->context.cuda;
    void *memory = NULL;
    *address = 0;
    if (!cuda_check(cuda, cuda->host_allocate(&memory, bytes ? bytes : 1, CUDA_HOST_MAPPED), error,
                    "allocating %zu bytes of the host's memory", bytes))
        return false;
    bool done = cuda_check(cuda, cuda->host_address(address, memory, 0), error, "mapping the host's memory");
    if (done && *address != (uint64_t)(uintptr_t)memory)
        done = error_set(error, ERROR_WORK, "the GPU and the host do not have one address space");
    if (!done) {
        cuda->host_release(memory);
        return false;
    }
    device->host_allocations++;
    return true;
}

static void host_release(struct device *device, uint64_t address)
{
    if (!address)
        return;
    device->context.cuda.host_release((void *)(uintptr_t)address);
    device->host_allocations--;
}

/* May an address be of the host's memory? Then the driver has to look where it is. */
static bool shares_memory(const struct device *device)
{
    return device->guest || device->host_allocations > 0;
}

static bool synchronize(struct device *device, struct error *error)
{
    const struct cuda_library *cuda = &device->context.cuda;
    blocking_kernel_unblock(&device->blocking);
    return cuda_check(cuda, cuda->stream_synchronize(device->context.stream), error, "waiting for the GPU") &&
           host_check(device->context.host, error);
}

static bool upload(struct device *device, uint64_t to, const void *from, size_t bytes, struct error *error)
{
    const struct cuda_library *cuda = &device->context.cuda;
    blocking_kernel_unblock(&device->blocking); /* copies of pageable memory wait for the stream themselves */
    cuda_result result = shares_memory(device)
                             ? cuda->copy_any(to, (uint64_t)(uintptr_t)from, bytes, device->context.stream)
                             : cuda->upload(to, from, bytes, device->context.stream);
    return cuda_check(cuda, result, error, "copying %zu bytes to the GPU", bytes) && synchronize(device, error);
}

static bool download(struct device *device, void *to, uint64_t from, size_t bytes, struct error *error)
{
    const struct cuda_library *cuda = &device->context.cuda;
    blocking_kernel_unblock(&device->blocking);
    cuda_result result = shares_memory(device)
                             ? cuda->copy_any((uint64_t)(uintptr_t)to, from, bytes, device->context.stream)
                             : cuda->download(to, from, bytes, device->context.stream);
    return cuda_check(cuda, result, error, "copying %zu bytes from the GPU", bytes) && synchronize(device, error);
}

static bool copy(struct device *device, uint64_t to, uint64_t from, size_t bytes, struct error *error)
{
    const struct cuda_library *cuda = &device->context.cuda;
    blocking_kernel_count(&device->blocking);
    cuda_result result =
        (shares_memory(device) ? cuda->copy_any : cuda->copy)(to, from, bytes, device->context.current);
    return cuda_check(cuda, result, error, "copying %zu bytes on the GPU", bytes);
}

static bool fill(struct device *device, uint64_t address, uint8_t byte, size_t bytes, struct error *error)
{
    const struct cuda_library *cuda = &device->context.cuda;
    blocking_kernel_count(&device->blocking);
    return cuda_check(cuda, cuda->fill(address, byte, bytes, device->context.current), error,
                      "filling %zu bytes on the GPU", bytes);
}

static bool launch(struct device *device, struct device_kernel *kernel, const struct launch_shape *shape,
                   void *const *arguments, size_t argument_count, struct error *error)
{
    blocking_kernel_count(&device->blocking);
    return module_launch(kernel, device->context.current, shape, arguments, argument_count, error);
}

static bool create_texture(struct device *device, const struct texture_shape *shape, const struct texel *texel,
                           uint64_t address, struct device_texture **texture, uint64_t *handle, struct error *error)
{
    blocking_kernel_unblock(&device->blocking);
    return texture_create(&device->context, shape, texel, address, texture, handle, error);
}

static bool fill_texture(struct device *device, struct device_texture *texture, struct error *error)
{
    blocking_kernel_count(&device->blocking);
    return texture_fill(texture, error);
}

static bool drain_texture(struct device *device, struct device_texture *texture, struct error *error)
{
    blocking_kernel_count(&device->blocking);
    return texture_drain(texture, error);
}

static void release_texture(struct device *device, struct device_texture *texture)
{
    blocking_kernel_unblock(&device->blocking);
    texture_release(texture);
}

static bool use_stream(struct device *device, unsigned stream, struct error *error)
{
    return streams_use(&device->streams, stream, error);
}

static bool wait_streams(struct device *device, uint32_t waiters, uint32_t awaited, struct error *error)
{
    return streams_wait(&device->streams, waiters, awaited, error);
}

/* The calibration needs a stream that is not blocked. */
static bool block_stream(struct device *device, struct error *error)
{
    return timer_calibrate(&device->timer, error) && blocking_kernel_block(&device->blocking, error);
}

static bool start(struct device *device, struct error *error)
{
    return timer_start(&device->timer, error);
}

static bool stop(struct device *device, double *nanoseconds, struct error *error)
{
    return timer_stop(&device->timer, nanoseconds, error) && host_check(device->context.host, error);
}

static bool flush_cache(struct device *device, struct error *error)
{
    blocking_kernel_count(&device->blocking);
    return cache_flush_queue(&device->flush, &device->context, error);
}

static void state(struct device *device, struct device_state *state)
{
    clocks_read(&device->clocks, state);
}

static bool energy(struct device *device, double *joules, struct error *error)
{
    return clocks_energy(&device->clocks, joules, error);
}

const struct device_driver cuda_driver = {
    .kind = "cuda",
    .title = "CUDA GPU",
    .accelerator = true,
    .count = count_devices,
    .open = open_device,
    .close = close_device,
    .describe = describe,
    .look = look,
    .compile = compile,
    .guess = guess,
    .compile_identity = cuda_compile_identity,
    .load = load,
    .unload = unload,
    .kernel = module_kernel,
    .symbol = module_symbol,
    .parameters = module_parameters,
    .resources = resources,
    .allocate = allocate,
    .release = release,
    .host_allocate = host_allocate,
    .host_release = host_release,
    .upload = upload,
    .download = download,
    .copy = copy,
    .fill = fill,
    .texture_create = create_texture,
    .texture_fill = fill_texture,
    .texture_drain = drain_texture,
    .texture_release = release_texture,
    .launch = launch,
    .use_stream = use_stream,
    .wait = wait_streams,
    .synchronize = synchronize,
    .blocking_kernel = block_stream,
    .start = start,
    .stop = stop,
    .flush_cache = flush_cache,
    .state = state,
    .energy = energy,
    .guest = &cuda_guest,
    .shares_cores = false,
};

/* SPDX-License-Identifier: Apache-2.0 */
/* NVIDIA GPUs by the CUDA driver API: finding, opening and describing them, memory and time. */
#include "tuner/device/cuda/compiler.h"
#include "tuner/device/cuda/context.h"
#include "tuner/device/cuda/limits.h"
#include "tuner/device/cuda/result.h"

#include <stdlib.h>
#include <string.h>

extern const struct device_driver cuda_driver;

/* Open the driver and start it; CUDA_VISIBLE_DEVICES is its own affair. */
static bool open_driver(struct cuda_library *cuda, struct error *error)
{
    if (!cuda_library_open(cuda, error))
        return false;
    if (cuda_check(cuda, cuda->init(0), error, "starting the NVIDIA driver"))
        return true;
    if (error && error->code == ERROR_FAULT)
        error->code = ERROR_WORK; /* no context has died yet */
    cuda_library_close(cuda);
    return false;
}

static bool count_devices(int *count, struct error *error)
{
    *count = 0;
    struct cuda_library cuda;
    if (!open_driver(&cuda, error))
        return true;
    bool done = cuda_check(&cuda, cuda.device_count(count), error, "counting the GPUs");
    if (done && *count == 0)
        error_set(error, ERROR_WORK, "the NVIDIA driver shows no GPU");
    cuda_library_close(&cuda);
    return done;
}

static void close_device(struct device *device)
{
    if (!device)
        return;
    const struct cuda_library *cuda = &device->cuda;
    if (device->context)
        hold_close(device);
    if (device->flush_buffer)
        cuda->release(device->flush_buffer);
    timer_close(device);
    if (device->stream)
        cuda->stream_destroy(device->stream);
    if (device->context)
        cuda->context_release(device->id);
    clocks_close(&device->clocks);
    cuda_library_close(&device->cuda);
    free(device);
}

/* The context, the stream and the timer. */
static bool start_device(struct device *device, struct error *error)
{
    const struct cuda_library *cuda = &device->cuda;
    return cuda_check(cuda, cuda->context_retain(&device->context, device->id), error, "opening the GPU") &&
           cuda_check(cuda, cuda->context_use(device->context), error, "opening the GPU") &&
           cuda_check(cuda, cuda->stream_create(&device->stream, CUDA_STREAM_NON_BLOCKING), error,
                      "creating a stream") &&
           timer_open(device, error);
}

/* The driver's version as NVML has it, else the version of CUDA that it supports. */
static void name_driver(const struct device *device, char *text, size_t size)
{
    int version = 0;
    if (clocks_driver_version(&device->clocks, text, size))
        return;
    if (device->cuda.driver_version(&version) == CUDA_SUCCESS)
        snprintf(text, size, "CUDA %d.%d", version / 1000, version % 1000 / 10);
    else
        text[0] = '\0';
}

/* Find the GPU and learn what it is. */
static bool meet_device(int ordinal, struct device **result, struct error *error)
{
    struct device *device = calloc(1, sizeof *device);
    if (!device)
        return error_out_of_memory(error);
    if (!open_driver(&device->cuda, error)) {
        free(device);
        return false;
    }
    if (!cuda_check(&device->cuda, device->cuda.device_get(&device->id, ordinal), error, "opening GPU %d", ordinal) ||
        !limits_read(&device->cuda, device->id, &device->description, error)) {
        close_device(device);
        return false;
    }
    clocks_open(&device->clocks, device->description.uuid);
    name_driver(device, device->description.driver, sizeof device->description.driver);
    cuda_compiler_name(device->description.compiler, sizeof device->description.compiler);
    *result = device;
    return true;
}

static bool open_device(int ordinal, struct device **result, struct error *error)
{
    if (!meet_device(ordinal, result, error))
        return false;
    if (start_device(*result, error))
        return true;
    close_device(*result);
    *result = NULL;
    return false;
}

/* Making a GPU ready takes longer than all else. */
static bool look(int ordinal, struct device_description *description, struct error *error)
{
    struct device *device;
    if (!meet_device(ordinal, &device, error))
        return false;
    *description = device->description;
    close_device(device);
    return true;
}

static bool describe(struct device *device, struct device_description *description, struct error *error)
{
    (void)error;
    *description = device->description;
    return true;
}

static bool allocate(struct device *device, size_t bytes, uint64_t *address, struct error *error)
{
    *address = 0;
    return cuda_check(&device->cuda, device->cuda.allocate(address, bytes ? bytes : 1), error,
                      "allocating %zu bytes on the GPU", bytes);
}

static void release(struct device *device, uint64_t address)
{
    if (address)
        device->cuda.release(address);
}

static bool synchronize(struct device *device, struct error *error)
{
    hold_end(device);
    return cuda_check(&device->cuda, device->cuda.stream_synchronize(device->stream), error, "waiting for the GPU");
}

static bool upload(struct device *device, uint64_t to, const void *from, size_t bytes, struct error *error)
{
    hold_end(device); /* copies from and to pageable memory wait for the stream on their own account */
    return cuda_check(&device->cuda, device->cuda.upload(to, from, bytes, device->stream), error,
                      "copying %zu bytes to the GPU", bytes) &&
           synchronize(device, error);
}

static bool download(struct device *device, void *to, uint64_t from, size_t bytes, struct error *error)
{
    hold_end(device);
    return cuda_check(&device->cuda, device->cuda.download(to, from, bytes, device->stream), error,
                      "copying %zu bytes from the GPU", bytes) &&
           synchronize(device, error);
}

static bool copy(struct device *device, uint64_t to, uint64_t from, size_t bytes, struct error *error)
{
    hold_count(device);
    return cuda_check(&device->cuda, device->cuda.copy(to, from, bytes, device->stream), error,
                      "copying %zu bytes on the GPU", bytes);
}

static bool fill(struct device *device, uint64_t address, uint8_t byte, size_t bytes, struct error *error)
{
    hold_count(device);
    return cuda_check(&device->cuda, device->cuda.fill(address, byte, bytes, device->stream), error,
                      "filling %zu bytes on the GPU", bytes);
}

/* What the timer has to find out first needs a stream that is not held. */
static bool hold(struct device *device, struct error *error)
{
    return timer_calibrate(device, error) && hold_begin(device, error);
}

bool cuda_flush_cache(struct device *device, struct error *error)
{
    if (!device->flush_buffer) {
        size_t bytes = 2 * (size_t)device->description.l2_bytes;
        if (bytes == 0)
            return true;
        if (!allocate(device, bytes, &device->flush_buffer, error))
            return false;
        device->flush_bytes = bytes;
    }
    return fill(device, device->flush_buffer, 0, device->flush_bytes, error);
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
    .compile = cuda_compile,
    .compile_identity = cuda_compile_identity,
    .load = cuda_load,
    .unload = cuda_unload,
    .kernel = cuda_kernel,
    .symbol = cuda_symbol,
    .resources = cuda_resources,
    .allocate = allocate,
    .release = release,
    .upload = upload,
    .download = download,
    .copy = copy,
    .fill = fill,
    .launch = cuda_launch,
    .synchronize = synchronize,
    .hold = hold,
    .start = timer_start,
    .stop = timer_stop,
    .flush_cache = cuda_flush_cache,
    .state = state,
    .energy = energy,
    .shares_cores = false,
};

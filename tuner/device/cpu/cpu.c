/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/device/cpu/cpu.h"

#include "tuner/device/cpu/caches.h"
#include "tuner/device/cpu/compiler.h"
#include "tuner/device/cpu/cores.h"
#include "tuner/device/cpu/identity.h"
#include "tuner/device/cpu/image.h"
#include "tuner/device/cpu/launch_limits.h"
#include "tuner/device/cpu/loader.h"
#include "tuner/device/cpu/machine.h"
#include "tuner/device/cpu/memory.h"
#include "tuner/device/cpu/pool.h"
#include "tuner/device/cpu/rapl.h"
#include "tuner/device/cpu/texture.h"
#include "tuner/device/cpu/toolchain.h"
#include "tuner/device/guest.h"

#include <inttypes.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { CONSTANT_BYTES = 64 << 10, REGISTERS = 65536 }; /* as those of launch_limits.h */

struct device {
    struct cores *cores;
    struct memory memory;
    struct caches caches;
    const struct block_watch *watch;
    struct timespec started;
    struct rapl rapl;
};

/* ---- open and describe ---- */

static bool cpu_count(int *count, struct error *error)
{
    (void)error;
    *count = 1;
    return true;
}

static void cpu_close(struct device *device)
{
    if (!device)
        return;
    memory_clear(&device->memory);
    caches_clear(&device->caches);
    cores_close(device->cores);
    free(device);
}

static size_t memory_limit(const struct device *device)
{
    struct device_description machine = {0};
    int64_t available = machine_available_bytes();
    if (available > 0)
        return (size_t)available;
    machine_describe((int64_t)pool_size(cores_pool(device->cores)), &machine);
    return (size_t)machine.memory_bytes;
}

static bool open_device(int ordinal, bool traps, struct device **result, struct error *error)
{
    if (ordinal != 0)
        return error_set(error, ERROR_INPUT, "there is no device cpu:%d, only cpu:0", ordinal);
    struct device *device = calloc(1, sizeof *device);
    if (!device)
        return error_out_of_memory(error);
    if (!cores_open(traps, &device->cores, error)) {
        free(device);
        return false;
    }
    device->memory.limit = memory_limit(device);
    device->caches = caches_create(cores_pool(device->cores), &device->memory, machine_cache_bytes());
    device->rapl.folder = "/sys/class/powercap";
    *result = device;
    return true;
}

static bool cpu_open(int ordinal, struct device **result, struct error *error)
{
    return open_device(ordinal, true, result, error);
}

/* All but what takes time to find out: the compiler's version and the bandwidth. */
static void describe_quickly(const struct device *device, struct device_description *description)
{
    int64_t processors = (int64_t)pool_size(cores_pool(device->cores));
    memset(description, 0, sizeof *description);
    snprintf(description->kind, sizeof description->kind, "%s", cpu_driver.kind);
    machine_describe(processors, description);
    description->warp_size = TUNE_WARP;
    description->max_threads_per_block = BLOCK_THREADS;
    description->max_block_x = MAX_BLOCK_X;
    description->max_block_y = MAX_BLOCK_Y;
    description->max_block_z = MAX_BLOCK_Z;
    description->max_grid_x = MAX_GRID_X;
    description->max_grid_y = MAX_GRID_YZ;
    description->max_grid_z = MAX_GRID_YZ;
    description->max_shared_per_block = MAX_SHARED;
    description->max_shared_per_block_optin = MAX_SHARED_OPTIN;
    description->max_shared_per_sm = MAX_SHARED_OPTIN;
    description->max_registers_per_block = REGISTERS;
    description->max_registers_per_sm = REGISTERS;
    description->max_threads_per_sm = BLOCK_THREADS; /* a processor runs one block at a time */
    description->max_blocks_per_sm = 1;
    description->sm_count = processors;
    description->constant_bytes = CONSTANT_BYTES;
}

/* Takes longer than all else of a description: measured once in a process, or before. */
static struct {
    pthread_mutex_t lock;
    size_t processors; /* that measured it; 0: none */
    double bytes_per_second;
} measured = {.lock = PTHREAD_MUTEX_INITIALIZER};

static void cpu_recall(const struct device_description *earlier)
{
    pthread_mutex_lock(&measured.lock);
    measured.processors = earlier->peak_bandwidth > 0 && earlier->sm_count > 0 ? (size_t)earlier->sm_count : 0;
    measured.bytes_per_second = earlier->peak_bandwidth;
    pthread_mutex_unlock(&measured.lock);
}

static bool measure_bandwidth(struct device *device, double *bytes_per_second, struct error *error)
{
    size_t processors = pool_size(cores_pool(device->cores));
    pthread_mutex_lock(&measured.lock);
    bool done =
        measured.processors == processors || caches_bandwidth(&device->caches, &measured.bytes_per_second, error);
    measured.processors = done ? processors : 0;
    *bytes_per_second = measured.bytes_per_second;
    pthread_mutex_unlock(&measured.lock);
    return done;
}

static bool cpu_describe(struct device *device, struct device_description *description, struct error *error)
{
    describe_quickly(device, description);
    return toolchain_version(description->compiler, sizeof description->compiler, error) &&
           measure_bandwidth(device, &description->peak_bandwidth, error);
}

/* ---- modules ---- */

static bool alive(const struct device *device, struct error *error)
{
    return cores_alive(device->cores, error);
}

static bool cpu_load(struct device *device, const void *image, size_t bytes, struct module **module,
                     struct error *error)
{
    if (!alive(device, error))
        return false;
    uint64_t memory = image_memory_bytes(image, bytes);
    if (memory > device->memory.limit)
        return error_set(error, ERROR_DOES_NOT_FIT,
                         "a kernel's code and variables take %" PRIu64 " bytes; the device has %zu", memory,
                         device->memory.limit);
    return loader_open(image, bytes, module, error);
}

static void cpu_unload(struct device *device, struct module *module)
{
    (void)device;
    loader_close(module);
}

static bool cpu_resources(struct device *device, struct device_kernel *kernel, const struct launch_shape *shape,
                          struct kernel_resources *resources, struct error *error)
{
    (void)device;
    uint64_t block_threads = (uint64_t)shape->block.x * shape->block.y * shape->block.z;
    if (!launch_limits_fit(kernel, shape, error))
        return false;
    resources->registers = -1;
    resources->local_bytes = -1;
    resources->shared_bytes = kernel->shared_bytes + (int64_t)shape->dynamic_shared;
    resources->max_threads = BLOCK_THREADS;
    resources->occupancy = block_threads > BLOCK_THREADS ? 0.0 : (double)block_threads / BLOCK_THREADS;
    return true;
}

/* ---- memory ---- */

static bool cpu_allocate(struct device *device, size_t bytes, uint64_t *address, struct error *error)
{
    return memory_allocate(&device->memory, bytes, address, error);
}

static void cpu_release(struct device *device, uint64_t address)
{
    memory_release(&device->memory, address);
}

static void tell_written(const struct device *device, uint64_t address, size_t bytes)
{
    if (device->watch)
        device->watch->written(device->watch->context, address, bytes);
}

static bool cpu_upload(struct device *device, uint64_t to, const void *from, size_t bytes, struct error *error)
{
    if (!alive(device, error))
        return false;
    memcpy((void *)(uintptr_t)to, from, bytes);
    tell_written(device, to, bytes);
    return true;
}

static bool cpu_download(struct device *device, void *to, uint64_t from, size_t bytes, struct error *error)
{
    if (!alive(device, error))
        return false;
    memcpy(to, (const void *)(uintptr_t)from, bytes);
    return true;
}

static bool cpu_copy(struct device *device, uint64_t to, uint64_t from, size_t bytes, struct error *error)
{
    if (!alive(device, error))
        return false;
    memmove((void *)(uintptr_t)to, (const void *)(uintptr_t)from, bytes);
    tell_written(device, to, bytes);
    return true;
}

static bool cpu_fill(struct device *device, uint64_t address, uint8_t byte, size_t bytes, struct error *error)
{
    if (!alive(device, error))
        return false;
    memset((void *)(uintptr_t)address, byte, bytes);
    tell_written(device, address, bytes);
    return true;
}

/* ---- launches ---- */

static bool check_launch(const struct device_kernel *kernel, const struct launch_shape *shape, size_t argument_count,
                         struct error *error)
{
    if (argument_count != kernel->entry->parameter_count)
        return error_set(error, ERROR_INPUT, "kernel '%s' has %zu parameters, but the launch passes %zu arguments",
                         kernel->name, kernel->entry->parameter_count, argument_count);
    return launch_limits_check(kernel, shape, error);
}

static bool cpu_launch(struct device *device, struct device_kernel *kernel, const struct launch_shape *shape,
                       void *const *arguments, size_t argument_count, struct error *error)
{
    return alive(device, error) && check_launch(kernel, shape, argument_count, error) &&
           cores_launch(device->cores, kernel, shape, device->watch, arguments, error);
}

static bool cpu_synchronize(struct device *device, struct error *error)
{
    return alive(device, error);
}

static bool cpu_start(struct device *device, struct error *error)
{
    clock_gettime(CLOCK_MONOTONIC_RAW, &device->started);
    return alive(device, error);
}

static bool cpu_stop(struct device *device, double *nanoseconds, struct error *error)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC_RAW, &now);
    *nanoseconds =
        1e9 * (double)(now.tv_sec - device->started.tv_sec) + (double)(now.tv_nsec - device->started.tv_nsec);
    return alive(device, error);
}

static bool cpu_flush_cache(struct device *device, struct error *error)
{
    return alive(device, error) && caches_flush(&device->caches, error);
}

static void cpu_state(struct device *device, struct device_state *state)
{
    (void)device;
    *state = (struct device_state){-1, -1, -1, -1, -1};
}

void cpu_watch(struct device *device, const struct block_watch *watch)
{
    device->watch = watch;
}

static bool cpu_energy(struct device *device, double *joules, struct error *error)
{
    return rapl_read(&device->rapl, joules, error);
}

uint64_t cpu_divergent_barriers(const struct device *device)
{
    return cores_divergent_barriers(device->cores);
}

/* ---- in other programs ---- */

static bool cpu_attach(int ordinal, struct device **result, struct device_description *description,
                       struct error *error)
{
    if (!open_device(ordinal, false, result, error))
        return false;
    describe_quickly(*result, description);
    return true;
}

static bool cpu_view(struct device *device, struct device **result, struct error *error)
{
    struct device *view = calloc(1, sizeof *view);
    if (!view)
        return error_out_of_memory(error);
    view->cores = cores_share(device->cores);
    view->memory.limit = device->memory.limit;
    *result = view;
    return true;
}

static void cpu_program_stream(struct device *device, void *stream)
{
    (void)device, (void)stream;
}

static bool cpu_capturing(struct device *device, void *stream, bool *capturing, struct error *error)
{
    (void)device, (void)stream, (void)error;
    *capturing = false;
    return true;
}

static bool cpu_launch_now(struct device *device, void *stream, struct device_kernel *kernel,
                           const struct launch_shape *shape, void *const *arguments, size_t argument_count,
                           struct error *error)
{
    (void)stream;
    return cpu_launch(device, kernel, shape, arguments, argument_count, error) && alive(device, error);
}

static bool cpu_copy_now(struct device *device, void *stream, uint64_t to, uint64_t from, size_t bytes,
                         struct error *error)
{
    (void)stream;
    return cpu_copy(device, to, from, bytes, error);
}

static bool cpu_fill_now(struct device *device, void *stream, uint64_t address, uint8_t byte, size_t bytes,
                         struct error *error)
{
    (void)stream;
    return cpu_fill(device, address, byte, bytes, error);
}

static void *cpu_function(const struct device_kernel *kernel)
{
    (void)kernel;
    return NULL;
}

/* The image is the shared object. */
static bool cpu_binary(const void *image, size_t bytes, const void **binary, size_t *binary_bytes,
                       struct error *error)
{
    (void)error;
    *binary = image;
    *binary_bytes = bytes;
    return true;
}

static const struct device_guest guest = {
    .attach = cpu_attach,
    .view = cpu_view,
    .program_stream = cpu_program_stream,
    .capturing = cpu_capturing,
    .launch = cpu_launch_now,
    .copy = cpu_copy_now,
    .fill = cpu_fill_now,
    .function = cpu_function,
    .binary = cpu_binary,
    .compiler = toolchain_version,
};

const struct device_driver cpu_driver = {
    .kind = "cpu",
    .title = "CPU device",
    .accelerator = false,
    .count = cpu_count,
    .open = cpu_open,
    .close = cpu_close,
    .describe = cpu_describe,
    .recall = cpu_recall,
    .compile = cpu_compile,
    .compile_identity = cpu_compile_identity,
    .load = cpu_load,
    .unload = cpu_unload,
    .kernel = loader_kernel,
    .symbol = loader_symbol,
    .parameters = loader_parameters,
    .resources = cpu_resources,
    .allocate = cpu_allocate,
    .release = cpu_release,
    .upload = cpu_upload,
    .download = cpu_download,
    .copy = cpu_copy,
    .fill = cpu_fill,
    .texture_create = cpu_texture_create,
    .texture_fill = cpu_texture_copy,
    .texture_drain = cpu_texture_copy,
    .texture_release = cpu_texture_release,
    .launch = cpu_launch,
    .synchronize = cpu_synchronize,
    .start = cpu_start,
    .stop = cpu_stop,
    .flush_cache = cpu_flush_cache,
    .state = cpu_state,
    .energy = cpu_energy,
    .guest = &guest,
    .shares_cores = true,
};

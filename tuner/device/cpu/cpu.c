/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/device/cpu/cpu.h"

#include "tuner/device/cpu/cache_lines.h"
#include "tuner/device/cpu/compiler.h"
#include "tuner/device/cpu/loader.h"
#include "tuner/device/cpu/machine.h"
#include "tuner/device/cpu/pool.h"
#include "tuner/device/cpu/rapl.h"
#include "tuner/device/cpu/watch.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* Limits like those of a GPU of compute capability 9.0, so that a space that fits one fits the other. */
enum {
    MAX_BLOCK_X = 1024,
    MAX_BLOCK_Y = 1024,
    MAX_BLOCK_Z = 64,
    MAX_GRID_X = 2147483647,
    MAX_GRID_YZ = 65535,
    MAX_SHARED = 48 << 10,
    MAX_SHARED_OPTIN = 227 << 10,
    CONSTANT_BYTES = 64 << 10,
    REGISTERS = 65536,
    PAGE = 4096,
    FLUSH_LIMIT = 64 << 20,
    LINE = 64,
    LINE_PAIR = 2 * LINE,
};

struct allocation {
    struct allocation *next;
    uint64_t address;
    size_t bytes;
};

struct device {
    struct pool *pool;
    struct allocation *allocations;
    size_t allocated, memory;
    struct cache_lines lines;
    char *sweep; /* the buffer that flush_cache walks where lines cannot be flushed; NULL until it is first needed */
    size_t sweep_bytes;
    bool dead;
    struct error fault; /* why it is dead */
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
    while (device->allocations) {
        struct allocation *allocation = device->allocations;
        device->allocations = allocation->next;
        free((void *)(uintptr_t)allocation->address);
        free(allocation);
    }
    pool_destroy(device->pool);
    free(device->sweep);
    free(device);
}

static bool cpu_open(int ordinal, struct device **result, struct error *error)
{
    if (ordinal != 0)
        return error_set(error, ERROR_INPUT, "there is no device cpu:%d, only cpu:0", ordinal);
    struct device *device = calloc(1, sizeof *device);
    if (!device)
        return error_out_of_memory(error);
    if (!pool_create(MAX_SHARED_OPTIN, &device->pool, error)) {
        cpu_close(device);
        return false;
    }
    struct device_description machine;
    memset(&machine, 0, sizeof machine);
    machine_describe((int64_t)pool_size(device->pool), &machine);
    int64_t free_bytes = machine_free_bytes();
    device->memory = (size_t)(free_bytes > 0 ? free_bytes : machine.memory_bytes);
    int64_t cache = machine_cache_bytes();
    device->sweep_bytes = cache <= 0 || 2 * cache > FLUSH_LIMIT ? FLUSH_LIMIT : (size_t)(2 * cache);
    device->lines = cache_lines_find();
    device->rapl.folder = "/sys/class/powercap";
    *result = device;
    return true;
}

static bool need_sweep(struct device *device, struct error *error)
{
    if (device->sweep)
        return true;
    device->sweep = aligned_alloc(PAGE, device->sweep_bytes);
    if (!device->sweep)
        return error_set(error, ERROR_OUT_OF_MEMORY, "no memory for the %zu bytes that flush the caches",
                         device->sweep_bytes);
    memset(device->sweep, 1, device->sweep_bytes);
    return true;
}

/* The share of the sweep's buffer that belongs to one processor, in whole pairs of cache lines. */
static char *share_of(const struct device *device, size_t i, size_t *bytes)
{
    *bytes = device->sweep_bytes / pool_size(device->pool) / LINE_PAIR * LINE_PAIR;
    return device->sweep + i * *bytes;
}

static void copy_share(void *argument, size_t i)
{
    size_t bytes;
    char *share = share_of(argument, i, &bytes);
    memcpy(share, share + bytes / 2, bytes / 2);
}

static double seconds_between(const struct timespec *from, const struct timespec *to)
{
    return (double)(to->tv_sec - from->tv_sec) + (double)(to->tv_nsec - from->tv_nsec) * 1e-9;
}

/* The best of a few copies by all processors: reads and writes together. 0 if there is no memory to copy. */
static double measure_bandwidth(struct device *device)
{
    if (!need_sweep(device, NULL))
        return 0;
    double best = 0;
    for (int i = 0; i < 3; i++) {
        struct timespec before, after;
        clock_gettime(CLOCK_MONOTONIC_RAW, &before);
        pool_run(device->pool, copy_share, device);
        clock_gettime(CLOCK_MONOTONIC_RAW, &after);
        double seconds = seconds_between(&before, &after);
        double rate = seconds > 0 ? (double)device->sweep_bytes / seconds : 0;
        if (rate > best)
            best = rate;
    }
    return best;
}

static bool cpu_describe(struct device *device, struct device_description *description, struct error *error)
{
    (void)error;
    int64_t processors = (int64_t)pool_size(device->pool);
    memset(description, 0, sizeof *description);
    snprintf(description->kind, sizeof description->kind, "%s", cpu_driver.kind);
    machine_describe(processors, description);
    compiler_version(description->compiler, sizeof description->compiler);
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
    description->max_threads_per_sm = BLOCK_THREADS; /* a processor has one block at a time */
    description->max_blocks_per_sm = 1;
    description->sm_count = processors;
    description->constant_bytes = CONSTANT_BYTES;
    description->peak_bandwidth = measure_bandwidth(device);
    return true;
}

/* ---- modules ---- */

static bool alive(const struct device *device, struct error *error)
{
    if (device->dead && error)
        *error = device->fault;
    return !device->dead;
}

static bool cpu_load(struct device *device, const void *image, size_t bytes, struct module **module,
                     struct error *error)
{
    if (!alive(device, error))
        return false;
    return loader_open(image, bytes, module, error);
}

static void cpu_unload(struct device *device, struct module *module)
{
    (void)device;
    loader_close(module);
}

/* Static and dynamic shared memory have limits of their own and one together. */
static bool check_shared(const struct device_kernel *kernel, size_t dynamic, struct error *error)
{
    if (kernel->shared_bytes > MAX_SHARED)
        return error_set(error, ERROR_RESOURCES,
                         "kernel '%s' has %" PRId64 " bytes of static shared memory, the limit is %d", kernel->name,
                         kernel->shared_bytes, MAX_SHARED);
    if (dynamic > MAX_SHARED_OPTIN || kernel->shared_bytes + (int64_t)dynamic > MAX_SHARED_OPTIN)
        return error_set(error, ERROR_RESOURCES,
                         "kernel '%s' needs %" PRId64 " + %zu bytes of shared memory, the limit is %d", kernel->name,
                         kernel->shared_bytes, dynamic, MAX_SHARED_OPTIN);
    return true;
}

static bool cpu_resources(struct device *device, struct device_kernel *kernel, uint32_t block_threads,
                          size_t dynamic_shared, struct kernel_resources *resources, struct error *error)
{
    (void)device;
    if (!check_shared(kernel, dynamic_shared, error))
        return false;
    resources->registers = -1;
    resources->local_bytes = -1;
    resources->shared_bytes = kernel->shared_bytes + (int64_t)dynamic_shared;
    resources->max_threads = BLOCK_THREADS;
    resources->occupancy = block_threads > BLOCK_THREADS ? 0.0 : (double)block_threads / BLOCK_THREADS;
    return true;
}

/* ---- memory ---- */

static bool cpu_allocate(struct device *device, size_t bytes, uint64_t *address, struct error *error)
{
    if (bytes > device->memory || device->allocated > device->memory - bytes)
        return error_set(error, ERROR_DOES_NOT_FIT, "%zu bytes do not fit: %zu of %zu bytes are in use", bytes,
                         device->allocated, device->memory);
    struct allocation *allocation = malloc(sizeof *allocation);
    void *memory = NULL;
    if (!allocation || posix_memalign(&memory, PAGE, bytes ? bytes : 1) != 0) {
        free(allocation);
        return error_set(error, ERROR_OUT_OF_MEMORY, "no memory for %zu bytes", bytes);
    }
    *allocation = (struct allocation){device->allocations, (uint64_t)(uintptr_t)memory, bytes};
    device->allocations = allocation;
    device->allocated += bytes;
    *address = allocation->address;
    return true;
}

static void cpu_release(struct device *device, uint64_t address)
{
    for (struct allocation **link = &device->allocations; *link; link = &(*link)->next) {
        struct allocation *allocation = *link;
        if (allocation->address == address) {
            *link = allocation->next;
            device->allocated -= allocation->bytes;
            free((void *)(uintptr_t)address);
            free(allocation);
            return;
        }
    }
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

static bool check_dimensions(const char *what, const char *kernel, struct dimensions size, struct dimensions limit,
                             struct error *error)
{
    if (size.x >= 1 && size.y >= 1 && size.z >= 1 && size.x <= limit.x && size.y <= limit.y && size.z <= limit.z)
        return true;
    return error_set(error, ERROR_RESOURCES,
                     "kernel '%s': a %s of %" PRIu32 " x %" PRIu32 " x %" PRIu32 ", allowed are 1 x 1 x 1 to %" PRIu32
                     " x %" PRIu32 " x %" PRIu32,
                     kernel, what, size.x, size.y, size.z, limit.x, limit.y, limit.z);
}

static bool check_launch(const struct device_kernel *kernel, struct dimensions grid, struct dimensions block,
                         size_t dynamic_shared, size_t argument_count, struct error *error)
{
    static const struct dimensions max_grid = {MAX_GRID_X, MAX_GRID_YZ, MAX_GRID_YZ};
    static const struct dimensions max_block = {MAX_BLOCK_X, MAX_BLOCK_Y, MAX_BLOCK_Z};
    if (!check_dimensions("grid", kernel->name, grid, max_grid, error) ||
        !check_dimensions("block", kernel->name, block, max_block, error))
        return false;
    uint64_t threads = (uint64_t)block.x * block.y * block.z;
    if (threads > BLOCK_THREADS)
        return error_set(error, ERROR_RESOURCES, "kernel '%s': %" PRIu64 " threads a block, the limit is %d",
                         kernel->name, threads, BLOCK_THREADS);
    if (argument_count != kernel->entry->argument_count)
        return error_set(error, ERROR_INPUT, "kernel '%s' has %zu parameters and is given %zu arguments",
                         kernel->name, kernel->entry->argument_count, argument_count);
    return check_shared(kernel, dynamic_shared, error);
}

static bool cpu_launch(struct device *device, struct device_kernel *kernel, struct dimensions grid,
                       struct dimensions block, size_t dynamic_shared, void *const *arguments, size_t argument_count,
                       struct error *error)
{
    if (!alive(device, error) || !check_launch(kernel, grid, block, dynamic_shared, argument_count, error))
        return false;
    struct block_work work = {
        .run = kernel->entry->run,
        .arguments = (void **)(uintptr_t)arguments,
        .context = kernel->context,
        .grid = {grid.x, grid.y, grid.z},
        .block = {block.x, block.y, block.z},
        .dynamic_shared = dynamic_shared,
        .watch = device->watch,
    };
    struct error fault;
    if (!pool_launch(device->pool, &work, &fault)) {
        device->dead = true;
        error_set(&device->fault, fault.code, "kernel '%s': %s", kernel->name, fault.text);
    }
    return true;
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
    *nanoseconds = seconds_between(&device->started, &now) * 1e9;
    return alive(device, error);
}

/* Each processor writes to the lines of its share, which also empties the caches that it has to itself. */
static void dirty_share(void *argument, size_t i)
{
    size_t bytes;
    volatile char *share = share_of(argument, i, &bytes);
    for (size_t at = 0; at < bytes; at += LINE)
        share[at]++;
}

/* The lines of one processor's share of each allocation. */
static void flush_share(void *argument, size_t i)
{
    const struct device *device = argument;
    size_t processors = pool_size(device->pool);
    for (const struct allocation *a = device->allocations; a; a = a->next) {
        size_t share = (a->bytes / processors / PAGE + 1) * PAGE, start = i * share;
        if (start < a->bytes)
            cache_lines_flush(device->lines, (const char *)(uintptr_t)a->address + start,
                              a->bytes - start < share ? a->bytes - start : share);
    }
}

/* Only what lies in allocations is flushed, where that is possible and takes no longer than to fill the caches anew.
 */
static bool cpu_flush_cache(struct device *device, struct error *error)
{
    if (!alive(device, error))
        return false;
    if (device->lines.bytes > 0 && device->allocated <= device->sweep_bytes) {
        pool_run(device->pool, flush_share, device);
        return true;
    }
    if (!need_sweep(device, error))
        return false;
    pool_run(device->pool, dirty_share, device);
    return true;
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
    return pool_divergent_barriers(device->pool);
}

const struct device_driver cpu_driver = {
    .kind = "cpu",
    .title = "CPU device",
    .accelerator = false,
    .count = cpu_count,
    .open = cpu_open,
    .close = cpu_close,
    .describe = cpu_describe,
    .compile = compiler_run,
    .compile_identity = compiler_identity,
    .load = cpu_load,
    .unload = cpu_unload,
    .kernel = loader_kernel,
    .symbol = loader_symbol,
    .resources = cpu_resources,
    .allocate = cpu_allocate,
    .release = cpu_release,
    .upload = cpu_upload,
    .download = cpu_download,
    .copy = cpu_copy,
    .fill = cpu_fill,
    .launch = cpu_launch,
    .synchronize = cpu_synchronize,
    .start = cpu_start,
    .stop = cpu_stop,
    .flush_cache = cpu_flush_cache,
    .state = cpu_state,
    .energy = cpu_energy,
    .shares_cores = true,
};

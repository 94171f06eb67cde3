/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/device/host_part.h"

#include "tuner/device/cpu/cpu.h"
#include "tuner/device/cpu/toolchain.h"
#include "tuner/device/guest.h"

#include <pthread.h>
#include <stdalign.h>
#include <stdlib.h>
#include <string.h>

struct host {
    struct device *device;
    pthread_mutex_t lock; /* of all that follows, and of launches */
    size_t queued;        /* calls that have not run */
    bool failed;
    struct error failure;
};

const char *host_kernel_name(const char *name)
{
    static const size_t length = sizeof HOST_KERNEL - 1;
    return strncmp(name, HOST_KERNEL, length) == 0 ? name + length : NULL;
}

bool host_is_wanted(const struct compile_request *request)
{
    for (size_t i = 0; i < request->kernel_count; i++) {
        if (host_kernel_name(request->kernels[i]))
            return true;
    }
    return false;
}

void host_compiler(char *name, size_t bytes)
{
    if (!toolchain_version(name, bytes, NULL))
        name[0] = '\0';
}

/* ---- compiling ---- */

static const char magic[8] = {'T', 'U', 'N', 'E', 'H', 'O', 'S', 'T'};

/* The magic, how long the first image is, the first and the second. */
enum { HEADER_BYTES = sizeof magic + sizeof(uint64_t) };

/* Take over the images of both results. */
static bool join(struct compile_result *own, const struct compile_result *host, struct error *error)
{
    const uint64_t length = own->image_bytes;
    size_t bytes = HEADER_BYTES + own->image_bytes + host->image_bytes;
    unsigned char *image = malloc(bytes);
    if (!image)
        return error_out_of_memory(error);
    memcpy(image, magic, sizeof magic);
    memcpy(image + sizeof magic, &length, sizeof length);
    memcpy(image + HEADER_BYTES, own->image, own->image_bytes);
    memcpy(image + HEADER_BYTES + own->image_bytes, host->image, host->image_bytes);
    free(own->image);
    own->image = image;
    own->image_bytes = bytes;
    return true;
}

bool host_image_split(const void *image, size_t bytes, struct host_image *parts, struct error *error)
{
    const unsigned char *start = image;
    uint64_t length;
    *parts = (struct host_image){.own = image, .own_bytes = bytes};
    if (bytes < sizeof magic || memcmp(start, magic, sizeof magic) != 0)
        return true;
    if (bytes < HEADER_BYTES)
        return error_set(error, ERROR_WORK, "the compiled program is truncated");
    memcpy(&length, start + sizeof magic, sizeof length);
    if (length > bytes - HEADER_BYTES)
        return error_set(error, ERROR_WORK, "the compiled program is truncated");
    *parts = (struct host_image){.own = start + HEADER_BYTES,
                                 .own_bytes = (size_t)length,
                                 .host = start + HEADER_BYTES + length,
                                 .host_bytes = bytes - HEADER_BYTES - (size_t)length};
    return true;
}

/* The names of the host's kernels without HOST_KERNEL, or those of the others. NULL: out of memory. */
static const char **choose(const struct compile_request *request, bool of_host, size_t *count)
{
    const char **names = calloc(request->kernel_count + 1, sizeof *names);
    *count = 0;
    for (size_t i = 0; names && i < request->kernel_count; i++) {
        const char *name = host_kernel_name(request->kernels[i]);
        if ((name != NULL) == of_host)
            names[(*count)++] = of_host ? name : request->kernels[i];
    }
    return names;
}

static bool compile_host_kernels(const struct compile_request *request, struct compile_result *result,
                                 struct error *error)
{
    struct device_description description = {.kind = "cpu"};
    struct compile_request host = *request;
    const char **kernels = choose(request, true, &host.kernel_count);
    if (!kernels)
        return error_out_of_memory(error);
    host.kernels = kernels;
    host.symbols = NULL;
    host.symbol_count = 0;
    bool done = toolchain_version(description.compiler, sizeof description.compiler, error) &&
                cpu_driver.compile(&description, &host, result, error);
    free(kernels);
    return done;
}

/* What the host's compiler makes of the same source. */
static bool add_host_kernels(const struct compile_request *request, struct compile_result *result,
                             struct error *error)
{
    struct compile_result host = {0};
    bool done = compile_host_kernels(request, &host, error) && (!host.compiled || join(result, &host, error));
    result->seconds += host.seconds;
    if (done && !host.compiled) {
        host.seconds = result->seconds;
        host.spill_bytes = -1;
        free(result->image);
        free(result->log);
        *result = host;
        return true;
    }
    free(host.image);
    free(host.log);
    return done;
}

bool host_compile(device_compiler *compile, const struct device_description *description,
                  const struct compile_request *request, struct compile_result *result, struct error *error)
{
    struct compile_request own = *request;
    const char **kernels = choose(request, false, &own.kernel_count);
    if (!kernels)
        return error_out_of_memory(error);
    own.kernels = kernels;
    bool done = compile(description, &own, result, error);
    if (done && result->compiled && !add_host_kernels(request, result, error)) {
        free(result->image);
        free(result->log);
        *result = (struct compile_result){.spill_bytes = -1};
        done = false;
    }
    free(kernels);
    return done;
}

/* ---- loading ---- */

bool host_open(bool guest, struct host **result, struct error *error)
{
    struct device_description description;
    struct host *host = calloc(1, sizeof *host);
    if (!host)
        return error_out_of_memory(error);
    if (!(guest ? cpu_driver.guest->attach(0, &host->device, &description, error)
                : cpu_driver.open(0, &host->device, error))) {
        free(host);
        return false;
    }
    pthread_mutex_init(&host->lock, NULL);
    *result = host;
    return true;
}

static bool has_queued(struct host *host)
{
    pthread_mutex_lock(&host->lock);
    bool queued = host->queued > 0;
    pthread_mutex_unlock(&host->lock);
    return queued;
}

void host_close(struct host *host)
{
    if (!host || has_queued(host))
        return;
    cpu_driver.close(host->device);
    pthread_mutex_destroy(&host->lock);
    free(host);
}

bool host_load(struct host *host, const struct host_image *parts, struct host_module **module, struct error *error)
{
    struct module *loaded;
    if (!cpu_driver.load(host->device, parts->host, parts->host_bytes, &loaded, error))
        return false;
    *module = (struct host_module *)loaded;
    return true;
}

void host_unload(struct host *host, struct host_module *module)
{
    if (!has_queued(host))
        cpu_driver.unload(host->device, (struct module *)module);
}

bool host_find(struct host *host, struct host_module *module, const char *name, struct host_kernel **kernel,
               struct error *error)
{
    struct device_kernel *found;
    (void)host;
    if (!cpu_driver.kernel((struct module *)module, name, &found, error))
        return false;
    *kernel = (struct host_kernel *)found;
    return true;
}

const struct kernel_parameter *host_parameters(const struct host *host, const struct host_kernel *kernel,
                                               size_t *count)
{
    (void)host;
    return cpu_driver.parameters((const struct device_kernel *)kernel, count);
}

bool host_resources(struct host *host, struct host_kernel *kernel, const struct launch_shape *shape,
                    struct kernel_resources *resources, struct error *error)
{
    return cpu_driver.resources(host->device, (struct device_kernel *)kernel, shape, resources, error);
}

/* ---- calls ---- */

struct host_call {
    struct host *host;
    struct device_kernel *kernel;
    struct launch_shape shape;
    size_t argument_count;
    void **arguments;
    unsigned char *room; /* that they point into */
};

static size_t rounded(size_t bytes)
{
    return (bytes + alignof(max_align_t) - 1) / alignof(max_align_t) * alignof(max_align_t);
}

/* Of an argument; a number or an address if it is not known. */
static size_t argument_bytes(const struct kernel_parameter *parameter)
{
    return parameter->type.bytes ? parameter->type.bytes : sizeof(uint64_t);
}

/* Room for the arguments behind the call, each as aligned as anything. */
static struct host_call *allocate(const struct kernel_parameter *parameters, size_t count)
{
    size_t bytes = rounded(sizeof(struct host_call)) + rounded(count * sizeof(void *));
    for (size_t i = 0; i < count; i++)
        bytes += rounded(argument_bytes(&parameters[i]));
    struct host_call *call = calloc(1, bytes);
    if (!call)
        return NULL;
    call->argument_count = count;
    call->arguments = (void **)(void *)((unsigned char *)call + rounded(sizeof *call));
    call->room = (unsigned char *)call->arguments + rounded(count * sizeof(void *));
    return call;
}

bool host_call_create(struct host *host, struct host_kernel *kernel, const struct launch_shape *shape,
                      void *const *arguments, size_t argument_count, struct host_call **result, struct error *error)
{
    size_t count;
    const struct kernel_parameter *parameters = host_parameters(host, kernel, &count);
    if (count != argument_count)
        return error_set(error, ERROR_INPUT, "a kernel of the host takes %zu arguments, but the launch passes %zu",
                         count, argument_count);
    struct host_call *call = allocate(parameters, count);
    if (!call)
        return error_out_of_memory(error);
    call->host = host;
    call->kernel = (struct device_kernel *)kernel;
    call->shape = *shape;
    unsigned char *at = call->room;
    for (size_t i = 0; i < count; i++) {
        call->arguments[i] = at;
        memcpy(at, arguments[i], argument_bytes(&parameters[i]));
        at += rounded(argument_bytes(&parameters[i]));
    }
    pthread_mutex_lock(&host->lock);
    host->queued++;
    pthread_mutex_unlock(&host->lock);
    *result = call;
    return true;
}

static void finish(struct host_call *call, bool runs)
{
    struct host *host = call->host;
    pthread_mutex_lock(&host->lock);
    if (runs && !host->failed)
        host->failed = !cpu_driver.launch(host->device, call->kernel, &call->shape, call->arguments,
                                          call->argument_count, &host->failure) ||
                       !cpu_driver.synchronize(host->device, &host->failure); /* which tells of a fault */
    host->queued--;
    pthread_mutex_unlock(&host->lock);
    free(call);
}

void host_call_run(void *call)
{
    finish(call, true);
}

void host_call_drop(struct host_call *call)
{
    finish(call, false);
}

bool host_check(struct host *host, struct error *error)
{
    if (!host)
        return true;
    pthread_mutex_lock(&host->lock);
    bool failed = host->failed;
    if (failed && error)
        *error = host->failure;
    host->failed = false;
    pthread_mutex_unlock(&host->lock);
    return !failed;
}

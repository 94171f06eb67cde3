/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/device/cuda/module.h"

#include "tuner/device/cuda/cubin.h"
#include "tuner/device/cuda/groups.h"
#include "tuner/device/cuda/mangled.h"
#include "tuner/device/cuda/result.h"

#include <stdlib.h>
#include <string.h>

bool module_load(const struct context *context, const void *image, size_t bytes, struct module **result,
                 struct error *error)
{
    struct module *module = calloc(1, sizeof *module);
    void *copy = malloc(bytes ? bytes : 1);
    if (!module || !copy) {
        error_out_of_memory(error);
        goto failed;
    }
    memcpy(copy, image, bytes);
    *module = (struct module){.context = context, .image = copy};
    if (!image_view(copy, bytes, &module->view, error))
        goto failed;
    if (!cuda_check(&context->cuda, context->cuda.module_load(&module->handle, module->view.cubin), error,
                    "loading a compiled program")) {
        error_hint(error, "was it compiled for another GPU, or by a compiler newer than the driver?");
        goto failed;
    }
    *result = module;
    return true;

failed:
    free(copy);
    free(module);
    return false;
}

static void kernel_free(struct device_kernel *kernel)
{
    free(kernel->parameters);
    free(kernel);
}

void module_unload(struct module *module)
{
    if (!module)
        return;
    module->context->cuda.module_unload(module->handle);
    if (module->host)
        host_unload(module->context->host, module->host);
    while (module->kernels) {
        struct device_kernel *kernel = module->kernels;
        module->kernels = kernel->next;
        kernel_free(kernel);
    }
    free(module->image);
    free(module);
}

/* The driver knows the size of a parameter from CUDA 12.4 on; before, the cubin does. */
static size_t parameter_bytes(const struct device_kernel *kernel, const struct cubin_kernel *facts, size_t index)
{
    const struct cuda_library *cuda = &kernel->module->context->cuda;
    size_t offset, bytes;
    if (cuda->parameter && cuda->parameter(kernel->function, index, &offset, &bytes) == CUDA_SUCCESS)
        return bytes;
    return index < CUBIN_PARAMETERS ? facts->parameter_bytes[index] : 0;
}

/* Types come from the kernel's C++ name, unless they contradict the sizes: then it was misread. */
static bool read_parameters(struct device_kernel *kernel, const struct cubin_kernel *facts, struct error *error)
{
    size_t count = kernel->parameter_count = facts->parameter_count;
    kernel->parameters = calloc(count + 1, sizeof *kernel->parameters);
    if (!kernel->parameters)
        return error_out_of_memory(error);
    bool typed = mangled_parameters(kernel->lowered, kernel->parameters, count);
    for (size_t i = 0; i < count && typed; i++) {
        size_t named = kernel->parameters[i].type.bytes, actual = parameter_bytes(kernel, facts, i);
        typed = named == 0 || actual == 0 || named == actual;
    }
    if (!typed)
        memset(kernel->parameters, 0, count * sizeof *kernel->parameters);
    for (size_t i = 0; i < count; i++) {
        size_t bytes = parameter_bytes(kernel, facts, i);
        if (bytes > 0)
            kernel->parameters[i].type.bytes = bytes;
    }
    return true;
}

static bool read_kernel(struct device_kernel *kernel, struct error *error)
{
    const struct module *module = kernel->module;
    const struct cuda_library *cuda = &module->context->cuda;
    if (!cuda_check(cuda, cuda->module_function(&kernel->function, module->handle, kernel->lowered), error,
                    "looking up the kernel '%s'", kernel->name))
        return false;

    const struct {
        int attribute;
        int *value;
    } attributes[] = {
        {CUDA_FUNCTION_REGISTERS, &kernel->registers},
        {CUDA_FUNCTION_LOCAL, &kernel->local_bytes},
        {CUDA_FUNCTION_STATIC_SHARED, &kernel->static_shared},
        {CUDA_FUNCTION_MAX_THREADS, &kernel->max_threads},
        {CUDA_FUNCTION_MAX_DYNAMIC_SHARED, &kernel->dynamic_allowed},
    };
    for (size_t i = 0; i < sizeof attributes / sizeof *attributes; i++) {
        if (!cuda_check(cuda,
                        cuda->function_attribute(attributes[i].value, attributes[i].attribute, kernel->function),
                        error, "reading the attributes of the kernel '%s'", kernel->name))
            return false;
    }
    groups_read(kernel);
    struct cubin_kernel facts;
    if (!cubin_kernel(module->view.cubin, module->view.cubin_bytes, kernel->lowered, &facts, error))
        return false;
    return read_parameters(kernel, &facts, error);
}

bool module_kernel(struct module *module, const char *name, struct device_kernel **result, struct error *error)
{
    for (struct device_kernel *kernel = module->kernels; kernel; kernel = kernel->next) {
        if (strcmp(kernel->name, name) == 0) {
            *result = kernel;
            return true;
        }
    }
    const char *of_host = host_kernel_name(name), *lowered = image_lowered(&module->view, name);
    if (of_host ? !module->host : !lowered)
        return error_set(error, ERROR_INPUT, "the program was compiled without the kernel '%s'", name);

    size_t size = strlen(name) + 1;
    struct device_kernel *kernel = calloc(1, sizeof *kernel + size);
    if (!kernel)
        return error_out_of_memory(error);
    memcpy(kernel->name, name, size);
    kernel->module = module;
    kernel->lowered = lowered;
    if (of_host ? !host_find(module->context->host, module->host, of_host, &kernel->host, error)
                : !read_kernel(kernel, error)) {
        kernel_free(kernel);
        return false;
    }
    kernel->next = module->kernels;
    module->kernels = kernel;
    *result = kernel;
    return true;
}

bool module_symbol(struct module *module, const char *name, uint64_t *address, size_t *bytes, struct error *error)
{
    char *expression;
    if (asprintf(&expression, "&%s", name) < 0)
        return error_out_of_memory(error);
    const char *lowered = image_lowered(&module->view, expression);
    free(expression);
    if (!lowered)
        return error_set(error, ERROR_INPUT, "the program was compiled without the variable '%s'", name);
    const struct cuda_library *cuda = &module->context->cuda;
    return cuda_check(cuda, cuda->module_global(address, bytes, module->handle, lowered), error,
                      "looking up the variable '%s'", name);
}

const struct kernel_parameter *module_parameters(const struct device_kernel *kernel, size_t *count)
{
    if (kernel->host)
        return host_parameters(kernel->module->context->host, kernel->host, count);
    *count = kernel->parameter_count;
    return kernel->parameters;
}

/* Allow launches this much dynamic shared memory; beyond 48 KiB the driver wants to be asked once. */
static bool allow_dynamic_shared(struct device_kernel *kernel, size_t bytes, struct error *error)
{
    const struct context *context = kernel->module->context;
    const struct device_description *limits = &context->description;
    int64_t most = limits->max_shared_per_block_optin - kernel->static_shared;
    if (bytes > INT32_MAX || (int64_t)bytes > most)
        return error_set(
            error, ERROR_RESOURCES,
            "the kernel '%s' needs %zu bytes of shared memory per block (%d of them static); %s has %lld",
            kernel->name, bytes + (size_t)kernel->static_shared, kernel->static_shared, limits->name,
            (long long)limits->max_shared_per_block_optin);
    if ((int64_t)bytes <= kernel->dynamic_allowed)
        return true;
    cuda_result result = context->cuda.function_set(kernel->function, CUDA_FUNCTION_MAX_DYNAMIC_SHARED, (int)most);
    if (!cuda_check(&context->cuda, result, error, "reserving %zu bytes of shared memory for the kernel '%s'", bytes,
                    kernel->name))
        return false;
    kernel->dynamic_allowed = (int)most;
    return true;
}

/* Allow as many launches by kernels to wait; the context keeps the largest number. Setting it makes room for them,
 * may wait for the device and cannot be captured: it is done when resources are looked at, before anything is
 * launched; at a launch, where that was of another shape. */
static bool allow_launches(const struct device_kernel *kernel, uint32_t launches, struct error *error)
{
    const struct cuda_library *cuda = &kernel->module->context->cuda;
    size_t allowed = 0;
    if (launches == 0)
        return true;
    if (!cuda_check(cuda, cuda->limit(&allowed, CUDA_LIMIT_LAUNCHES), error, "reading how many launches may wait"))
        return false;
    return allowed >= launches || cuda_check(cuda, cuda->limit_set(CUDA_LIMIT_LAUNCHES, launches), error,
                                             "making room for %u launches by '%s'", launches, kernel->name);
}

bool module_resources(struct device_kernel *kernel, const struct launch_shape *shape,
                      struct kernel_resources *resources, struct error *error)
{
    const struct context *context = kernel->module->context;
    uint64_t block_threads = (uint64_t)shape->block.x * shape->block.y * shape->block.z;
    if (kernel->host)
        return host_resources(context->host, kernel->host, shape, resources, error);
    if (!allow_dynamic_shared(kernel, shape->dynamic_shared, error) ||
        !allow_launches(kernel, shape->launches, error))
        return false;
    *resources = (struct kernel_resources){
        .registers = kernel->registers,
        .local_bytes = kernel->local_bytes,
        .shared_bytes = kernel->static_shared + (int64_t)shape->dynamic_shared,
        .max_threads = kernel->max_threads,
    };
    if (block_threads == 0 || block_threads > (uint64_t)kernel->max_threads)
        return true;
    int blocks;
    cuda_result result =
        context->cuda.occupancy(&blocks, kernel->function, (int)block_threads, shape->dynamic_shared);
    if (!cuda_check(&context->cuda, result, error, "computing the occupancy of the kernel '%s'", kernel->name))
        return false;
    resources->occupancy = (double)blocks * (double)block_threads / (double)context->description.max_threads_per_sm;
    return groups_check(kernel, shape, blocks, error);
}

/* Mistakes that the driver would refuse without a reason, or miss. */
static bool check_launch(struct device_kernel *kernel, const struct launch_shape *shape, size_t argument_count,
                         struct error *error)
{
    struct dimensions grid = shape->grid, block = shape->block;
    if (argument_count != kernel->parameter_count)
        return error_set(error, ERROR_INPUT, "the kernel '%s' takes %zu arguments, but the launch passes %zu",
                         kernel->name, kernel->parameter_count, argument_count);
    if (grid.x == 0 || grid.y == 0 || grid.z == 0 || block.x == 0 || block.y == 0 || block.z == 0)
        return error_set(error, ERROR_INPUT, "the launch of '%s' is empty: a grid of %ux%ux%u, blocks of %ux%ux%u",
                         kernel->name, grid.x, grid.y, grid.z, block.x, block.y, block.z);

    const struct device_description *limits = &kernel->module->context->description;
    int64_t most = kernel->max_threads;
    bool fits = block.x <= limits->max_block_x && block.y <= limits->max_block_y && block.z <= limits->max_block_z &&
                (int64_t)block.x * block.y <= most && (int64_t)block.x * block.y * block.z <= most;
    if (!fits)
        return error_set(
            error, ERROR_RESOURCES,
            "the kernel '%s' cannot run blocks of %ux%ux%u threads on %s: its %d registers per thread and "
            "its launch bounds allow %lld threads per block",
            kernel->name, block.x, block.y, block.z, limits->name, kernel->registers, (long long)most);
    if (grid.x > limits->max_grid_x || grid.y > limits->max_grid_y || grid.z > limits->max_grid_z)
        return error_set(error, ERROR_RESOURCES,
                         "the kernel '%s' cannot run a grid of %ux%ux%u blocks: the limit of %s is %lldx%lldx%lld",
                         kernel->name, grid.x, grid.y, grid.z, limits->name, (long long)limits->max_grid_x,
                         (long long)limits->max_grid_y, (long long)limits->max_grid_z);
    return true;
}

/* The stream calls the host when its turn comes; a call uses no CUDA, as the driver asks of it. */
static bool launch_on_host(struct device_kernel *kernel, cuda_stream stream, const struct launch_shape *shape,
                           void *const *arguments, size_t argument_count, struct error *error)
{
    const struct context *context = kernel->module->context;
    struct host_call *call;
    if (!host_call_create(context->host, kernel->host, shape, arguments, argument_count, &call, error))
        return false;
    if (cuda_check(&context->cuda, context->cuda.launch_host(stream, host_call_run, call), error, "queueing '%s'",
                   kernel->name))
        return true;
    host_call_drop(call);
    return false;
}

bool module_launch_quickly(const struct context *context, struct device_kernel *kernel, cuda_stream stream,
                           const struct launch_shape *shape, void *const *arguments)
{
    return !kernel->host && !groups_has_attributes(shape) &&
           context->cuda.launch(kernel->function, shape->grid.x, shape->grid.y, shape->grid.z, shape->block.x,
                                shape->block.y, shape->block.z, (unsigned)shape->dynamic_shared, stream,
                                (void **)arguments, NULL) == CUDA_SUCCESS;
}

bool module_launch(struct device_kernel *kernel, cuda_stream stream, const struct launch_shape *shape,
                   void *const *arguments, size_t argument_count, struct error *error)
{
    const struct context *context = kernel->module->context;
    struct dimensions grid = shape->grid, block = shape->block;
    if (kernel->host)
        return launch_on_host(kernel, stream, shape, arguments, argument_count, error);
    if (!check_launch(kernel, shape, argument_count, error) ||
        !allow_dynamic_shared(kernel, shape->dynamic_shared, error) ||
        !allow_launches(kernel, shape->launches, error))
        return false;
    if (groups_has_attributes(shape))
        return groups_launch(kernel, stream, shape, arguments, error);
    cuda_result result = context->cuda.launch(kernel->function, grid.x, grid.y, grid.z, block.x, block.y, block.z,
                                              (unsigned)shape->dynamic_shared, stream, (void **)arguments, NULL);
    if (cuda_check(&context->cuda, result, error, "launching '%s' with a grid of %ux%ux%u and blocks of %ux%ux%u",
                   kernel->name, grid.x, grid.y, grid.z, block.x, block.y, block.z))
        return true;
    if (result == CUDA_INVALID_VALUE && error)
        error->code = ERROR_RESOURCES; /* of everything a launch passes, only its sizes can be at fault */
    return false;
}

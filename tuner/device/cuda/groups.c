/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/device/cuda/groups.h"

#include "tuner/device/cuda/result.h"

#include <inttypes.h>

/* CUDA C++ Programming Guide, "Thread Block Clusters". */
enum { CLUSTER_CAPABILITY = 90, CLUSTER_PORTABLE = 8 };

static uint64_t volume(struct dimensions size)
{
    return (uint64_t)size.x * size.y * size.z;
}

/* Of the launch, or else the kernel's own; zeros: none. */
static struct dimensions cluster_of(const struct device_kernel *kernel, const struct launch_shape *shape)
{
    return shape->cluster.x ? shape->cluster : kernel->cluster;
}

void groups_read(struct device_kernel *kernel)
{
    const struct cuda_library *cuda = &kernel->module->context->cuda;
    int sizes[3] = {0};
    for (int i = 0; i < 3; i++) {
        if (cuda->function_attribute(&sizes[i], CUDA_FUNCTION_CLUSTER_WIDTH + i, kernel->function) != CUDA_SUCCESS ||
            sizes[i] <= 0)
            return;
    }
    kernel->cluster = (struct dimensions){(uint32_t)sizes[0], (uint32_t)sizes[1], (uint32_t)sizes[2]};
}

bool groups_has_attributes(const struct launch_shape *shape)
{
    return shape->cooperative || shape->cluster.x > 0;
}

static struct cuda_launch_config configure(cuda_stream stream, const struct launch_shape *shape,
                                           struct cuda_launch_attribute attributes[2])
{
    struct cuda_launch_config config = {
        .grid = {shape->grid.x, shape->grid.y, shape->grid.z},
        .block = {shape->block.x, shape->block.y, shape->block.z},
        .dynamic_shared = (unsigned)shape->dynamic_shared,
        .stream = stream,
        .attributes = attributes,
    };
    if (shape->cooperative)
        attributes[config.attribute_count++] =
            (struct cuda_launch_attribute){.id = CUDA_LAUNCH_COOPERATIVE, .value.cooperative = 1};
    if (shape->cluster.x > 0)
        attributes[config.attribute_count++] = (struct cuda_launch_attribute){
            .id = CUDA_LAUNCH_CLUSTER, .value.cluster = {shape->cluster.x, shape->cluster.y, shape->cluster.z}};
    return config;
}

/* ---- checks ---- */

static bool check_driver(const struct device_kernel *kernel, struct error *error)
{
    const struct cuda_library *cuda = &kernel->module->context->cuda;
    if (cuda->launch_config && cuda->occupancy_clusters)
        return true;
    error_set(error, ERROR_RESOURCES,
              "the kernel '%s' is launched cooperatively or in clusters, which this driver cannot", kernel->name);
    return error_hint(error, "install a driver of CUDA 11.8 or newer");
}

static bool check_cluster(const struct device_kernel *kernel, const struct launch_shape *shape, struct error *error)
{
    const struct device_description *limits = &kernel->module->context->description;
    struct dimensions size = cluster_of(kernel, shape), own = kernel->cluster, grid = shape->grid;
    if (limits->compute_capability < CLUSTER_CAPABILITY) {
        error_set(error, ERROR_RESOURCES,
                  "the kernel '%s' runs in clusters, which need compute capability 9.0; %s has "
                  "%" PRId64 ".%" PRId64,
                  kernel->name, limits->name, limits->compute_capability / 10, limits->compute_capability % 10);
        return error_hint(error, "exclude it in the space: where device.compute_capability >= 90 or ...");
    }
    if (own.x > 0 && (own.x != size.x || own.y != size.y || own.z != size.z))
        return error_set(error, ERROR_RESOURCES,
                         "the kernel '%s' has __cluster_dims__(%u, %u, %u), but is launched in clusters of %ux%ux%u",
                         kernel->name, own.x, own.y, own.z, size.x, size.y, size.z);
    if (grid.x % size.x == 0 && grid.y % size.y == 0 && grid.z % size.z == 0)
        return true;
    return error_set(error, ERROR_RESOURCES,
                     "the grid of '%s', %ux%ux%u blocks, is not a multiple of its clusters of %ux%ux%u", kernel->name,
                     grid.x, grid.y, grid.z, size.x, size.y, size.z);
}

/* Clusters of more than 8 blocks must be asked for. */
static bool allow_large(struct device_kernel *kernel, const struct launch_shape *shape, struct error *error)
{
    const struct cuda_library *cuda = &kernel->module->context->cuda;
    if (kernel->large_clusters || volume(shape->cluster) <= CLUSTER_PORTABLE)
        return true;
    cuda_result result = cuda->function_set(kernel->function, CUDA_FUNCTION_LARGE_CLUSTERS, 1);
    if (!cuda_check(cuda, result, error, "allowing clusters of %" PRIu64 " blocks for the kernel '%s'",
                    volume(shape->cluster), kernel->name)) {
        if (error && result == CUDA_INVALID_VALUE)
            error->code = ERROR_RESOURCES;
        return false;
    }
    kernel->large_clusters = true;
    return true;
}

/* How many clusters run at once. */
static bool count_clusters(struct device_kernel *kernel, const struct launch_shape *shape, int *count,
                           struct error *error)
{
    const struct cuda_library *cuda = &kernel->module->context->cuda;
    struct dimensions size = cluster_of(kernel, shape);
    struct cuda_launch_attribute attributes[2];
    const struct cuda_launch_config config = configure(kernel->module->context->stream, shape, attributes);
    if (!allow_large(kernel, shape, error))
        return false;
    *count = 0;
    cuda_result result = cuda->occupancy_clusters(count, kernel->function, &config);
    bool none = result == CUDA_INVALID_CLUSTER_SIZE || (result == CUDA_SUCCESS && *count == 0);
    if (none)
        return error_set(error, ERROR_RESOURCES,
                         "%s cannot run '%s' in clusters of %ux%ux%u blocks: too many, or they need too much shared "
                         "memory or registers",
                         kernel->module->context->description.name, kernel->name, size.x, size.y, size.z);
    return cuda_check(cuda, result, error, "computing how many clusters of the kernel '%s' run at once",
                      kernel->name);
}

bool groups_check(struct device_kernel *kernel, const struct launch_shape *shape, int blocks_per_sm,
                  struct error *error)
{
    const struct device_description *limits = &kernel->module->context->description;
    uint64_t cluster = volume(cluster_of(kernel, shape)), grid = volume(shape->grid);
    uint64_t most = (uint64_t)blocks_per_sm * (uint64_t)limits->sm_count;
    int clusters;
    if (cluster == 0 && !shape->cooperative)
        return true;
    if (!check_driver(kernel, error))
        return false;
    if (cluster > 0) {
        if (!check_cluster(kernel, shape, error) || !count_clusters(kernel, shape, &clusters, error))
            return false;
        most = (uint64_t)clusters * cluster;
    }
    if (!shape->cooperative || grid <= most)
        return true;
    error_set(error, ERROR_RESOURCES,
              "the cooperative grid of '%s' has %" PRIu64 " blocks, but %s runs only %" PRIu64 " of them at once",
              kernel->name, grid, limits->name, most);
    return error_hint(error, "let each block do more, on a grid of some blocks per multiprocessor (device.sm_count)");
}

/* ---- launch ---- */

bool groups_launch(struct device_kernel *kernel, cuda_stream stream, const struct launch_shape *shape,
                   void *const *arguments, struct error *error)
{
    const struct context *context = kernel->module->context;
    struct cuda_launch_attribute attributes[2];
    const struct cuda_launch_config config = configure(stream, shape, attributes);
    if (!check_driver(kernel, error) || !allow_large(kernel, shape, error))
        return false;
    cuda_result result = context->cuda.launch_config(&config, kernel->function, (void **)arguments, NULL);
    if (cuda_check(&context->cuda, result, error,
                   "launching '%s' with a grid of %ux%ux%u, blocks of %ux%ux%u and clusters of %ux%ux%u%s",
                   kernel->name, config.grid[0], config.grid[1], config.grid[2], config.block[0], config.block[1],
                   config.block[2], shape->cluster.x, shape->cluster.y, shape->cluster.z,
                   shape->cooperative ? ", cooperatively" : ""))
        return true;
    if (result == CUDA_INVALID_VALUE && error)
        error->code = ERROR_RESOURCES; /* as without attributes */
    return false;
}

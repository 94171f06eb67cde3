/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/device/cpu/launch_limits.h"

#include "tuner/device/cpu/live.h"

#include <inttypes.h>

static struct tune_index index_of(struct dimensions size)
{
    return (struct tune_index){size.x, size.y, size.z};
}

struct block_work launch_limits_work(const struct device_kernel *kernel, const struct launch_shape *shape)
{
    static const struct tune_index alone = {1, 1, 1};
    return (struct block_work){
        .context = kernel->context,
        .grid = index_of(shape->grid),
        .block = index_of(shape->block),
        .cluster = shape->cluster.x    ? index_of(shape->cluster)
                   : kernel->cluster.x ? kernel->cluster
                                       : alone,
        .cooperative = shape->cooperative,
        .dynamic_shared = shape->dynamic_shared,
        .shared_alignment = kernel->shared_alignment,
    };
}

/* Static shared memory has a limit of its own, and one together with dynamic. */
static bool check_shared(const struct device_kernel *kernel, size_t dynamic, struct error *error)
{
    if (kernel->shared_bytes > MAX_SHARED)
        return error_set(error, ERROR_RESOURCES,
                         "kernel '%s' has %" PRId64 " bytes of static shared memory; the limit is %d", kernel->name,
                         kernel->shared_bytes, MAX_SHARED);
    if (dynamic > MAX_SHARED_OPTIN || kernel->shared_bytes + (int64_t)dynamic > MAX_SHARED_OPTIN)
        return error_set(error, ERROR_RESOURCES,
                         "kernel '%s' needs %" PRId64 " + %zu bytes of shared memory; the limit is %d", kernel->name,
                         kernel->shared_bytes, dynamic, MAX_SHARED_OPTIN);
    return true;
}

/* May the blocks that wait for each other live at once? */
static bool check_live(const struct device_kernel *kernel, const struct launch_shape *shape, struct error *error)
{
    const struct block_work work = launch_limits_work(kernel, shape);
    struct error why;
    if (!live_is_needed(&work) || live_fits(&work, &why))
        return true;
    return error_set(error, why.code, "kernel '%s': %s", kernel->name, why.text);
}

bool launch_limits_fit(const struct device_kernel *kernel, const struct launch_shape *shape, struct error *error)
{
    return check_shared(kernel, shape->dynamic_shared, error) && check_live(kernel, shape, error);
}

static bool check_dimensions(const char *what, const char *kernel, struct dimensions size, struct dimensions limit,
                             struct error *error)
{
    if (size.x >= 1 && size.y >= 1 && size.z >= 1 && size.x <= limit.x && size.y <= limit.y && size.z <= limit.z)
        return true;
    return error_set(error, ERROR_RESOURCES,
                     "kernel '%s': a %s of %" PRIu32 " x %" PRIu32 " x %" PRIu32 " is outside 1 x 1 x 1 to %" PRIu32
                     " x %" PRIu32 " x %" PRIu32,
                     kernel, what, size.x, size.y, size.z, limit.x, limit.y, limit.z);
}

bool launch_limits_check(const struct device_kernel *kernel, const struct launch_shape *shape, struct error *error)
{
    struct dimensions grid = shape->grid, block = shape->block;
    static const struct dimensions max_grid = {MAX_GRID_X, MAX_GRID_YZ, MAX_GRID_YZ};
    static const struct dimensions max_block = {MAX_BLOCK_X, MAX_BLOCK_Y, MAX_BLOCK_Z};
    if (!check_dimensions("grid", kernel->name, grid, max_grid, error) ||
        !check_dimensions("block", kernel->name, block, max_block, error))
        return false;
    uint64_t threads = (uint64_t)block.x * block.y * block.z;
    if (threads > BLOCK_THREADS)
        return error_set(error, ERROR_RESOURCES, "kernel '%s': %" PRIu64 " threads per block; the limit is %d",
                         kernel->name, threads, BLOCK_THREADS);
    return launch_limits_fit(kernel, shape, error);
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/device/cpu/cores.h"

#include "tuner/device/cpu/launch.h"
#include "tuner/device/cpu/launch_limits.h"
#include "tuner/device/cpu/live.h"
#include "tuner/device/cpu/nested.h"
#include "tuner/device/cpu/pool.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <unistd.h>

struct cores {
    atomic_size_t users;
    pid_t process; /* whose threads they are: a process that it forks has none of them */
    bool traps;
    pthread_mutex_t lock; /* of launches */
    struct pool *pool;
    struct live *live;
    atomic_bool dead;
    struct error fault; /* why they are dead; does not change afterwards */
};

bool cores_open(bool traps, struct cores **result, struct error *error)
{
    struct cores *cores = calloc(1, sizeof *cores);
    if (!cores)
        return error_out_of_memory(error);
    pthread_mutex_init(&cores->lock, NULL);
    cores->users = 1;
    cores->process = getpid();
    cores->traps = traps;
    if (!pool_create(MAX_SHARED_OPTIN, &cores->pool, error) || !live_create(MAX_SHARED_OPTIN, &cores->live, error)) {
        cores_close(cores);
        return false;
    }
    *result = cores;
    return true;
}

struct cores *cores_share(struct cores *cores)
{
    atomic_fetch_add(&cores->users, 1);
    return cores;
}

void cores_close(struct cores *cores)
{
    if (!cores || atomic_fetch_sub(&cores->users, 1) > 1 || cores->process != getpid())
        return; /* what another process has lost is lost */
    live_destroy(cores->live);
    pool_destroy(cores->pool);
    pthread_mutex_destroy(&cores->lock);
    free(cores);
}

struct pool *cores_pool(const struct cores *cores)
{
    return cores->pool;
}

uint64_t cores_divergent_barriers(const struct cores *cores)
{
    return pool_divergent_barriers(cores->pool) + live_divergent_barriers(cores->live);
}

bool cores_alive(const struct cores *cores, struct error *error)
{
    if (cores->process != getpid()) {
        error_set(error, ERROR_SYSTEM, "the process was forked, and the CPU device's threads stayed behind");
        return error_hint(error, "load kernels in the process that launches them");
    }
    if (!atomic_load(&cores->dead))
        return true;
    if (error)
        *error = cores->fault;
    return false;
}

bool cores_launch(struct cores *cores, const struct device_kernel *kernel, const struct launch_shape *shape,
                  const struct block_watch *watch, void *const *arguments, struct error *error)
{
    struct nested *nested = nested_create(shape->launches ? shape->launches : DEVICE_LAUNCHES);
    if (!nested)
        return error_out_of_memory(error); /* nothing has run, so the device lives */
    const struct launcher launcher = {cores->pool, cores->live, watch, cores->traps, nested};
    struct error fault = {0};
    bool lacking = false; /* memory, which is no fault of the kernel's, and may be there next time */
    pthread_mutex_lock(&cores->lock);
    if (cores_alive(cores, NULL) && !launch_run(&launcher, kernel, shape, arguments, &fault)) {
        lacking = fault.code == ERROR_OUT_OF_MEMORY;
        if (!lacking) {
            cores->fault = fault;
            atomic_store(&cores->dead, true);
        }
    }
    pthread_mutex_unlock(&cores->lock);
    nested_destroy(nested);
    return !lacking || error_out_of_memory(error);
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/device/cpu/launch.h"

#include "tuner/device/cpu/launch_limits.h"
#include "tuner/device/cpu/live.h"
#include "tuner/device/cpu/nested.h"
#include "tuner/device/cpu/pool.h"

/* Run the blocks of a grid, `depth` grids below the host's launch. Its own launches wait in `nested` afterwards. */
static bool run_grid(const struct launcher *launcher, const struct device_kernel *kernel, struct block_work *work,
                     unsigned depth, struct error *error)
{
    work->watch = launcher->watch;
    work->traps = launcher->traps && !launcher->watch;
    work->launch = nested_add;
    work->launch_context = launcher->nested;
    nested_begin(launcher->nested, kernel, depth);
    return live_is_needed(work) ? live_launch(launcher->live, work, error) : pool_launch(launcher->pool, work, error);
}

static bool run_nested(const struct launcher *launcher, const struct nested_launch *launch, unsigned depth,
                       struct error *error)
{
    struct error fault;
    struct block_work work = launch_limits_work(launch->kernel, &launch->shape);
    work.run = launch->run;
    work.arguments = launch->arguments;
    return run_grid(launcher, launch->kernel, &work, depth, &fault) ||
           error_set(error, fault.code, "kernel '%s', launched by '%s' in line %d: %s", launch->kernel->name,
                     launch->parent, launch->line, fault.text);
}

/*
 * Complete what the grid before has launched, `depth` grids below the host's launch. A tail launch takes the place of
 * its grid, so it is no deeper, and its own tail launches come before those that wait already.
 */
static bool complete(const struct launcher *launcher, unsigned depth, struct error *error)
{
    struct nested_list children = nested_take(launcher->nested, false), tails = nested_take(launcher->nested, true);
    struct nested_launch *launch;
    bool done = true;
    while (done && (launch = nested_first(launcher->nested, &children))) {
        done = run_nested(launcher, launch, depth, error) && complete(launcher, depth + 1, error);
        nested_free(launch);
    }
    while (done && (launch = nested_first(launcher->nested, &tails))) {
        done = run_nested(launcher, launch, depth - 1, error);
        struct nested_list own = nested_take(launcher->nested, true);
        done = done && complete(launcher, depth, error);
        nested_prepend(&tails, own);
        nested_free(launch);
    }
    nested_free_all(&children);
    nested_free_all(&tails);
    return done;
}

bool launch_run(const struct launcher *launcher, const struct device_kernel *kernel, const struct launch_shape *shape,
                void *const *arguments, struct error *error)
{
    struct error fault;
    struct block_work work = launch_limits_work(kernel, shape);
    work.run = kernel->entry->run;
    work.arguments = (void **)(uintptr_t)arguments;
    return run_grid(launcher, kernel, &work, 0, &fault)
               ? complete(launcher, 1, error)
               : error_set(error, fault.code, "kernel '%s': %s", kernel->name, fault.text);
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/device/cpu/live.h"

#include "tuner/device/cpu/pool.h"
#include "tuner/device/cpu/team.h"
#include "tuner/device/cpu/trap.h"

#include <inttypes.h>
#include <stdatomic.h>
#include <stdlib.h>

struct live {
    size_t shared_bytes;
    struct pool *pool;           /* NULL: none yet */
    uint64_t divergent_barriers; /* of pools that were too small */
};

struct live_launch {
    struct pool *pool;
    const struct block_work *work;
    size_t members, slots; /* a slot is as many workers as a team has members */
    uint64_t teams;
    struct team **slot_teams;
    atomic_bool failed;
    struct error error; /* of the one that set `failed` */
};

/* ---- sizes ---- */

static uint64_t volume(struct tune_index size)
{
    return (uint64_t)size.x * size.y * size.z;
}

static uint64_t living(const struct block_work *work)
{
    return work->cooperative ? volume(work->grid) : volume(work->cluster);
}

bool live_is_needed(const struct block_work *work)
{
    return work->cooperative || volume(work->cluster) > 1;
}

bool live_fits(const struct block_work *work, struct error *error)
{
    struct tune_index grid = work->grid, cluster = work->cluster;
    uint64_t blocks = living(work), threads = blocks * volume(work->block);
    if (grid.x % cluster.x || grid.y % cluster.y || grid.z % cluster.z)
        return error_set(error, ERROR_RESOURCES,
                         "a grid of %ux%ux%u is not a multiple of its clusters of %ux%ux%u blocks", grid.x, grid.y,
                         grid.z, cluster.x, cluster.y, cluster.z);
    if (volume(cluster) > LIVE_CLUSTER)
        return error_set(error, ERROR_RESOURCES, "a cluster of %ux%ux%u has %" PRIu64 " blocks; the limit is %d",
                         cluster.x, cluster.y, cluster.z, volume(cluster), LIVE_CLUSTER);
    if (blocks <= LIVE_BLOCKS && threads <= LIVE_THREADS)
        return true;
    return error_set(
        error, ERROR_RESOURCES,
        "a cooperative grid of %" PRIu64 " blocks with %" PRIu64
        " threads is too large: all of them live at once, of which the CPU device can have %d blocks and "
        "%d threads",
        blocks, threads, LIVE_BLOCKS, LIVE_THREADS);
}

/* ---- blocks ---- */

static struct tune_index index_of(uint64_t i, struct tune_index size)
{
    uint64_t rows = i / size.x;
    return (struct tune_index){(uint32_t)(i % size.x), (uint32_t)(rows % size.y), (uint32_t)(rows / size.y)};
}

/* The n-th block, counted cluster by cluster. */
static struct tune_index block_of(const struct block_work *work, uint64_t n)
{
    struct tune_index grid = work->grid, size = work->cluster;
    struct tune_index clusters = {grid.x / size.x, grid.y / size.y, grid.z / size.z};
    struct tune_index cluster = index_of(n / volume(size), clusters), inside = index_of(n % volume(size), size);
    return (struct tune_index){cluster.x * size.x + inside.x, cluster.y * size.y + inside.y,
                               cluster.z * size.z + inside.z};
}

static void note_failure(struct live_launch *launch, const struct error *error)
{
    if (!atomic_exchange(&launch->failed, true))
        launch->error = *error;
}

static void run_member(void *argument, size_t number)
{
    struct live_launch *launch = argument;
    size_t slot = number / launch->members, member = number % launch->members;
    struct error error;
    if (slot >= launch->slots)
        return;
    struct tune_worker *worker = pool_worker(launch->pool, number);
    struct team *team = launch->slot_teams[slot];
    worker_join(worker, team, member);
    worker_begin(worker, launch->work);
    for (uint64_t i = slot; i < launch->teams; i += launch->slots) {
        if (!worker_meet(worker, atomic_load(&launch->failed)))
            break;
        if (!worker_run(worker, block_of(launch->work, i * launch->members + member), &error)) {
            note_failure(launch, &error);
            team_fail(team);
            break;
        }
        team_end(team, member);
    }
    if (!worker_finish(worker, &error))
        note_failure(launch, &error);
}

/* ---- launches ---- */

bool live_create(size_t shared_bytes, struct live **result, struct error *error)
{
    *result = calloc(1, sizeof **result);
    if (!*result)
        return error_out_of_memory(error);
    (*result)->shared_bytes = shared_bytes;
    return true;
}

void live_destroy(struct live *live)
{
    if (live)
        pool_destroy(live->pool);
    free(live);
}

uint64_t live_divergent_barriers(const struct live *live)
{
    return live->divergent_barriers + (live->pool ? pool_divergent_barriers(live->pool) : 0);
}

static bool reserve(struct live *live, size_t workers, struct error *error)
{
    if (live->pool && pool_size(live->pool) >= workers)
        return true;
    live->divergent_barriers = live_divergent_barriers(live);
    pool_destroy(live->pool);
    live->pool = NULL;
    return pool_create_of(workers, live->shared_bytes, &live->pool, error);
}

static void run(struct live_launch *launch)
{
    const struct block_watch *watch = launch->work->watch;
    if (launch->work->traps)
        trap_set();
    pool_run(launch->pool, run_member, launch);
    if (launch->work->traps)
        trap_clear();
    if (watch)
        watch->launched(watch->context);
}

bool live_launch(struct live *live, const struct block_work *work, struct error *error)
{
    struct live_launch launch = {.work = work, .members = (size_t)living(work)};
    size_t processors = pool_processors();
    launch.teams = volume(work->grid) / launch.members;
    launch.slots = work->watch || processors < launch.members ? 1 : processors / launch.members;
    if (launch.slots > launch.teams)
        launch.slots = (size_t)launch.teams;
    if (!reserve(live, launch.members * launch.slots, error))
        return false;
    launch.pool = live->pool;
    launch.slot_teams = calloc(launch.slots, sizeof(struct team *));
    bool created = launch.slot_teams || error_out_of_memory(error);
    for (size_t i = 0; created && i < launch.slots; i++)
        created =
            team_create(launch.members, (size_t)volume(work->cluster), work->watch, &launch.slot_teams[i], error);
    if (created)
        run(&launch);
    for (size_t i = 0; launch.slot_teams && i < launch.slots; i++)
        team_destroy(launch.slot_teams[i]);
    free(launch.slot_teams);
    if (created && atomic_load(&launch.failed) && error)
        *error = launch.error;
    return created && !atomic_load(&launch.failed);
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/device/cpu/worker.h"

#include <stdlib.h>

/* ---- barriers ---- */

static struct barrier *barrier_of(struct tune_worker *worker, unsigned scope)
{
    return &worker->wide[scope == TUNE_GRID];
}

/* All threads of this block are here: wait for the other blocks. */
static void open_wide(struct tune_worker *worker, unsigned scope)
{
    struct barrier *barrier = barrier_of(worker, scope);
    worker_tell_arrived(worker, barrier);
    if (worker->team &&
        !team_wait(worker->team, worker->member, (enum tune_scope)scope, barrier->at.line, &worker->fault))
        worker_leave(worker);
    if (!worker->team && worker->work->watch)
        worker->work->watch->barrier(worker->work->watch->context);
    worker->divergent_barriers += barrier->divergent;
    barrier->divergent = false;
    barrier->arrived = 0;
    queue_join(&worker->ready, &barrier->waiting);
}

void wide_barrier(struct tune_worker *worker, unsigned scope, int line)
{
    struct barrier *barrier = barrier_of(worker, scope);
    if (scope == TUNE_GRID && !worker->work->cooperative)
        worker_fault(worker, "the grid is synchronised, but its launch is not cooperative", line);
    worker_arrive(worker, barrier, (struct watched_place){line, __builtin_return_address(0)});
    if (barrier->arrived == worker->live)
        open_wide(worker, scope);
    else
        worker_park(worker, &barrier->waiting, scope == TUNE_GRID ? WAIT_GRID : WAIT_CLUSTER, line);
}

void wide_end_thread(struct tune_worker *worker)
{
    for (unsigned scope = TUNE_CLUSTER; scope <= TUNE_GRID; scope++) {
        if (barrier_of(worker, scope)->arrived == worker->live)
            open_wide(worker, scope);
    }
}

/* ---- distributed shared memory ---- */

/* The member of the team that is `rank` in this block's cluster; NULL: there is none. */
static struct tune_worker *peer(struct tune_worker *worker, uint32_t rank)
{
    if (!worker->team)
        return rank == 0 ? worker : NULL;
    size_t cluster = team_cluster(worker->team);
    return rank < cluster ? team_worker(worker->team, worker->member / cluster * cluster + rank) : NULL;
}

/* Variables in shared memory are thread-local: those of a block are as far from its context as another's are. */
void *wide_peer(struct tune_worker *worker, const void *pointer, uint32_t rank, int line)
{
    const struct tune_worker *other = peer(worker, rank);
    if (!other)
        worker_fault(worker, "shared memory is asked for of a block that the cluster does not have", line);
    uintptr_t offset = (uintptr_t)pointer - (uintptr_t)worker->shared.base;
    if (offset <= worker->shared.given)
        return other->shared.base + offset;
    return (char *)other->context + ((intptr_t)pointer - (intptr_t)worker->context); /* on either side of it */
}

static uintptr_t distance(const void *a, const void *b)
{
    uintptr_t x = (uintptr_t)a, y = (uintptr_t)b;
    return x > y ? x - y : y - x;
}

uint32_t wide_rank(struct tune_worker *worker, const void *pointer)
{
    uint32_t nearest = 0;
    uintptr_t least = UINTPTR_MAX;
    const struct tune_worker *other;
    for (uint32_t rank = 0; (other = peer(worker, rank)); rank++) {
        if ((uintptr_t)pointer - (uintptr_t)other->shared.base <= other->shared.given)
            return rank;
        uintptr_t far = distance(pointer, other->context);
        nearest = far < least ? rank : nearest;
        least = far < least ? far : least;
    }
    return nearest;
}

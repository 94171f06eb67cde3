/* SPDX-License-Identifier: Apache-2.0 */
/*
 * team.h - blocks that live at the same time and wait for each other: a cluster, or the grid of a cooperative launch.
 *
 * Each member, a block, has a worker on an operating-system thread of its own. The threads meet here: at the start of
 * each team, at barriers of a cluster or of the grid, and when none of them can go on, which is a deadlock. A
 * cluster's barrier waits for the blocks that have not ended; that of the grid for all, as on a GPU, where a block
 * that ended never arrives. Members are numbered cluster by cluster.
 *
 * A watched team runs one member at a time, always in the same order: who waits or ends passes its turn on.
 */
#ifndef TUNE_DEVICE_CPU_TEAM_H
#define TUNE_DEVICE_CPU_TEAM_H

#include "tuner/device/cpu/kernel_abi.h"
#include "tuner/device/cpu/watch.h"
#include "tuner/error/error.h"

struct team;

/* `cluster` is the number of blocks in a cluster, which divides `members`. With a watch one member runs at a time. */
bool team_create(size_t members, size_t cluster, const struct block_watch *watch, struct team **team,
                 struct error *error);
void team_destroy(struct team *team);

/* What a member's peers may ask for: set before its first team_begin. */
void team_place(struct team *team, size_t member, struct tune_worker *worker);
struct tune_worker *team_worker(const struct team *team, size_t member);
size_t team_cluster(const struct team *team);

/*
 * Wait until all members are here, so that all have ended their blocks and all have been placed, and for the turn.
 * `context` and `shared` are the member's. False: the team has failed, or a member came with `stop`.
 */
bool team_begin(struct team *team, size_t member, bool stop, const struct tune_context *context, void *shared);

/* All threads of the member wait at a barrier in `line`. False: the team has failed, for the reason given. */
bool team_wait(struct team *team, size_t member, enum tune_scope scope, int line, struct error *error);

/* The member's block has ended. */
void team_end(struct team *team, size_t member);

/* The member's block faulted: all who wait fail, now and from now on. */
void team_fail(struct team *team);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/device/cpu/team.h"

#include <pthread.h>
#include <stdlib.h>

enum state { STATE_ENDED, STATE_READY, STATE_RUNS, STATE_AT_CLUSTER, STATE_AT_GRID };

struct member {
    enum state state;
    int line; /* of the barrier where it waits */
    struct tune_worker *worker;
    struct watched_block watched;
    pthread_cond_t wake;
};

struct team {
    pthread_mutex_t lock;
    size_t count, cluster;
    size_t turn; /* watched: the member that may run */
    bool failed, stop;
    struct error why;
    const struct block_watch *watch;
    struct watched_block *watched;
    struct member members[];
};

/* ---- life ---- */

bool team_create(size_t members, size_t cluster, const struct block_watch *watch, struct team **result,
                 struct error *error)
{
    struct team *team = calloc(1, sizeof *team + members * sizeof team->members[0]);
    *result = NULL;
    if (!team)
        return error_out_of_memory(error);
    team->watched = calloc(members, sizeof *team->watched);
    if (!team->watched) {
        free(team);
        return error_out_of_memory(error);
    }
    pthread_mutex_init(&team->lock, NULL);
    for (size_t i = 0; i < members; i++)
        pthread_cond_init(&team->members[i].wake, NULL);
    team->count = members;
    team->cluster = cluster;
    team->watch = watch;
    *result = team;
    return true;
}

void team_destroy(struct team *team)
{
    if (!team)
        return;
    for (size_t i = 0; i < team->count; i++)
        pthread_cond_destroy(&team->members[i].wake);
    pthread_mutex_destroy(&team->lock);
    free(team->watched);
    free(team);
}

void team_place(struct team *team, size_t member, struct tune_worker *worker)
{
    team->members[member].worker = worker;
}

struct tune_worker *team_worker(const struct team *team, size_t member)
{
    return team->members[member].worker;
}

size_t team_cluster(const struct team *team)
{
    return team->cluster;
}

/* ---- with the lock ---- */

static void wake_all(struct team *team)
{
    for (size_t i = 0; i < team->count; i++)
        pthread_cond_signal(&team->members[i].wake);
}

static void fail(struct team *team)
{
    team->failed = true;
    wake_all(team);
}

/* The next member that can run has the turn, the present one last. */
static void pass_turn(struct team *team)
{
    for (size_t i = 1; i <= team->count; i++) {
        size_t next = (team->turn + i) % team->count;
        if (team->members[next].state == STATE_RUNS) {
            team->turn = next;
            pthread_cond_signal(&team->members[next].wake);
            return;
        }
    }
}

static void sleep_until_running(struct team *team, size_t member)
{
    struct member *self = &team->members[member];
    while (!team->failed && (self->state != STATE_RUNS || (team->watch && team->turn != member)))
        pthread_cond_wait(&self->wake, &team->lock);
}

static void tell_turn(const struct team *team, size_t member)
{
    if (team->watch && !team->failed)
        team->watch->turn(team->watch->context, member);
}

/* ---- barriers ---- */

static size_t count_state(const struct team *team, size_t first, size_t end, enum state state)
{
    size_t count = 0;
    for (size_t i = first; i < end; i++)
        count += team->members[i].state == state;
    return count;
}

static void release(struct team *team, size_t first, size_t end, enum state state)
{
    if (team->watch)
        team->watch->wide_barrier(team->watch->context, state == STATE_AT_GRID ? TUNE_GRID : TUNE_CLUSTER);
    for (size_t i = first; i < end; i++) {
        if (team->members[i].state == state) {
            team->members[i].state = STATE_RUNS;
            pthread_cond_signal(&team->members[i].wake);
        }
    }
}

/* Open the barriers of the member's cluster and of the grid whose last block has arrived or, in a cluster, ended. */
static void open_barriers(struct team *team, size_t member)
{
    size_t first = member / team->cluster * team->cluster, end = first + team->cluster;
    size_t waiting = count_state(team, first, end, STATE_AT_CLUSTER);
    if (waiting > 0 && waiting + count_state(team, first, end, STATE_ENDED) == team->cluster)
        release(team, first, end, STATE_AT_CLUSTER);
    if (count_state(team, 0, team->count, STATE_AT_GRID) == team->count)
        release(team, 0, team->count, STATE_AT_GRID);
}

static int line_of(const struct team *team, enum state state)
{
    for (size_t i = 0; i < team->count; i++) {
        if (team->members[i].state == state)
            return team->members[i].line;
    }
    return 0;
}

/* Nobody runs, and nobody ever will. */
static void find_deadlock(struct team *team)
{
    size_t at_cluster = count_state(team, 0, team->count, STATE_AT_CLUSTER);
    size_t at_grid = count_state(team, 0, team->count, STATE_AT_GRID);
    if (team->failed || at_cluster + at_grid == 0 || count_state(team, 0, team->count, STATE_RUNS) > 0)
        return;
    error_set(
        &team->why, ERROR_FAULT,
        "divergent barrier: %zu of %zu blocks wait for the grid (line %d), %zu for their cluster (line %d), and "
        "%zu have ended",
        at_grid, team->count, line_of(team, STATE_AT_GRID), at_cluster, line_of(team, STATE_AT_CLUSTER),
        count_state(team, 0, team->count, STATE_ENDED));
    if (team->watch) {
        const struct watched_place at = {line_of(team, at_grid ? STATE_AT_GRID : STATE_AT_CLUSTER), NULL};
        team->watch->fault(team->watch->context, &at, team->why.text);
    }
    fail(team);
}

/* The member no longer runs. */
static void settle(struct team *team, size_t member)
{
    open_barriers(team, member);
    find_deadlock(team);
    if (team->watch && !team->failed)
        pass_turn(team);
}

bool team_wait(struct team *team, size_t member, enum tune_scope scope, int line, struct error *error)
{
    pthread_mutex_lock(&team->lock);
    struct member *self = &team->members[member];
    self->state = scope == TUNE_GRID ? STATE_AT_GRID : STATE_AT_CLUSTER;
    self->line = line;
    settle(team, member);
    sleep_until_running(team, member);
    tell_turn(team, member);
    bool failed = team->failed;
    if (failed)
        *error = team->why;
    pthread_mutex_unlock(&team->lock);
    return !failed;
}

/* ---- from team to team ---- */

static void begin_all(struct team *team)
{
    for (size_t i = 0; i < team->count; i++) {
        team->members[i].state = STATE_RUNS;
        team->watched[i] = team->members[i].watched;
    }
    team->turn = 0;
    team->failed = team->failed || team->stop;
    if (team->watch && !team->failed)
        team->watch->team(team->watch->context, team->watched, team->count, team->cluster);
    wake_all(team);
}

bool team_begin(struct team *team, size_t member, bool stop, const struct tune_context *context, void *shared)
{
    pthread_mutex_lock(&team->lock);
    struct member *self = &team->members[member];
    self->watched = (struct watched_block){context, shared};
    self->state = STATE_READY;
    team->stop = team->stop || stop;
    if (count_state(team, 0, team->count, STATE_READY) == team->count)
        begin_all(team);
    sleep_until_running(team, member);
    tell_turn(team, member);
    bool begun = !team->failed;
    pthread_mutex_unlock(&team->lock);
    return begun;
}

void team_end(struct team *team, size_t member)
{
    pthread_mutex_lock(&team->lock);
    team->members[member].state = STATE_ENDED;
    settle(team, member);
    pthread_mutex_unlock(&team->lock);
}

void team_fail(struct team *team)
{
    pthread_mutex_lock(&team->lock);
    if (!team->failed)
        error_set(&team->why, ERROR_FAULT, "another block failed");
    fail(team);
    pthread_mutex_unlock(&team->lock);
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/check/happens_before.h"

#include <stdlib.h>
#include <string.h>

enum { EVERY_THREAD = 0xffff, ENTRIES_MOST = 1 << 16 };

static uint32_t later(uint32_t a, uint32_t b)
{
    return a > b ? a : b;
}

/* ---- vector clocks ---- */

static uint64_t thread_key(uint32_t block, uint32_t thread)
{
    return (uint64_t)block << 16 | thread;
}

/* The first entry whose thread is not below `key`. */
static size_t position(const struct vector_clock *clock, uint64_t key)
{
    size_t low = 0, high = clock->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (clock->entries[middle].thread < key)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static uint32_t time_of(const struct vector_clock *clock, uint64_t key)
{
    size_t at = position(clock, key);
    return at < clock->count && clock->entries[at].thread == key ? clock->entries[at].time : 0;
}

static bool covers(const struct vector_clock *clock, uint32_t block, uint32_t thread, uint32_t time)
{
    if (time <= clock->floor)
        return true;
    return clock->count > 0 && (time <= time_of(clock, thread_key(block, thread)) ||
                                time <= time_of(clock, thread_key(block, EVERY_THREAD)));
}

static void reset(struct vector_clock *clock)
{
    clock->count = 0;
    clock->floor = 0;
}

static bool reserve(struct happens_before *relation, struct vector_clock *clock, size_t count)
{
    if (count <= clock->capacity)
        return true;
    size_t capacity = clock->capacity ? clock->capacity : 8;
    while (capacity < count)
        capacity *= 2;
    struct clock_entry *entries = realloc(clock->entries, capacity * sizeof *entries);
    if (!entries) {
        relation->out_of_memory = true;
        return false;
    }
    clock->entries = entries;
    clock->capacity = capacity;
    return true;
}

static void advance(struct happens_before *relation, struct vector_clock *clock, uint64_t key, uint32_t time)
{
    size_t at = position(clock, key);
    if (at < clock->count && clock->entries[at].thread == key) {
        clock->entries[at].time = later(clock->entries[at].time, time);
        return;
    }
    if (clock->count == ENTRIES_MOST) {
        clock->floor = relation->time; /* claims too much, which can only miss a race, never invent one */
        return;
    }
    if (!reserve(relation, clock, clock->count + 1))
        return;
    memmove(clock->entries + at + 1, clock->entries + at, (clock->count - at) * sizeof *clock->entries);
    clock->entries[at] = (struct clock_entry){key, time};
    clock->count++;
}

static void join(struct happens_before *relation, struct vector_clock *clock, const struct vector_clock *other)
{
    clock->floor = later(clock->floor, other->floor);
    for (size_t i = 0; i < other->count; i++)
        advance(relation, clock, other->entries[i].thread, other->entries[i].time);
}

/* ---- events ---- */

void happens_before_init(struct happens_before *relation)
{
    relation->time = 1;
}

void happens_before_clear(struct happens_before *relation)
{
    for (size_t i = 0; i < relation->clock_count; i++) {
        for (size_t t = 0; t < HAPPENS_BEFORE_THREADS; t++)
            free(relation->clocks[i]->acquired[t].entries);
        free(relation->clocks[i]->acquired_by_block.entries);
        free(relation->clocks[i]);
    }
    free(relation->clocks);
    for (size_t i = 0; i < relation->published_count; i++)
        free(relation->published[i].entries);
    free(relation->published);
}

/* Everything so far has at most the returned time, everything from now on a later one. */
static uint32_t tick(struct happens_before *relation)
{
    return relation->time++;
}

void happens_before_launch(struct happens_before *relation, uint32_t threads)
{
    relation->launch = tick(relation);
    relation->threads = threads < HAPPENS_BEFORE_THREADS ? threads : HAPPENS_BEFORE_THREADS;
    relation->block = relation->first = 0;
    relation->live = 0;
    for (size_t i = 0; i < relation->published_count; i++)
        reset(&relation->published[i]);
}

/* ---- blocks ---- */

static bool reserve_clocks(struct happens_before *relation, size_t count)
{
    if (count <= relation->clock_count)
        return true;
    struct block_clock **clocks = realloc(relation->clocks, count * sizeof(struct block_clock *));
    if (clocks)
        relation->clocks = clocks;
    while (clocks && relation->clock_count < count) {
        clocks[relation->clock_count] = calloc(1, sizeof *clocks[0]);
        if (!clocks[relation->clock_count])
            break;
        relation->clock_count++;
    }
    relation->out_of_memory |= relation->clock_count < count;
    return relation->clock_count >= count;
}

static void reset_clock(const struct happens_before *relation, struct block_clock *clock)
{
    clock->barrier = clock->cluster = 0;
    reset(&clock->acquired_by_block);
    for (uint32_t t = 0; t < relation->threads; t++)
        reset(&clock->acquired[t]);
    memset(clock->fenced, 0, sizeof clock->fenced);
    memset(clock->lanes, 0, relation->threads * sizeof *clock->lanes);
}

void happens_before_team(struct happens_before *relation, size_t blocks, size_t cluster)
{
    tick(relation);
    relation->first += (uint32_t)(relation->live ? relation->live : 1);
    relation->live = reserve_clocks(relation, blocks) ? blocks : relation->clock_count;
    relation->cluster = cluster;
    for (size_t i = 0; i < relation->live; i++)
        reset_clock(relation, relation->clocks[i]);
    happens_before_turn(relation, 0);
}

void happens_before_turn(struct happens_before *relation, size_t i)
{
    relation->block = relation->first + (uint32_t)i;
    relation->own = i < relation->live ? relation->clocks[i] : NULL;
}

void happens_before_block(struct happens_before *relation)
{
    happens_before_team(relation, 1, 1);
}

/* ---- barriers ---- */

/* What one thread acquired or fenced, all have. */
static bool merge_threads(struct happens_before *relation, struct block_clock *clock)
{
    bool fenced = false;
    for (uint32_t t = 0; t < relation->threads; t++) {
        join(relation, &clock->acquired_by_block, &clock->acquired[t]);
        reset(&clock->acquired[t]);
        fenced = fenced || clock->fenced[t];
    }
    return fenced;
}

void happens_before_barrier(struct happens_before *relation)
{
    struct block_clock *own = relation->own;
    uint32_t now = tick(relation);
    if (!own)
        return;
    own->barrier = now;
    memset(own->fenced, merge_threads(relation, own), sizeof own->fenced);
}

/* The first block of the running one's cluster, counted from the first that lives. */
static size_t cluster_begin(const struct happens_before *relation)
{
    return (relation->block - relation->first) / relation->cluster * relation->cluster;
}

void happens_before_cluster_barrier(struct happens_before *relation)
{
    uint32_t now = tick(relation);
    size_t begin = cluster_begin(relation), end = begin + relation->cluster;
    bool fenced = false;
    if (end > relation->live)
        return;
    struct vector_clock *all = &relation->clocks[begin]->acquired_by_block;
    for (size_t i = begin; i < end; i++) {
        fenced |= merge_threads(relation, relation->clocks[i]);
        if (i > begin)
            join(relation, all, &relation->clocks[i]->acquired_by_block);
    }
    for (size_t i = begin; i < end; i++) {
        struct block_clock *clock = relation->clocks[i];
        if (i > begin)
            join(relation, &clock->acquired_by_block, all);
        clock->barrier = clock->cluster = now;
        memset(clock->fenced, fenced, sizeof clock->fenced);
    }
}

/* Nothing before it can race with anything after it. */
void happens_before_grid_barrier(struct happens_before *relation)
{
    relation->launch = tick(relation);
    for (size_t i = 0; i < relation->live; i++)
        reset_clock(relation, relation->clocks[i]);
}

/* ---- lanes, fences, atomic operations ---- */

static bool participates(const struct happens_before *relation, uint32_t warp, uint32_t lanes, uint32_t lane)
{
    return (lanes >> lane & 1) && warp * HAPPENS_BEFORE_LANES + lane < relation->threads;
}

void happens_before_exchange(struct happens_before *relation, uint32_t warp, uint32_t lanes)
{
    uint32_t first = warp * HAPPENS_BEFORE_LANES, times[HAPPENS_BEFORE_LANES] = {0}, now = tick(relation);
    struct vector_clock *joined = NULL; /* the first participant's */
    struct block_clock *own = relation->own;
    bool fenced = false;
    if (!own)
        return;
    for (uint32_t l = 0; l < HAPPENS_BEFORE_LANES; l++) {
        if (!participates(relation, warp, lanes, l))
            continue;
        for (uint32_t i = 0; i < HAPPENS_BEFORE_LANES; i++)
            times[i] = later(times[i], own->lanes[first + l][i]);
        fenced = fenced || own->fenced[first + l];
        if (joined)
            join(relation, joined, &own->acquired[first + l]);
        else
            joined = &own->acquired[first + l];
    }
    for (uint32_t l = 0; l < HAPPENS_BEFORE_LANES; l++)
        times[l] = lanes >> l & 1 ? now : times[l];
    for (uint32_t l = 0; l < HAPPENS_BEFORE_LANES; l++) {
        if (!participates(relation, warp, lanes, l))
            continue;
        memcpy(own->lanes[first + l], times, sizeof times);
        own->fenced[first + l] = fenced;
        if (joined != &own->acquired[first + l])
            join(relation, &own->acquired[first + l], joined);
    }
}

void happens_before_fence(struct happens_before *relation, uint32_t thread)
{
    if (relation->own)
        relation->own->fenced[thread] = true;
}

/* Add what `thread` did and what it has synchronised with. */
static void publish(struct happens_before *relation, uint32_t thread, struct vector_clock *clock)
{
    uint32_t first = thread / HAPPENS_BEFORE_LANES * HAPPENS_BEFORE_LANES;
    join(relation, clock, &relation->own->acquired_by_block);
    join(relation, clock, &relation->own->acquired[thread]);
    advance(relation, clock, thread_key(relation->block, thread), tick(relation));
    if (relation->own->barrier)
        advance(relation, clock, thread_key(relation->block, EVERY_THREAD), relation->own->barrier);
    for (size_t i = 0; relation->own->cluster && i < relation->cluster; i++)
        advance(relation, clock, thread_key(relation->first + (uint32_t)(cluster_begin(relation) + i), EVERY_THREAD),
                relation->own->cluster);
    for (uint32_t l = 0; l < HAPPENS_BEFORE_LANES; l++) {
        if (relation->own->lanes[thread][l] > relation->own->barrier)
            advance(relation, clock, thread_key(relation->block, first + l), relation->own->lanes[thread][l]);
    }
}

static struct vector_clock *add_published(struct happens_before *relation)
{
    if (relation->published_count == relation->published_capacity) {
        size_t capacity = relation->published_capacity ? 2 * relation->published_capacity : 16;
        struct vector_clock *clocks = realloc(relation->published, capacity * sizeof *clocks);
        if (!clocks) {
            relation->out_of_memory = true;
            return NULL;
        }
        relation->published = clocks;
        relation->published_capacity = capacity;
    }
    relation->published[relation->published_count] = (struct vector_clock){0};
    return &relation->published[relation->published_count++];
}

void happens_before_atomic(struct happens_before *relation, uint32_t thread, uint32_t *published)
{
    if (!relation->own)
        return;
    if (*published)
        join(relation, &relation->own->acquired[thread], &relation->published[*published - 1]);
    if (!relation->own->fenced[thread])
        return;
    struct vector_clock *clock = *published ? &relation->published[*published - 1] : add_published(relation);
    if (!clock)
        return;
    *published = (uint32_t)(clock - relation->published) + 1;
    publish(relation, thread, clock);
}

/* Is `block`, one that lives, of the running block's cluster? */
static bool same_cluster(const struct happens_before *relation, uint32_t block)
{
    return block >= relation->first &&
           (block - relation->first) / relation->cluster * relation->cluster == cluster_begin(relation);
}

bool happens_before_holds(const struct happens_before *relation, uint32_t block, uint32_t thread, uint32_t time,
                          uint32_t reader)
{
    const struct block_clock *own = relation->own;
    if (!own || time <= relation->launch || covers(&own->acquired_by_block, block, thread, time) ||
        covers(&own->acquired[reader], block, thread, time) ||
        (time <= own->cluster && same_cluster(relation, block)))
        return true;
    if (block != relation->block)
        return false;
    return thread == reader || time <= own->barrier ||
           (thread / HAPPENS_BEFORE_LANES == reader / HAPPENS_BEFORE_LANES &&
            time <= own->lanes[reader][thread % HAPPENS_BEFORE_LANES]);
}

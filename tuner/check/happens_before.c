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
    for (size_t i = 0; i < HAPPENS_BEFORE_THREADS; i++)
        free(relation->acquired[i].entries);
    for (size_t i = 0; i < relation->published_count; i++)
        free(relation->published[i].entries);
    free(relation->published);
    free(relation->acquired_by_block.entries);
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
    relation->block = 0;
    for (size_t i = 0; i < relation->published_count; i++)
        reset(&relation->published[i]);
}

void happens_before_block(struct happens_before *relation)
{
    tick(relation);
    relation->block++;
    relation->barrier = 0;
    reset(&relation->acquired_by_block);
    for (uint32_t t = 0; t < relation->threads; t++)
        reset(&relation->acquired[t]);
    memset(relation->fenced, 0, sizeof relation->fenced);
    memset(relation->lanes, 0, relation->threads * sizeof *relation->lanes);
}

void happens_before_barrier(struct happens_before *relation)
{
    bool fenced = false;
    relation->barrier = tick(relation);
    for (uint32_t t = 0; t < relation->threads; t++) {
        join(relation, &relation->acquired_by_block, &relation->acquired[t]);
        reset(&relation->acquired[t]);
        fenced = fenced || relation->fenced[t];
    }
    memset(relation->fenced, fenced, sizeof relation->fenced);
}

static bool participates(const struct happens_before *relation, uint32_t warp, uint32_t lanes, uint32_t lane)
{
    return (lanes >> lane & 1) && warp * HAPPENS_BEFORE_LANES + lane < relation->threads;
}

void happens_before_exchange(struct happens_before *relation, uint32_t warp, uint32_t lanes)
{
    uint32_t first = warp * HAPPENS_BEFORE_LANES, times[HAPPENS_BEFORE_LANES] = {0}, now = tick(relation);
    struct vector_clock *joined = NULL; /* the first participant's */
    bool fenced = false;
    for (uint32_t l = 0; l < HAPPENS_BEFORE_LANES; l++) {
        if (!participates(relation, warp, lanes, l))
            continue;
        for (uint32_t i = 0; i < HAPPENS_BEFORE_LANES; i++)
            times[i] = later(times[i], relation->lanes[first + l][i]);
        fenced = fenced || relation->fenced[first + l];
        if (joined)
            join(relation, joined, &relation->acquired[first + l]);
        else
            joined = &relation->acquired[first + l];
    }
    for (uint32_t l = 0; l < HAPPENS_BEFORE_LANES; l++)
        times[l] = lanes >> l & 1 ? now : times[l];
    for (uint32_t l = 0; l < HAPPENS_BEFORE_LANES; l++) {
        if (!participates(relation, warp, lanes, l))
            continue;
        memcpy(relation->lanes[first + l], times, sizeof times);
        relation->fenced[first + l] = fenced;
        if (joined != &relation->acquired[first + l])
            join(relation, &relation->acquired[first + l], joined);
    }
}

void happens_before_fence(struct happens_before *relation, uint32_t thread)
{
    relation->fenced[thread] = true;
}

/* Add what `thread` did and what it has synchronised with. */
static void publish(struct happens_before *relation, uint32_t thread, struct vector_clock *clock)
{
    uint32_t first = thread / HAPPENS_BEFORE_LANES * HAPPENS_BEFORE_LANES;
    join(relation, clock, &relation->acquired_by_block);
    join(relation, clock, &relation->acquired[thread]);
    advance(relation, clock, thread_key(relation->block, thread), tick(relation));
    if (relation->barrier)
        advance(relation, clock, thread_key(relation->block, EVERY_THREAD), relation->barrier);
    for (uint32_t l = 0; l < HAPPENS_BEFORE_LANES; l++) {
        if (relation->lanes[thread][l] > relation->barrier)
            advance(relation, clock, thread_key(relation->block, first + l), relation->lanes[thread][l]);
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
    if (*published)
        join(relation, &relation->acquired[thread], &relation->published[*published - 1]);
    if (!relation->fenced[thread])
        return;
    struct vector_clock *clock = *published ? &relation->published[*published - 1] : add_published(relation);
    if (!clock)
        return;
    *published = (uint32_t)(clock - relation->published) + 1;
    publish(relation, thread, clock);
}

bool happens_before_holds(const struct happens_before *relation, uint32_t block, uint32_t thread, uint32_t time,
                          uint32_t reader)
{
    if (time <= relation->launch || covers(&relation->acquired_by_block, block, thread, time) ||
        covers(&relation->acquired[reader], block, thread, time))
        return true;
    if (block != relation->block)
        return false;
    return thread == reader || time <= relation->barrier ||
           (thread / HAPPENS_BEFORE_LANES == reader / HAPPENS_BEFORE_LANES &&
            time <= relation->lanes[reader][thread % HAPPENS_BEFORE_LANES]);
}

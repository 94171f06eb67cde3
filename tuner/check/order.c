/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/check/order.h"

#include <stdlib.h>
#include <string.h>

enum { EVERY_THREAD = 0xffff, KNOWN_MOST = 1 << 16 };

static uint32_t later(uint32_t a, uint32_t b)
{
    return a > b ? a : b;
}

/* ---- knowledge ---- */

static uint64_t who(uint32_t block, uint32_t thread)
{
    return (uint64_t)block << 16 | thread;
}

/* The first entry that is not before `key`. */
static size_t position(const struct knowledge *knowledge, uint64_t key)
{
    size_t low = 0, high = knowledge->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (knowledge->list[middle].who < key)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static uint32_t known_until(const struct knowledge *knowledge, uint64_t key)
{
    size_t at = position(knowledge, key);
    return at < knowledge->count && knowledge->list[at].who == key ? knowledge->list[at].until : 0;
}

static bool knows(const struct knowledge *knowledge, uint32_t block, uint32_t thread, uint32_t time)
{
    if (time <= knowledge->all)
        return true;
    return knowledge->count > 0 && (time <= known_until(knowledge, who(block, thread)) ||
                                    time <= known_until(knowledge, who(block, EVERY_THREAD)));
}

static void forget(struct knowledge *knowledge)
{
    knowledge->count = 0;
    knowledge->all = 0;
}

static bool make_room(struct order *order, struct knowledge *knowledge, size_t count)
{
    if (count <= knowledge->room)
        return true;
    size_t room = knowledge->room ? knowledge->room : 8;
    while (room < count)
        room *= 2;
    struct known *longer = realloc(knowledge->list, room * sizeof *longer);
    if (!longer) {
        order->out_of_memory = true;
        return false;
    }
    knowledge->list = longer;
    knowledge->room = room;
    return true;
}

static void learn(struct order *order, struct knowledge *knowledge, uint64_t key, uint32_t until)
{
    size_t at = position(knowledge, key);
    if (at < knowledge->count && knowledge->list[at].who == key) {
        knowledge->list[at].until = later(knowledge->list[at].until, until);
        return;
    }
    if (knowledge->count == KNOWN_MOST) {
        knowledge->all = order->time; /* more than is true, so that what is true raises no alarm */
        return;
    }
    if (!make_room(order, knowledge, knowledge->count + 1))
        return;
    memmove(knowledge->list + at + 1, knowledge->list + at, (knowledge->count - at) * sizeof *knowledge->list);
    knowledge->list[at] = (struct known){key, until};
    knowledge->count++;
}

static void learn_all(struct order *order, struct knowledge *knowledge, const struct knowledge *more)
{
    knowledge->all = later(knowledge->all, more->all);
    for (size_t i = 0; i < more->count; i++)
        learn(order, knowledge, more->list[i].who, more->list[i].until);
}

/* ---- events ---- */

void order_begin(struct order *order)
{
    order->time = 1;
}

void order_end(struct order *order)
{
    for (size_t i = 0; i < ORDER_THREADS; i++)
        free(order->told[i].list);
    for (size_t i = 0; i < order->released_count; i++)
        free(order->released[i].list);
    free(order->released);
    free(order->joined.list);
}

/* All that was done until now has the time that is returned, all from now on a greater one. */
static uint32_t end_time(struct order *order)
{
    return order->time++;
}

void order_launch(struct order *order, uint32_t threads)
{
    order->launch = end_time(order);
    order->threads = threads < ORDER_THREADS ? threads : ORDER_THREADS;
    order->block = 0;
    for (size_t i = 0; i < order->released_count; i++)
        forget(&order->released[i]);
}

void order_block(struct order *order)
{
    end_time(order);
    order->block++;
    order->barrier = 0;
    forget(&order->joined);
    for (uint32_t t = 0; t < order->threads; t++)
        forget(&order->told[t]);
    memset(order->fenced, 0, sizeof order->fenced);
    memset(order->lanes, 0, order->threads * sizeof *order->lanes);
}

void order_barrier(struct order *order)
{
    bool fenced = false;
    order->barrier = end_time(order);
    for (uint32_t t = 0; t < order->threads; t++) {
        learn_all(order, &order->joined, &order->told[t]);
        forget(&order->told[t]);
        fenced = fenced || order->fenced[t];
    }
    memset(order->fenced, fenced, sizeof order->fenced);
}

static bool takes_part(const struct order *order, uint32_t warp, uint32_t lanes, uint32_t lane)
{
    return (lanes >> lane & 1) && warp * ORDER_LANES + lane < order->threads;
}

void order_exchange(struct order *order, uint32_t warp, uint32_t lanes)
{
    uint32_t first = warp * ORDER_LANES, known[ORDER_LANES] = {0}, now = end_time(order);
    struct knowledge *told = NULL; /* the first lane's gathers all */
    bool fenced = false;
    for (uint32_t l = 0; l < ORDER_LANES; l++) {
        if (!takes_part(order, warp, lanes, l))
            continue;
        for (uint32_t i = 0; i < ORDER_LANES; i++)
            known[i] = later(known[i], order->lanes[first + l][i]);
        fenced = fenced || order->fenced[first + l];
        if (told)
            learn_all(order, told, &order->told[first + l]);
        else
            told = &order->told[first + l];
    }
    for (uint32_t l = 0; l < ORDER_LANES; l++)
        known[l] = lanes >> l & 1 ? now : known[l];
    for (uint32_t l = 0; l < ORDER_LANES; l++) {
        if (!takes_part(order, warp, lanes, l))
            continue;
        memcpy(order->lanes[first + l], known, sizeof known);
        order->fenced[first + l] = fenced;
        if (told != &order->told[first + l])
            learn_all(order, &order->told[first + l], told);
    }
}

void order_fence(struct order *order, uint32_t thread)
{
    order->fenced[thread] = true;
}

/* Add what `thread` did and what it knows of others. */
static void tell(struct order *order, uint32_t thread, struct knowledge *knowledge)
{
    uint32_t first = thread / ORDER_LANES * ORDER_LANES;
    learn_all(order, knowledge, &order->joined);
    learn_all(order, knowledge, &order->told[thread]);
    learn(order, knowledge, who(order->block, thread), end_time(order));
    if (order->barrier)
        learn(order, knowledge, who(order->block, EVERY_THREAD), order->barrier);
    for (uint32_t l = 0; l < ORDER_LANES; l++) {
        if (order->lanes[thread][l] > order->barrier)
            learn(order, knowledge, who(order->block, first + l), order->lanes[thread][l]);
    }
}

static struct knowledge *new_released(struct order *order)
{
    if (order->released_count == order->released_room) {
        size_t room = order->released_room ? 2 * order->released_room : 16;
        struct knowledge *longer = realloc(order->released, room * sizeof *longer);
        if (!longer) {
            order->out_of_memory = true;
            return NULL;
        }
        order->released = longer;
        order->released_room = room;
    }
    order->released[order->released_count] = (struct knowledge){0};
    return &order->released[order->released_count++];
}

void order_atomic(struct order *order, uint32_t thread, uint32_t *address)
{
    if (*address)
        learn_all(order, &order->told[thread], &order->released[*address - 1]);
    if (!order->fenced[thread])
        return;
    struct knowledge *released = *address ? &order->released[*address - 1] : new_released(order);
    if (!released)
        return;
    *address = (uint32_t)(released - order->released) + 1;
    tell(order, thread, released);
}

bool order_is_over(const struct order *order, uint32_t block, uint32_t thread, uint32_t time, uint32_t reader)
{
    if (time <= order->launch || knows(&order->joined, block, thread, time) ||
        knows(&order->told[reader], block, thread, time))
        return true;
    if (block != order->block)
        return false;
    return thread == reader || time <= order->barrier ||
           (thread / ORDER_LANES == reader / ORDER_LANES && time <= order->lanes[reader][thread % ORDER_LANES]);
}

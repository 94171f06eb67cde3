/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/engine/set_finals.h"

#include <stdlib.h>

enum { BEST_MOST = 3, FIELD_MOST = 6 };

static const double near = 0.04879016416943205;        /* log(1.05): behind the best; further off is decided */
static const double default_near = 0.2231435513142098; /* log(1.25) */

struct event {
    const struct cost_table *table;
    const struct problem *problem;
    size_t size;
    size_t *indices, *count;
};

static void add_index(struct event *event, size_t index)
{
    for (size_t i = 0; i < *event->count; i++) {
        if (event->indices[i] == index)
            return;
    }
    if (*event->count < FIELD_MOST)
        event->indices[(*event->count)++] = index;
}

/* If it was measured, and is near the best. */
static void add(struct event *event, size_t place)
{
    size_t index;
    if (cost_table_knows(event->table, place, event->size) &&
        cost_table_loss(event->table, place, event->size) <= near &&
        problem_configuration_find(event->problem, event->table->configurations[place], &index))
        add_index(event, index);
}

/* The default takes part, so that a winner is never slower than doing nothing. */
static void add_default(struct event *event, const size_t *order, size_t ranked)
{
    size_t index, found;
    bool named;
    if (!problem_default(event->problem, &index, &named) || !named)
        return;
    for (size_t i = 0; i < ranked && cost_table_loss(event->table, order[i], event->size) <= default_near; i++) {
        if (problem_configuration_find(event->problem, event->table->configurations[order[i]], &found) &&
            found == index)
            add_index(event, index);
    }
}

bool set_finals_field(const struct cost_table *table, size_t size, const struct problem *problem,
                      const size_t *chosen, size_t chosen_count, size_t indices[FINALISTS_MOST], size_t *count,
                      struct error *error)
{
    struct event event = {table, problem, size, indices, count};
    size_t *order = calloc(table->count + 1, sizeof *order);
    *count = 0;
    if (!order)
        return error_out_of_memory(error);
    size_t ranked = cost_table_rank(table, size, order);
    if (ranked > 0) {
        add(&event, order[0]);
        add_default(&event, order, ranked);
        for (size_t i = 1; i < ranked && i < BEST_MOST; i++)
            add(&event, order[i]);
        for (size_t i = 0; i < chosen_count; i++)
            add(&event, chosen[i]);
    }
    free(order);
    if (*count < 2)
        *count = 0;
    return true;
}

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * vicinity.h - the unknown neighbours of a configuration in random order, near ones first.
 *
 * A neighbour differs in one parameter; where few such are valid, some that differ in two follow. They are looked up
 * on demand, as most are never needed. The order is that of weighted sampling without replacement, where a change by
 * k positions has weight 1 / k^locality (P. S. Efraimidis, P. G. Spirakis, "Weighted random sampling with a
 * reservoir", Information Processing Letters 97, 2006).
 */
#ifndef TUNE_SEARCH_VICINITY_H
#define TUNE_SEARCH_VICINITY_H

#include "tuner/search/explorer.h"

/* One parameter set to another position. */
struct vicinity_change {
    double key; /* rank in the order: the smaller the earlier */
    uint16_t dimension, position;
};

/* All zero is an empty vicinity. */
struct vicinity {
    size_t center;
    uint16_t *point;
    struct vicinity_change *changes;
    size_t count, next;
    size_t valid; /* neighbours so far, known ones included */
};

/* False when out of memory. */
bool vicinity_around(struct vicinity *vicinity, struct explorer *explorer, size_t center, double locality);
void vicinity_clear(struct vicinity *vicinity);

/* The next unknown valid neighbour; false: there are no more. */
bool vicinity_next(struct vicinity *vicinity, const struct explorer *explorer, size_t *index);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * vicinity.h - the neighbours of a configuration that are not known yet, in random order, near ones earlier.
 *
 * A neighbour has one parameter changed. Where few such are valid, some with two follow. They are looked up as they
 * are asked for: most are never needed. The order is that of drawing without replacement, a change by k positions
 * with weight 1 / k^locality (P. S. Efraimidis, P. G. Spirakis, "Weighted random sampling with a reservoir", 2006).
 */
#ifndef TUNE_SEARCH_VICINITY_H
#define TUNE_SEARCH_VICINITY_H

#include "tuner/search/explorer.h"

struct change {
    double key;
    uint16_t dimension, position;
};

/* All zero is the vicinity of nothing. */
struct vicinity {
    size_t center;
    uint16_t *point;
    struct change *changes;
    size_t count, next;
    size_t valid; /* neighbours so far, known ones too */
};

/* False when out of memory. */
bool vicinity_around(struct vicinity *vicinity, struct explorer *explorer, size_t center, double locality);
void vicinity_clear(struct vicinity *vicinity);

/* The next valid neighbour that is not known; false: there are no more. */
bool vicinity_next(struct vicinity *vicinity, const struct explorer *explorer, size_t *index);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * descent.h - first-improvement local search with many evaluations under way: from the best of a few starts to any
 * better neighbour, until there is none.
 *
 * Descents are numbered, and a trial belongs to the descent it was asked for. While the results of the last
 * neighbours are pending, starts of the next descent can be asked for already.
 */
#ifndef TUNE_SEARCH_DESCENT_H
#define TUNE_SEARCH_DESCENT_H

#include "tuner/search/vicinity.h"

/* The best configuration that a descent has found. */
struct incumbent {
    size_t index;
    double objective;   /* INFINITY: none yet */
    size_t asked, open; /* trials of the descent; those not told yet */
};

struct descent {
    struct explorer explorer;
    struct vicinity vicinity; /* of the current incumbent, unless `moved` */
    double locality;
    ptrdiff_t number;
    struct incumbent now, next; /* of the current descent and of the next one */
    bool moved;
};

/* False when out of memory; descent_clear() is due in any case. */
bool descent_create(struct descent *descent, const struct strategy_setup *setup, size_t starts, double locality);
void descent_clear(struct descent *descent);

/* Ask for a start of the current descent or the next, chosen by its incumbent: the next unknown configuration of the
 * design, or a given one that is unknown. */
enum answer descent_begin(struct descent *descent, struct incumbent *incumbent, size_t *index);
enum answer descent_begin_at(struct descent *descent, struct incumbent *incumbent, size_t start, size_t *index);

/* Ask for a neighbour of the incumbent: ASK_WAIT if none is left but results are pending, ASK_END at a local optimum.
 */
enum answer descent_ask(struct descent *descent, size_t *index);

void descent_tell(struct descent *descent, const struct observation *observation);

/* Make the next descent the current one. */
void descent_advance(struct descent *descent);

#endif

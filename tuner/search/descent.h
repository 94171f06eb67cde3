/* SPDX-License-Identifier: Apache-2.0 */
/*
 * descent.h - local search by first improvement, with the answers of many evaluations under way: from the best of
 * some starts to any neighbour that is better, until no neighbour is.
 *
 * Descents are numbered; a trial belongs to the descent it was asked for. While the answers to the last neighbours
 * are out, the starts of the next descent may be asked for already.
 */
#ifndef TUNE_SEARCH_DESCENT_H
#define TUNE_SEARCH_DESCENT_H

#include "tuner/search/vicinity.h"

struct site {
    size_t index;
    double objective;   /* INFINITY: there is none */
    size_t asked, open; /* trials of this descent; those not told yet */
};

struct descent {
    struct explorer explorer;
    struct vicinity vicinity;
    double locality;
    ptrdiff_t number;
    struct site now, next; /* where this descent has come to; the best start of the next one */
    bool moved;            /* since the vicinity was made */
};

/* False when out of memory; descent_clear() is due in any case. */
bool descent_create(struct descent *descent, const struct strategy_setup *setup, size_t starts, double locality);
void descent_clear(struct descent *descent);

/* Ask for a start of this descent, or of the next: one of the design, or a configuration that is not known. */
enum answer descent_begin(struct descent *descent, struct site *site, size_t *index);
enum answer descent_begin_at(struct descent *descent, struct site *site, size_t start, size_t *index);

/* Ask for a neighbour: ASK_WAIT if none is left and answers are out; ASK_END: this is a local optimum. */
enum answer descent_ask(struct descent *descent, size_t *index);

void descent_tell(struct descent *descent, const struct observation *observation);

/* The next descent becomes this one. */
void descent_turn(struct descent *descent);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * explorer.h - what strategies that learn have in common: the trials they asked for and how these went, moves, and
 * where to begin.
 *
 * A failure counts as worse than anything. Configurations that were never asked for are trials as well once they are
 * told.
 */
#ifndef TUNE_SEARCH_EXPLORER_H
#define TUNE_SEARCH_EXPLORER_H

#include "tuner/search/design.h"
#include "tuner/search/moves.h"
#include "tuner/search/strategy.h"
#include "tuner/space/index_map.h"

enum { NO_ORIGIN = -1 };

struct trial {
    size_t index;
    double objective; /* INFINITY if it failed */
    ptrdiff_t origin; /* what the strategy gave; NO_ORIGIN if it did not ask */
    bool told;
};

struct explorer {
    const struct search_space *space;
    size_t count; /* configurations */
    struct generator generator;
    struct moves moves;
    struct design *design;
    struct index_map places; /* index of a configuration to its trial */
    struct trial *trials;
    size_t trial_count, capacity;
};

/* False when out of memory; explorer_clear() is due in any case. The explorer must stay where it is. */
bool explorer_create(struct explorer *explorer, const struct strategy_setup *setup, enum design_kind kind,
                     size_t design_size);
void explorer_clear(struct explorer *explorer);

bool explorer_knows(const struct explorer *explorer, size_t index);

/* Ask for a configuration that is not known: ASK_READY, or ASK_END when out of memory. */
enum answer explorer_ask(struct explorer *explorer, size_t wanted, ptrdiff_t origin, size_t *index);

/* Ask for the next start that is not known: ASK_END if all are known. */
enum answer explorer_begin(struct explorer *explorer, ptrdiff_t origin, size_t *index);

/* A trial as it is now known; NULL if it was told before or memory ran out: nothing to learn. */
const struct trial *explorer_tell(struct explorer *explorer, const struct observation *observation);

#endif

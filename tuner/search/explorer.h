/* SPDX-License-Identifier: Apache-2.0 */
/*
 * explorer.h - what learning strategies have in common: their trials and how these went, moves between
 * configurations, and a design of configurations to start from.
 *
 * A failure counts as worse than any objective. Configurations told unasked become trials as well.
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
    ptrdiff_t origin; /* the strategy's own tag; NO_ORIGIN if it did not ask */
    bool told;
};

struct explorer {
    const struct search_space *space;
    size_t count; /* configurations */
    struct generator generator;
    struct moves moves;
    struct design *design;
    struct index_map places; /* configuration -> trial */
    struct trial *trials;
    size_t trial_count, capacity;
    bool out_of_memory; /* a result was lost: every further question fails */
};

/* False when out of memory; explorer_clear() is due in any case. The explorer must not be moved. */
bool explorer_create(struct explorer *explorer, const struct strategy_setup *setup, enum design_kind kind,
                     size_t design_size);
void explorer_clear(struct explorer *explorer);

bool explorer_knows(const struct explorer *explorer, size_t index);

/* Ask for a configuration that is not known yet. */
enum answer explorer_ask(struct explorer *explorer, size_t wanted, ptrdiff_t origin, size_t *index);

/* Ask for the next unknown configuration of the design; ASK_END if all configurations are known. */
enum answer explorer_begin(struct explorer *explorer, ptrdiff_t origin, size_t *index);

/* The trial with its result; NULL if there is nothing to learn: it was told before, or memory ran out. */
const struct trial *explorer_tell(struct explorer *explorer, const struct observation *observation);

#endif

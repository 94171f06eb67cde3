/* SPDX-License-Identifier: Apache-2.0 */
/*
 * moves.h - from one valid configuration to another: a random step, a step towards a point, the valid configuration
 * near a point that is not valid.
 *
 * A dimension whose values are all numbers is ordinal: near values are alike. Others (strings, booleans, parameters
 * that are set in some configurations only) are categorical: each value is as far from the others. Every move ends at
 * a valid configuration, and costs a limited number of look-ups whatever the size of the space.
 */
#ifndef TUNE_SEARCH_MOVES_H
#define TUNE_SEARCH_MOVES_H

#include "tuner/search/generator.h"
#include "tuner/space/search_space.h"

struct moves {
    const struct search_space *space;
    struct generator *generator;
    size_t dimensions;
    size_t *positions; /* of each dimension */
    bool *ordinal;
    size_t *variable, variable_count; /* dimensions of more than one position */
    size_t *order;                    /* of the dimensions, shuffled anew for each move */
    uint16_t *point, *other;
};

/* False when out of memory; moves_clear() is due in any case. The generator must outlive the moves. */
bool moves_create(struct moves *moves, const struct search_space *space, struct generator *generator);
void moves_clear(struct moves *moves);

/* Distance of two positions: 1 between categorical values that differ. */
size_t moves_distance(const struct moves *moves, size_t dimension, uint16_t a, uint16_t b);

/* Another position of an ordinal or categorical dimension, the near ones likelier: a step of k positions has
 * probability proportional to 1 / k^locality. The dimension has at least two positions. */
uint16_t moves_other_position(const struct moves *moves, size_t dimension, uint16_t position, double locality);

/* A random neighbour of a configuration: one parameter changed, or two where few changes of one alone are valid, as
 * between the factors of a product. False if some tries found none. */
bool moves_step(const struct moves *moves, size_t from, double locality, size_t *to);

/*
 * From a valid configuration towards a point: parameter after parameter, in random order, takes its value there if
 * that is valid; then, if no single one can, two at once. Ends where it began if nothing is valid in between.
 */
size_t moves_towards(const struct moves *moves, size_t from, const uint16_t *wanted);

/* The configuration at a point or near it, where none is valid there. The space has at least one configuration. */
size_t moves_settle(const struct moves *moves, const uint16_t *point);

#endif

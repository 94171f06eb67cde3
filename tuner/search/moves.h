/* SPDX-License-Identifier: Apache-2.0 */
/*
 * moves.h - moves between valid configurations: a random step, the way towards a point, the repair of an invalid
 * point.
 *
 * Nearby values of ordinal dimensions (ordinal.h) are similar. Others (strings, booleans) are categorical: all values
 * are equally far apart, and so is "not set" from any number. Every move ends at a valid configuration and takes a
 * bounded number of look-ups, however large the space.
 */
#ifndef TUNE_SEARCH_MOVES_H
#define TUNE_SEARCH_MOVES_H

#include "tuner/search/generator.h"
#include "tuner/space/search_space.h"

struct moves {
    const struct search_space *space;
    struct generator *generator;
    size_t dimensions;
    size_t *positions;                /* per dimension */
    size_t *numbers;                  /* of its positions that are numbers; 0: the dimension is categorical */
    size_t *variable, variable_count; /* dimensions with more than one position */
    size_t *order;                    /* of the dimensions, reshuffled for each move */
    uint16_t *point, *other;
};

/* False when out of memory; moves_clear() is due in any case. The generator must outlive the moves. */
bool moves_create(struct moves *moves, const struct search_space *space, struct generator *generator);
void moves_clear(struct moves *moves);

/* The distance of two positions: 1 between different categorical values. */
size_t moves_distance(const struct moves *moves, size_t dimension, uint16_t a, uint16_t b);

/* Another position of a dimension that has at least two, near ones likelier: on an ordinal dimension a change by k
 * positions has probability proportional to 1 / k^locality. */
uint16_t moves_other_position(const struct moves *moves, size_t dimension, uint16_t position, double locality);

/* A random neighbour: one parameter changed, or two where few single changes are valid, as between the factors of a
 * fixed product. False if a number of tries found none. */
bool moves_step(const struct moves *moves, size_t from, double locality, size_t *to);

/*
 * From a valid configuration towards a point: parameter by parameter, in random order, takes the point's value if
 * that is valid; when no single one can, two at once. Returns `from` if nothing in between is valid.
 */
size_t moves_towards(const struct moves *moves, size_t from, const uint16_t *wanted);

/* The configuration at a point or, if that is invalid, one near it. The space has at least one configuration. */
size_t moves_repair(const struct moves *moves, const uint16_t *point);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * coordinates.h - configurations as vectors of real numbers, for models that rely on distances.
 *
 * Dimensions with a single value carry no information and are left out. Ordinal dimensions (ordinal.h) come first,
 * scaled to 0..1. What matters of a block or tile size is its ratio to others, so values without negative ones enter
 * by their logarithms (if 0 is among them, after adding the least positive value). The coordinate of a categorical
 * dimension is its position; only equality counts.
 *
 * In a union, a number that a configuration leaves unset is taken for the middle of those it may be elsewhere: what
 * members share makes their configurations near, and what one of them lacks keeps them no farther apart than need be.
 * Which parameters are set is one more categorical coordinate, the last.
 */
#ifndef TUNE_SEARCH_COORDINATES_H
#define TUNE_SEARCH_COORDINATES_H

#include "tuner/space/search_space.h"

struct coordinates {
    const struct search_space *space;
    size_t count, ordinal; /* coordinates; how many of them, the first, are ordinal */
    size_t *dimensions;    /* per coordinate but the last of a union */
    double **values;       /* per such coordinate and position */
    double *unset; /* what a dimension adds to the last coordinate of a union if it is not set; NULL: no union */
    uint16_t *point;
};

/* False when out of memory; coordinates_clear() is due in any case. The space must outlive the coordinates. */
bool coordinates_create(struct coordinates *coordinates, const struct search_space *space);
void coordinates_clear(struct coordinates *coordinates);

/* The coordinates of a configuration: `coordinates->count` numbers. */
void coordinates_of(const struct coordinates *coordinates, size_t index, double *numbers);

/* The squared distance of two such vectors: a categorical coordinate counts 1 where they differ. */
double coordinates_distance(const struct coordinates *coordinates, const double *one, const double *other);

#endif

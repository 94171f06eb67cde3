/* SPDX-License-Identifier: Apache-2.0 */
/*
 * coordinates.h - configurations as points in space, for models that reckon with distances.
 *
 * Dimensions with a single value say nothing and are left out. The others are ordinal or categorical: of the ordinal
 * ones, which come first, all values are numbers, and near numbers are alike. Sizes of blocks and tiles matter by
 * their ratios, so numbers that are not negative are taken by their logarithms (v, or v plus the least positive value
 * where 0 is among them), and all are scaled to 0..1. The coordinate of a categorical dimension is the position; that
 * two of them differ is all that counts.
 */
#ifndef TUNE_SEARCH_COORDINATES_H
#define TUNE_SEARCH_COORDINATES_H

#include "tuner/space/search_space.h"

struct coordinates {
    const struct search_space *space;
    size_t count, ordinal; /* coordinates; the first of them are ordinal */
    size_t *dimensions;    /* of each coordinate */
    double **values;       /* of each coordinate, by position */
    uint16_t *point;
};

/* False when out of memory; coordinates_clear() is due in any case. The space must outlive the coordinates. */
bool coordinates_create(struct coordinates *coordinates, const struct search_space *space);
void coordinates_clear(struct coordinates *coordinates);

/* Those of a configuration: `coordinates->count` numbers. */
void coordinates_of(const struct coordinates *coordinates, size_t index, double *numbers);

#endif

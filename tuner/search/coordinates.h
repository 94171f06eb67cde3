/* SPDX-License-Identifier: Apache-2.0 */
/*
 * coordinates.h - configurations as vectors of real numbers, for models that rely on distances.
 *
 * Dimensions with a single value carry no information and are left out. Ordinal dimensions, all of whose values are
 * numbers, come first, scaled to 0..1. What matters of a block or tile size is its ratio to others, so values without
 * negative ones enter by their logarithms (if 0 is among them, after adding the least positive value). The coordinate
 * of a categorical dimension is its position; only equality counts.
 */
#ifndef TUNE_SEARCH_COORDINATES_H
#define TUNE_SEARCH_COORDINATES_H

#include "tuner/space/search_space.h"

struct coordinates {
    const struct search_space *space;
    size_t count, ordinal; /* coordinates; how many of them, the first, are ordinal */
    size_t *dimensions;    /* per coordinate */
    double **values;       /* per coordinate and position */
    uint16_t *point;
};

/* False when out of memory; coordinates_clear() is due in any case. The space must outlive the coordinates. */
bool coordinates_create(struct coordinates *coordinates, const struct search_space *space);
void coordinates_clear(struct coordinates *coordinates);

/* The coordinates of a configuration: `coordinates->count` numbers. */
void coordinates_of(const struct coordinates *coordinates, size_t index, double *numbers);

#endif

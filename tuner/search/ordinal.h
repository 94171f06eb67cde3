/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ordinal.h - which dimensions of a space are ordinal: all of their values are numbers, so that near ones are alike.
 *
 * In a union, members may leave a parameter unset that is a number in others. Its numbers are no less alike for that.
 */
#ifndef TUNE_SEARCH_ORDINAL_H
#define TUNE_SEARCH_ORDINAL_H

#include "tuner/space/search_space.h"

/* How many positions of a dimension are numbers: all of them but, in unions, the last, which stands for "not set". 0
 * if the dimension is categorical: some value is something else. */
size_t ordinal_positions(const struct search_space *space, size_t dimension);

/* The number at one of these positions. */
double ordinal_value(const struct search_space *space, size_t dimension, size_t position);

#endif

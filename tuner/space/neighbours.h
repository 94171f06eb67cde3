/* SPDX-License-Identifier: Apache-2.0 */
/*
 * neighbours.h - the valid configurations next to one: those that differ from it in one parameter.
 */
#ifndef TUNE_SPACE_NEIGHBOURS_H
#define TUNE_SPACE_NEIGHBOURS_H

#include "tuner/space/search_space.h"

enum neighbourhood {
    NEIGHBOURS_HAMMING,  /* one parameter has another value, any one */
    NEIGHBOURS_ADJACENT, /* one parameter has the next value up or down at which the configuration is valid */
};

/* The elements that a list of neighbours needs: the most neighbours that a configuration can have, and some more to
 * work with. */
size_t neighbours_most(const struct search_space *space, enum neighbourhood kind);

/* The neighbours of configuration `index`, dimension after dimension, positions ascending: fills in some of the
 * neighbours_most() elements of `neighbours` and returns how many. `point` is room for search_space_dimensions()
 * positions. */
size_t neighbours_list(const struct search_space *space, enum neighbourhood kind, size_t index, uint16_t *point,
                       size_t *neighbours);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * neighbours.h - the valid configurations that differ from a given one in exactly one parameter.
 */
#ifndef TUNE_SPACE_NEIGHBOURS_H
#define TUNE_SPACE_NEIGHBOURS_H

#include "tuner/space/search_space.h"

enum neighbourhood {
    NEIGHBOURS_HAMMING,  /* that parameter may have any other value */
    NEIGHBOURS_ADJACENT, /* that parameter has the next value, up or down, at which the configuration is valid */
};

/* The number of elements that neighbours_list needs: the most neighbours a configuration can have, plus working
 * space. */
size_t neighbours_most(const struct search_space *space, enum neighbourhood kind);

/* List the neighbours of configuration `index` by dimension, positions ascending, and return their number.
 * `neighbours` has neighbours_most() elements, all of which may be overwritten; `point` has
 * search_space_dimensions(), and becomes the point of the configuration. */
size_t neighbours_list(const struct search_space *space, enum neighbourhood kind, size_t index, uint16_t *point,
                       size_t *neighbours);

#endif

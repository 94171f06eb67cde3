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

/* The most neighbours that a configuration can have. */
size_t neighbours_most(const struct search_space *space, enum neighbourhood kind);

/* The neighbours of configuration `index`, dimension after dimension: fills in at most neighbours_most() of
 * `neighbours`. `point` is room for search_space_dimensions() positions. Returns how many there are. */
size_t neighbours_list(const struct search_space *space, enum neighbourhood kind, size_t index, uint16_t *point,
                       size_t *neighbours);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * set_between.h - what configurations are expected to lose at sizes between those that were measured.
 *
 * A tree that has seen a hundred sizes splits them wherever they happen to lie. So that it sees more, sizes are made
 * up around each one, up to an octave away and of the same units. What a configuration loses there is what a Gaussian
 * process (search/gaussian_process.h) says of its losses: over the logarithms of the sizes, and of their units up to
 * eight, with one length scale of eight octaves for all. Scales that were learnt did no better.
 */
#ifndef TUNE_ENGINE_SET_BETWEEN_H
#define TUNE_ENGINE_SET_BETWEEN_H

#include "tuner/dispatch/tree.h"

struct set_between {
    struct tree_cases cases; /* those that were measured, then the others; of the arrays below */
    int64_t *sizes;
    double *loss, *weights;
    size_t *around;
};

/* To be cleared in any case. An error only when out of memory. */
bool set_between_make(const struct tree_cases *measured, struct set_between *between, struct error *error);
void set_between_clear(struct set_between *between);

#endif

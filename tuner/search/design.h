/* SPDX-License-Identifier: Apache-2.0 */
/*
 * design.h - where to begin: configurations that did well elsewhere, then points that lie evenly over the space.
 *
 * - Latin hypercubes (M. D. McKay, R. J. Beckman, W. J. Conover, Technometrics 21, 1979): of n points each has
 * another n-th part of every dimension. The first is the one of several whose nearest two points are farthest apart
 *   (maximin; M. E. Johnson, L. M. Moore, D. Ylvisaker, 1990); further ones follow when it is used up.
 * - Halton's sequence, its digits permuted at random (A. B. Owen, "A randomized Halton algorithm in R", 2017): after
 *   any number of points they lie evenly.
 * - Random configurations, each as likely as the others.
 *
 * A point that is not valid is moved to a valid configuration near it. Configurations may repeat.
 */
#ifndef TUNE_SEARCH_DESIGN_H
#define TUNE_SEARCH_DESIGN_H

#include "tuner/search/moves.h"
#include "tuner/search/strategy.h"

enum design_kind { DESIGN_LATIN, DESIGN_HALTON, DESIGN_RANDOM };

struct design;

/* `size`: points of a Latin hypercube. `moves` and the setup's priors must outlive the design. NULL when out of
 * memory. */
struct design *design_create(enum design_kind kind, size_t size, const struct strategy_setup *setup,
                             const struct moves *moves);
void design_free(struct design *design);

/* The next configuration; there is always one more. The space has at least one. */
size_t design_next(struct design *design);

#endif

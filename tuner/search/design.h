/* SPDX-License-Identifier: Apache-2.0 */
/*
 * design.h - where a search starts: configurations that did well elsewhere (priors), then an experimental design.
 *
 * - Latin hypercubes (M. D. McKay, R. J. Beckman, W. J. Conover, Technometrics 21, 1979): each of n points takes a
 *   different n-th of every dimension. The first cube is the best of several by the maximin criterion, the distance
 *   of its closest two points (M. E. Johnson, L. M. Moore, D. Ylvisaker, 1990); random cubes follow once it is used
 *   up.
 * - The scrambled Halton sequence (A. B. Owen, "A randomized Halton algorithm in R", 2017): evenly spread after any
 *   number of points.
 * - Representatives (cover.h); every point before, prior or not, counts as one. Once each kind of configuration has
 *   one, every other point is of a Latin hypercube: representatives rarely lie at corners, where some optima are.
 * - Uniformly random configurations.
 *
 * Where representatives are wanted and there is a single prior, the space's default in a new sweep, every other of
 * the first DESIGN_NEAR points behind it is two small steps (moves.h) away from it: what somebody chose by hand is
 * mostly good, and what is near it mostly better than what is anywhere; but not always, so that the others are as
 * above. These are about as many as 16 workers ask for before there are a few results. Not in a union, whose members
 * have little in common: nothing says that the one of the default is good.
 *
 * Invalid points are repaired (moves.h). Configurations may repeat.
 */
#ifndef TUNE_SEARCH_DESIGN_H
#define TUNE_SEARCH_DESIGN_H

#include "tuner/search/moves.h"
#include "tuner/search/strategy.h"

enum { DESIGN_NEAR = 24 };

enum design_kind { DESIGN_LATIN, DESIGN_HALTON, DESIGN_COVER, DESIGN_RANDOM };

struct design;

/* `size` is the number of points of a Latin hypercube, also beside representatives. `moves` and the setup's priors
 * must outlive the design. NULL when out of memory. */
struct design *design_create(enum design_kind kind, size_t size, const struct strategy_setup *setup,
                             const struct moves *moves);
void design_free(struct design *design);

/* The next configuration; the design never ends. The space has at least one configuration. */
size_t design_next(struct design *design);

/* Of representatives: how many configurations it takes until each kind has one; else 0. */
size_t design_kinds(const struct design *design);

#endif

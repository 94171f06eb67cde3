/* SPDX-License-Identifier: Apache-2.0 */
/*
 * set_result.h - from what was measured at many sizes to a dispatch: the configurations that lose least over all
 * sizes, weighted (portfolio.h), and the tree that picks among them (tree.h).
 */
#ifndef TUNE_ENGINE_SET_RESULT_H
#define TUNE_ENGINE_SET_RESULT_H

#include "tuner/dispatch/dispatch.h"
#include "tuner/engine/set_between.h"

/*
 * Choose at most `most` configurations by what the table knows and expects. Sizes at which nothing is valid do not
 * count. `chosen` has room for `most`; `*count` is 0 if nothing is valid anywhere. An error only when out of memory.
 */
bool set_result_choose(const struct cost_table *table, const double *weights, size_t most, size_t *chosen,
                       size_t *count, struct error *error);

/* The same of the configurations and sizes of `between`, by what is known and forecast: `chosen` are rows of it. */
bool set_result_choose_between(const struct set_between *between, size_t most, size_t *chosen, size_t *count,
                               struct error *error);

/* The tree that picks among these rows; there must be one, and a case. Clear it in any case. */
bool set_result_tree(const struct set_between *between, const size_t *rows, size_t count, struct tree *tree,
                     struct error *error);

/*
 * What the end is: choose, grow the tree, and judge it. Where its answers at sizes that were swept are not known, it
 * is grown again, so that they count for less; `*missing` is at how many sizes the answer failed or was not measured
 * even so. `*dispatch` is for the caller to free; NULL if nothing is valid anywhere. Configurations that the tree
 * does not use are left out.
 */
bool set_result_conclude(const struct set_known *known, size_t most, struct dispatch **dispatch, size_t *missing,
                         struct error *error);

#endif

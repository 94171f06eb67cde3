/* SPDX-License-Identifier: Apache-2.0 */
/*
 * set_result.h - from what was measured at many sizes to a dispatch: the configurations that lose least over all
 * sizes, weighted (portfolio.h), and the tree that picks among them (tree.h).
 */
#ifndef TUNE_ENGINE_SET_RESULT_H
#define TUNE_ENGINE_SET_RESULT_H

#include "tuner/dispatch/dispatch.h"
#include "tuner/dispatch/size_set.h"
#include "tuner/engine/cost_table.h"

/*
 * Choose at most `most` configurations. What was not measured is `expected` to lose what the table says, to find out
 * what is worth measuring, or else taken for as bad as a failure. Sizes at which nothing is valid do not count.
 * `chosen` has room for `most`; `*count` is 0 if nothing is valid anywhere. An error only when out of memory.
 */
bool set_result_choose(const struct cost_table *table, const double *weights, bool expected, size_t most,
                       size_t *chosen, size_t *count, struct error *error);

/*
 * What the end is: choose and make it by what is known and expected, or if that has answers that nobody has measured,
 * by what is known alone. `*missing`: at so many sizes the answer failed or was not measured even so. `*dispatch` is
 * for the caller to free; NULL if nothing is valid anywhere.
 */
bool set_result_conclude(const struct cost_table *table, const struct size_set *set, size_t most,
                         struct dispatch **dispatch, size_t *missing, struct error *error);

/* The dispatch of these configurations: those that the tree does not use are left out. What it loses at sizes that it
 * has not seen, which takes long, is not found out: it is said to lose nothing there. */
bool set_result_make(const struct cost_table *table, const struct size_set *set, bool expected, const size_t *chosen,
                     size_t count, struct dispatch **dispatch, struct error *error);

#endif

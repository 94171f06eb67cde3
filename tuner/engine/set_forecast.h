/* SPDX-License-Identifier: Apache-2.0 */
/*
 * set_forecast.h - what any configuration is expected to lose at any size, after all that a sweep over many has
 * measured.
 *
 * One Gaussian process (search/gaussian_process.h) for all configurations and sizes, over the coordinates of
 * set_axes.h. Its values are logarithms of costs over the least that is known at the size. What is learnt of one
 * configuration at one size so says something of its relatives at others; a process for each configuration would have
 * a few values to go by. How much each coordinate matters is learnt as well, from a sample.
 */
#ifndef TUNE_ENGINE_SET_FORECAST_H
#define TUNE_ENGINE_SET_FORECAST_H

#include "tuner/dispatch/size_set.h"
#include "tuner/engine/cost_table.h"
#include "tuner/space/problem.h"

/* What a sweep over many sizes knows. */
struct set_known {
    struct problem *const *problems; /* of the set's sizes, in its order */
    const struct size_set *set;
    const struct cost_table *table;
    uint64_t seed; /* of what is random */
};

struct set_forecast;

/*
 * Learn from all sizes but those that are `left_out` (by size; NULL: none). How much coordinates matter is taken over
 * from the forecast `like`, of the same sizes, unless that is NULL. `*forecast` is NULL if too little is known. What
 * is known must outlive it. An error only when out of memory.
 */
bool set_forecast_create(const struct set_known *known, const bool *left_out, const struct set_forecast *like,
                         struct set_forecast **forecast, struct error *error);
void set_forecast_free(struct set_forecast *forecast);

/* What a problem's configuration is expected to lose at these sizes, in the template's order; it is comparable with
 * what others lose there, and may be below 0. `*valid`: its space has it there. An error only when out of memory. */
bool set_forecast_ask(struct set_forecast *forecast, const struct problem *problem, size_t index,
                      const int64_t *sizes, double *loss, bool *valid, struct error *error);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * set_opening.h - what the search at one size of a set begins with, given what is known at the others.
 *
 * First the default, then the portfolio that loses least at the sizes so far, each weighted by its nearness, as Hydra
 * builds one (portfolio.h), and what the model over configurations and sizes proposes (set_model.h). What took half
 * as long again as the best, or longer, at two sizes and was good at none is predicted: the strategy is told of it as
 * if it had been measured here too, learns from that, and does not try it.
 */
#ifndef TUNE_ENGINE_SET_OPENING_H
#define TUNE_ENGINE_SET_OPENING_H

#include "tuner/dispatch/dispatch.h"
#include "tuner/engine/cost_table.h"
#include "tuner/engine/set_model.h"
#include "tuner/engine/sweep.h"
#include "tuner/space/problem.h"

enum {
    SET_FIRST_MOST = DISPATCH_CONFIGURATIONS_MOST, /* configurations to begin with */
    SET_PREDICTIONS_MOST = 512,                    /* besides those */
};

/* For sweep_options: predictions begin with those of `first`. */
struct set_opening {
    size_t first[SET_FIRST_MOST + 1];
    size_t first_count;
    struct sweep_prediction predictions[SET_FIRST_MOST + 1 + SET_PREDICTIONS_MOST];
    size_t prediction_count;
};

/* The opening of a size that gets `evaluations` (0: not limited), most of which go to what is good elsewhere. It is
 * empty while nothing is known anywhere: the database may know relatives. An error only when out of memory. */
bool set_opening_make(const struct cost_table *table, struct set_model *model, size_t size,
                      const struct problem *problem, uint64_t evaluations, struct set_opening *opening,
                      struct error *error);

#endif

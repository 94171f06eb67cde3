/* SPDX-License-Identifier: Apache-2.0 */
/*
 * set_between.h - what the configurations that may be chosen lose at the sizes that were swept, and are expected to
 * lose at sizes between them.
 *
 * A choice, or a tree, that has seen a hundred sizes fits wherever they happen to lie. So that it sees more, sizes
 * are made up around each one, up to an octave away and of the same unit (dispatch/feature.h). What a configuration
 * loses there, or where it was not measured, a forecast says (set_forecast.h); where its space does not have it, it
 * loses the most. Where too little is known for a forecast no sizes are made up, and cost_table.h has what is
 * expected.
 */
#ifndef TUNE_ENGINE_SET_BETWEEN_H
#define TUNE_ENGINE_SET_BETWEEN_H

#include "tuner/dispatch/tree.h"
#include "tuner/engine/set_forecast.h"

struct set_between {
    size_t *places;          /* the configurations, in the table: as many as the cases have */
    size_t *swept;           /* of the first `measured` cases: which size of the set */
    struct tree_cases cases; /* of the arrays below; those that were swept, then the others */
    int64_t *sizes;
    double *loss, *weights;
    size_t *around;
    struct set_forecast *forecast; /* NULL: too little is known */
};

/* Which configurations and sizes, and from what it is forecast. */
struct set_between_request {
    const struct set_known *known;
    const size_t *chosen; /* NULL: those that may be chosen */
    size_t chosen_count;
    const bool *left_out;            /* by size; NULL: none */
    const struct set_forecast *like; /* as of set_forecast_create */
};

/* Sizes at which nothing is valid are left out; there may be no case at all. To be cleared in any case. An error only
 * when out of memory. */
bool set_between_make(const struct set_between_request *request, struct set_between *between, struct error *error);
void set_between_clear(struct set_between *between);

/* The same cases with `count` of its configurations: `*loss`, to be freed, is theirs. False when out of memory. */
bool set_between_select(const struct set_between *between, const size_t *rows, size_t count, struct tree_cases *cases,
                        double **loss);

#endif

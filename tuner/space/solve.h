/* SPDX-License-Identifier: Apache-2.0 */
/*
 * solve.h - from a domain's constraints to the nodes of a diagram: model, order, plan and construction in a row.
 */
#ifndef TUNE_SPACE_SOLVE_H
#define TUNE_SPACE_SOLVE_H

#include "tuner/space/construct.h"

struct solution {
    struct model model;
    struct plan plan;
    size_t *order; /* variables by level */
    struct diagram_builder *builder;
    uint32_t root;
    uint16_t *undecided; /* the point of CONSTRUCT_UNDECIDED */
};

/* As model_create. False when out of memory. The solution points into itself: it must not be moved. */
bool solution_start(struct solution *solution, const struct domain *domain, size_t constraint_count,
                    const struct domain *const *formers, size_t former_count, bool lenient);

/* As construct. */
enum construct_end solution_find(struct solution *solution, size_t *effort);
void solution_end(struct solution *solution);

#endif

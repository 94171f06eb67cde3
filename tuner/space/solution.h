/* SPDX-License-Identifier: Apache-2.0 */
/*
 * solution.h - from a domain's constraints to the nodes of a diagram: model, pruning, variable order, plan and
 * construction in sequence.
 */
#ifndef TUNE_SPACE_SOLUTION_H
#define TUNE_SPACE_SOLUTION_H

#include "tuner/space/construct.h"

struct solution {
    struct model model;
    struct plan plan;
    size_t *order; /* variables by level */
    struct diagram_builder *builder;
    uint32_t root;
    uint16_t *undecided; /* for CONSTRUCT_UNDECIDED: value indices by variable */
};

/*
 * Prepare the search for the configurations that the first `constraint_count` constraints let pass; the arguments are
 * those of model_create. A solution points into itself and must not be moved. False when out of memory.
 */
bool solution_start(struct solution *solution, const struct domain *domain, size_t constraint_count,
                    const struct domain *const *formers, size_t former_count, bool lenient);

/* Build the nodes; arguments and result are those of construct. */
enum construct_end solution_find(struct solution *solution, size_t *effort);
void solution_end(struct solution *solution);

#endif

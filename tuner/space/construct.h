/* SPDX-License-Identifier: Apache-2.0 */
/*
 * construct.h - the diagram of a model's valid configurations, built by memoising depth-first search.
 *
 * Level by level, a variable takes each of its values, and the plan says what to evaluate and test then. What lies
 * below a prefix depends on its key alone, so each key of a level is searched once: dynamic programming over the
 * constraints' partial results. (R. Bryant, Graph-Based Algorithms for Boolean Function Manipulation, IEEE Trans.
 * Computers 35 (1986), for the diagrams; Andersen, Hadzic, Hooker, Tiedemann, A Constraint Store Based on Multivalued
 * Decision Diagrams, CP 2007.)
 */
#ifndef TUNE_SPACE_CONSTRUCT_H
#define TUNE_SPACE_CONSTRUCT_H

#include "tuner/space/diagram_builder.h"
#include "tuner/space/plan.h"

enum construct_end {
    CONSTRUCT_DONE,
    CONSTRUCT_UNDECIDED, /* a configuration that no constraint removes, and for which one cannot be evaluated */
    CONSTRUCT_EFFORT,    /* more values would have to be tried than allowed */
    CONSTRUCT_MEMORY,    /* out of memory, or beyond 3 GiB of nodes */
};

/*
 * Build the nodes; `*root` is the root of the diagram, or DIAGRAM_DEAD if no configuration is valid. `*effort` is how
 * many values may be tried on all levels together; what is left of it is stored back. For CONSTRUCT_UNDECIDED,
 * `undecided` gets a value index per variable of the model.
 */
enum construct_end construct(const struct plan *plan, size_t *effort, struct diagram_builder *builder, uint32_t *root,
                             uint16_t *undecided);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * construct.h - the diagram of a model's valid configurations, built by depth-first search that remembers.
 *
 * Level by level a variable gets each of its values; the plan says what is evaluated and tested then. What is below a
 * prefix depends on its key alone, so that each key of a level is searched once (dynamic programming over the
 * constraints' partial results; R. Bryant, Graph-Based Algorithms for Boolean Function Manipulation, IEEE Trans.
 * Computers 35 (1986), for the diagrams; Andersen, Hadzic, Hooker, Tiedemann, A Constraint Store Based on Multivalued
 * Decision Diagrams, CP 2007). Keys are remembered by their 128-bit hash: of 10^9 keys two would share one with a
 * probability below 10^-20.
 */
#ifndef TUNE_SPACE_CONSTRUCT_H
#define TUNE_SPACE_CONSTRUCT_H

#include "tuner/space/diagram_builder.h"
#include "tuner/space/plan.h"

enum construct_end {
    CONSTRUCT_DONE,
    CONSTRUCT_UNDECIDED, /* a constraint cannot be evaluated for a configuration that no other removes */
    CONSTRUCT_EFFORT,    /* more values would have to be tried than allowed */
    CONSTRUCT_MEMORY,
};

/*
 * Build the nodes; `*root` is the diagram's, or DIAGRAM_DEAD. `*effort` bounds how many values are tried on all
 * levels together, and is what is left of it then. For CONSTRUCT_UNDECIDED `undecided` has a value index for each
 * variable of the model.
 */
enum construct_end construct(const struct plan *plan, size_t *effort, struct diagram_builder *builder, uint32_t *root,
                             uint16_t *undecided);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * set_model.h - a model over configuration and size: what a configuration loses at a size where nobody measured it.
 *
 * A Gaussian process (search/gaussian_process.h) over the coordinates of both, fitted to what is known at the size
 * and at those nearest to it. As in EGO (search/surrogate.c) the configurations are proposed that promise the
 * greatest improvement on the best that is known of the size. They are chosen among those that were good at any size,
 * their neighbours, and a random sample. Several are proposed at once: each makes those like it less attractive.
 */
#ifndef TUNE_ENGINE_SET_MODEL_H
#define TUNE_ENGINE_SET_MODEL_H

#include "tuner/engine/cost_table.h"
#include "tuner/space/problem.h"

struct set_model;

struct set_proposal {
    size_t index; /* of the configuration */
    double loss;  /* expected */
};

/* `problems` are of the table's sizes, and share a space; both must outlive the model. The same seed gives the same
 * proposals. An error only when out of memory. */
bool set_model_create(struct problem *const *problems, const struct cost_table *table, uint64_t seed,
                      struct set_model **model, struct error *error);
void set_model_free(struct set_model *model);

/* A configuration that is being measured at a size. */
struct set_pending {
    size_t size, index;
};
enum { SET_PENDING_MOST = 64 };

/* What is being measured, at most SET_PENDING_MOST: until told otherwise, what is like these promises less. It must
 * stay where it is. */
void set_model_expect(struct set_model *model, const struct set_pending *pending, size_t count);

/*
 * At most `most` configurations of a size that are neither known there nor among the `excluded`, the most promising
 * first. None where too little is known to learn from. An error only when out of memory.
 */
bool set_model_propose(struct set_model *model, size_t size, const size_t *excluded, size_t excluded_count,
                       size_t most, struct set_proposal *proposals, size_t *count, struct error *error);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * sweep_front.h - the Pareto front of a sweep by several objectives: what is on it so far, and who of it takes part
 * in the finals.
 */
#ifndef TUNE_ENGINE_SWEEP_FRONT_H
#define TUNE_ENGINE_SWEEP_FRONT_H

#include "tuner/engine/sweep_state.h"

/* Take a finding that was made into account; `*extends`: it is on the front now. By one objective nothing is. */
bool sweep_front_add(struct sweep *sweep, const struct finding *finding, bool *extends, struct error *error);

/* Find it anew: the values of those on it may have changed. */
bool sweep_front_renew(struct sweep *sweep, struct error *error);

/* Choose the finalists (sweep.h), at most `most`, the best by the first objective first; 0 if there is nothing to
 * decide. `field` has room for `most`. */
bool sweep_front_field(const struct sweep *sweep, size_t most, size_t *field, size_t *count, struct error *error);

#endif

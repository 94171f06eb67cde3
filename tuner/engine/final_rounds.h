/* SPDX-License-Identifier: Apache-2.0 */
/*
 * final_rounds.h - the finals of a sweep, as sweep.h describes them: the field, its rounds on the device, the result.
 */
#ifndef TUNE_ENGINE_FINAL_ROUNDS_H
#define TUNE_ENGINE_FINAL_ROUNDS_H

#include "tuner/engine/sweep_state.h"

/* Hold the finals if there is anything to decide, and store their result. */
bool final_rounds_hold(struct sweep *sweep, struct error *error);

#endif

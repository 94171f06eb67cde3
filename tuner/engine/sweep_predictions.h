/* SPDX-License-Identifier: Apache-2.0 */
/*
 * sweep_predictions.h - what the search is told of configurations that were measured elsewhere; see struct
 * sweep_prediction.
 */
#ifndef TUNE_ENGINE_SWEEP_PREDICTIONS_H
#define TUNE_ENGINE_SWEEP_PREDICTIONS_H

#include "tuner/engine/sweep_state.h"

/* Must the search wait for the results of those to begin with? All of them were asked for. */
bool sweep_waits_for_predictions(const struct sweep *sweep);

/* Tell the predictions if they can be made and have not been told. */
bool sweep_predict(struct sweep *sweep, struct error *error);

#endif

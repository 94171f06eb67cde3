/* SPDX-License-Identifier: Apache-2.0 */
/*
 * sweep_answers.h - what the crew has finished: stored, compared with the incumbent, told.
 */
#ifndef TUNE_ENGINE_SWEEP_ANSWERS_H
#define TUNE_ENGINE_SWEEP_ANSWERS_H

#include "tuner/engine/sweep_state.h"

/* Can the device say what the objective is about? */
bool sweep_check_objective(const struct sweep *sweep, struct error *error);

/* Take all that is finished from the crew, for the sweeps that asked for it. If the sources were written to, the crew
 * starts again with what is open. */
bool sweeps_record_finished(struct kept_crew *kept, struct error *error);

#endif

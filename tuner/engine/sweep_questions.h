/* SPDX-License-Identifier: Apache-2.0 */
/*
 * sweep_questions.h - what the strategy asks for, from the database or to the crew.
 */
#ifndef TUNE_ENGINE_SWEEP_QUESTIONS_H
#define TUNE_ENGINE_SWEEP_QUESTIONS_H

#include "tuner/engine/sweep_state.h"

/* The strategy starts with what the database has: a sweep continues where an earlier one stopped. */
bool sweep_reuse_stored(struct sweep *sweep, struct error *error);

/* Ask the strategy until the crew has enough to do or the strategy waits for answers. */
bool sweep_ask(struct sweep *sweep, struct error *error);

/* Hand a configuration to the crew, unless another process has stored it meanwhile. */
bool sweep_submit(struct sweep *sweep, size_t index, struct error *error);

/* Tell the strategy what became of a configuration. */
bool sweep_tell(const struct sweep *sweep, size_t index, struct error *error);

#endif

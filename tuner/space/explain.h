/* SPDX-License-Identifier: Apache-2.0 */
/*
 * explain.h - why a space has no valid configurations.
 */
#ifndef TUNE_SPACE_EXPLAIN_H
#define TUNE_SPACE_EXPLAIN_H

#include "tuner/space/problem.h"

/* For a problem without configurations: an error that lists how many each constraint removes, at the place of the
 * last that removes any. Always returns false. */
bool explain_empty(const struct problem *problem, struct error *error);

#endif

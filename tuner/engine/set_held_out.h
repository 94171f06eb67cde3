/* SPDX-License-Identifier: Apache-2.0 */
/*
 * set_held_out.h - what a tree's answers lose at sizes that it has not seen: cross-validation of all that makes it.
 *
 * The cases are divided into parts. For each of them a tree of as many leaves is grown by the others, and by what
 * these say of sizes between them (set_between.h), and answers for the cases of that part.
 */
#ifndef TUNE_ENGINE_SET_HELD_OUT_H
#define TUNE_ENGINE_SET_HELD_OUT_H

#include "tuner/dispatch/tree.h"

/* `held_out` gets what is lost at each of the measured cases. With a single case, what it loses itself. An error only
 * when out of memory. */
bool set_held_out(const struct tree_cases *measured, size_t leaves, double *held_out, struct error *error);

#endif

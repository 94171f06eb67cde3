/* SPDX-License-Identifier: Apache-2.0 */
/*
 * set_held_out.h - what a tree's answers lose at sizes that it has not seen: cross-validation of what makes it.
 *
 * The sizes are divided into parts. For each of them a tree of as many leaves is grown by what is known of the others
 * and forecast from it (set_between.h), and answers for the sizes of that part. What an answer loses there that was
 * never measured is what all that is known makes expect. The configurations, and how much coordinates matter, stay as
 * they were chosen by all sizes.
 */
#ifndef TUNE_ENGINE_SET_HELD_OUT_H
#define TUNE_ENGINE_SET_HELD_OUT_H

#include "tuner/engine/set_between.h"

/* `held_out` gets what is lost at each of the sizes that were swept, by the configurations in these rows. Where the
 * space does not have the answer, one of the others takes its place: what they lose on average. With a single size,
 * what it loses itself. An error only when out of memory. */
bool set_held_out(const struct set_known *known, const struct set_between *between, const size_t *rows, size_t count,
                  size_t leaves, double *held_out, struct error *error);

#endif

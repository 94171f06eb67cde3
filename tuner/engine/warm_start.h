/* SPDX-License-Identifier: Apache-2.0 */
/*
 * warm_start.h - where a search starts: with what was best for this kernel elsewhere.
 *
 * The best stored configurations of the same template, by the objective of the sweep, are ranked by how near their
 * problem is: another size, a similar device, an older version of the kernel. Each is carried over to the present
 * space: parameters that both spaces have keep their value (numbers the nearest one), the others take the default's.
 *
 * Of most problems that is one configuration, their best; of a sweep of the same sizes on a device of the same
 * architecture the best few, one of which is nearly always the best here, too (tests/bench/RESULTS.md).
 */
#ifndef TUNE_ENGINE_WARM_START_H
#define TUNE_ENGINE_WARM_START_H

#include "db/store.h"
#include "tuner/space/problem.h"

enum {
    WARM_START_MOST = 8,
    WARM_START_OF_TWINS = 8,
};

/* The indices of at most WARM_START_MOST different configurations, the most promising first. */
bool warm_start(const struct problem *problem, struct store *store, const struct store_problem *identity,
                const char *objective, size_t priors[WARM_START_MOST], size_t *count, struct error *error);

/*
 * How far a stored problem is from ours, in octaves: by its sizes and its model of device (select/nearness.h), and
 * half an octave more for another version of the kernel.
 */
double warm_start_distance(const struct store_row *row, const char *size, const struct device_description *device,
                           const char *template_hash);

#endif

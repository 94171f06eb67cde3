/* SPDX-License-Identifier: Apache-2.0 */
/*
 * warm_start.h - where a search begins: what was best for this kernel elsewhere.
 *
 * The database's best configurations of the same template are ranked by how near their problem is: another size, a
 * similar device, an older version of the kernel. Each is carried over to the space at hand: parameters that both
 * have keep their value (numbers the nearest one), the others take that of the default configuration.
 */
#ifndef TUNE_ENGINE_WARM_START_H
#define TUNE_ENGINE_WARM_START_H

#include "db/store.h"
#include "tuner/space/problem.h"

enum { WARM_START_MOST = 8 };

/* The indices of at most WARM_START_MOST configurations, the most promising first, none twice. */
bool warm_start(const struct problem *problem, struct store *store, const struct store_problem *identity,
                size_t priors[WARM_START_MOST], size_t *count, struct error *error);

/*
 * How far a stored problem is from ours; lower is nearer. Sizes count the octaves between them, summed over the names
 * that both have, with one octave for each name that only one has; another device of the same architecture counts as
 * one octave, of another architecture as three; another version of the kernel as half of one.
 */
double warm_start_distance(const struct store_row *row, const char *size, const struct device_description *device,
                           const char *template_hash);

#endif

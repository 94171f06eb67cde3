/* SPDX-License-Identifier: Apache-2.0 */
/*
 * known_recording.h - a recording of the same kernel on another device or at another size, as what a search knows
 * beforehand: its best configurations. A sweep has these from the database (engine/warm_start.h).
 */
#ifndef TUNE_SIMULATE_KNOWN_RECORDING_H
#define TUNE_SIMULATE_KNOWN_RECORDING_H

#include "tuner/formats/recording.h"
#include "tuner/space/search_space.h"

/*
 * The indices of at most `most` configurations, the best by an objective (NULL: the recording's own) first, of those
 * that the space has: with the same values of its parameters, by their names. `*count` is 0 if none of these is
 * valid. Errors: those of recorded_values_read, out of memory.
 */
bool known_recording_best(const struct recording *recording, const char *objective, const struct search_space *space,
                          size_t most, size_t *indices, size_t *count, struct error *error);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * known_recording.h - a recording of the same kernel on another device or at another size, as what a search knows
 * beforehand: its best configuration. A sweep has that from the database (engine/warm_start.h).
 */
#ifndef TUNE_SIMULATE_KNOWN_RECORDING_H
#define TUNE_SIMULATE_KNOWN_RECORDING_H

#include "tuner/formats/recording.h"
#include "tuner/space/search_space.h"

/*
 * The index of the best, by an objective (NULL: the recording's own), of those configurations that the space has:
 * with the same values of its parameters, by their names. `*found` is false if none of these is valid. Errors: those
 * of recorded_values_read, out of memory.
 */
bool known_recording_best(const struct recording *recording, const char *objective, const struct search_space *space,
                          size_t *index, bool *found, struct error *error);

#endif

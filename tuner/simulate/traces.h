/* SPDX-License-Identifier: Apache-2.0 */
/*
 * traces.h - searches that another program carried out on the same recordings, to be scored beside ours.
 *
 * A file holds JSON:
 *     {"traces": [{"strategy": "their genetic", "recording": "convolution_A100",
 *                  "repeats": [{"seconds": [2.9, 8.1], "best_ms": [3.1, 2.7]}, ...]}, ...]}
 * A repeat lists when (seconds of recorded costs) the best so far became better and which objective it then had.
 * tests/bench/kernel_tuner/strategies.py writes such a file.
 */
#ifndef TUNE_SIMULATE_TRACES_H
#define TUNE_SIMULATE_TRACES_H

#include "tuner/simulate/score.h"

/* A strategy of the file: a score for each of the spaces. */
struct traced_strategy {
    char *name;
    struct score *scores;
};

struct traced_strategies {
    struct traced_strategy *items;
    size_t count;
};

/*
 * Read and score a file; its strategies are appended to `strategies` (to be cleared, also after an error). Traces of
 * recordings that are not among the spaces are left out. Errors: no JSON of this form, a strategy without repeats on
 * one of the spaces.
 */
bool traces_score(const char *path, const struct simulated_space *const *spaces, size_t space_count, uint64_t seed,
                  struct traced_strategies *strategies, struct error *error);
void traced_strategies_clear(struct traced_strategies *strategies);

#endif

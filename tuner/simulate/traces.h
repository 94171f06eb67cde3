/* SPDX-License-Identifier: Apache-2.0 */
/*
 * traces.h - searches by another program on the same recordings, scored like ours.
 *
 * A file, compressed by gzip or not, holds JSON:
 *     {"traces": [{"strategy": "their genetic", "recording": "convolution_A100",
 *                  "repeats": [{"seconds": [2.9, 8.1], "best_ms": [3.1, 2.7]}, ...]}, ...]}
 * A repeat lists when (in seconds of recorded costs) the best objective so far improved, and to what.
 * tests/bench/kernel_tuner/strategies.py writes such a file.
 */
#ifndef TUNE_SIMULATE_TRACES_H
#define TUNE_SIMULATE_TRACES_H

#include "tuner/simulate/score.h"

/* A strategy of the file, with a score per space. */
struct traced_strategy {
    char *name;
    struct score *scores;
};

struct traced_strategies {
    struct traced_strategy *items;
    size_t count;
};

/*
 * Read and score a file. Its strategies are appended to `strategies`, which the caller clears, also after an error.
 * Traces of recordings that are not among the spaces are ignored. Errors: not JSON of this form, a strategy that
 * lacks repeats on one of the spaces, a space by another objective than time.
 */
bool traces_score(const char *path, const struct simulated_space *const *spaces, size_t space_count, uint64_t seed,
                  struct traced_strategies *strategies, struct error *error);
void traced_strategies_clear(struct traced_strategies *strategies);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * simulate_result.h - what `tune simulate` found out, for its table, its JSON and its page.
 */
#ifndef TUNE_CLI_SIMULATE_RESULT_H
#define TUNE_CLI_SIMULATE_RESULT_H

#include "tuner/cli/options.h"
#include "tuner/simulate/score.h"

#include <stdio.h>

struct json_t;

struct simulate_result {
    const struct simulated_space *const *spaces;
    char **space_names; /* each once */
    size_t space_count;
    const char **names;          /* of the strategies, as they were chosen; the best first */
    const struct score **scores; /* scores[strategy][space] */
    struct score *means;         /* over the spaces */
    size_t strategy_count;
};

void simulate_table(const struct simulate_result *result, FILE *stream);

/* New reference; NULL when out of memory. Curves are thinned to CURVE_POINTS of their points. */
enum { CURVE_POINTS = 200 };
struct json_t *simulate_document(const struct simulate_result *result, const struct options *options);

#endif

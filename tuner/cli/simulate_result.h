/* SPDX-License-Identifier: Apache-2.0 */
/*
 * simulate_result.h - the scores of `tune simulate`, for its table, its JSON and its page.
 */
#ifndef TUNE_CLI_SIMULATE_RESULT_H
#define TUNE_CLI_SIMULATE_RESULT_H

#include "tuner/cli/options.h"
#include "tuner/cli/terminal.h"
#include "tuner/simulate/score.h"

struct json_t;

struct simulate_result {
    const struct simulated_space *const *spaces;
    char **space_names; /* unique */
    size_t space_count;
    const char **names;          /* of the strategies as they were chosen, the best first */
    const struct score **scores; /* scores[strategy][space] */
    struct score *means;         /* over the spaces */
    size_t strategy_count;
};

/* Name the spaces after their recordings; a name that several share gets a number: "gemm", "gemm (2)". */
bool simulate_name_spaces(struct simulate_result *result, struct error *error);

/* Room for so many strategies, then each in its place, the best first; `scores` of the spaces outlive the result. */
bool simulate_allocate(struct simulate_result *result, size_t strategies, struct error *error);
void simulate_insert(struct simulate_result *result, const char *name, const struct score *scores);

/* Free what the result owns: not the spaces and scores. */
void simulate_result_clear(struct simulate_result *result);

bool simulate_table(const struct simulate_result *result, const struct options *options, const struct terminal *out,
                    struct error *error);

/* New reference; NULL when out of memory. Curves are thinned to CURVE_POINTS of their points. */
enum { CURVE_POINTS = 200 };
struct json_t *simulate_document(const struct simulate_result *result, const struct options *options);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* The scores of `tune simulate` as JSON, for --json and for the page. */
#include "tuner/cli/simulate_result.h"

#include "tuner/cli/json_output.h"
#include "tuner/json/json_text.h"

#include <jansson.h>
#include <math.h>
#include <string.h>

/* Digits enough to tell scores apart, and few enough for the same text on every machine. */
static json_t *rounded(double value)
{
    return json_finite(round(value * 1e6) / 1e6);
}

static size_t point_index(size_t point)
{
    return point * (SCORE_TIMES - 1) / (CURVE_POINTS - 1);
}

static json_t *curve_json(const struct score *score)
{
    json_t *curve = json_array();
    for (size_t i = 0; i < CURVE_POINTS; i++) {
        if (json_array_append_new(curve, rounded(score->curve[point_index(i)])) != 0) {
            json_decref(curve);
            return NULL;
        }
    }
    return curve;
}

/* How searches that may stop by themselves did so. */
static json_t *until_json(const struct score_until *until)
{
    return json_pack("{s:o, s:o, s:o, s:o}", "stopped", rounded(until->stopped), "right", rounded(until->right),
                     "saved", rounded(until->saved), "evaluations", rounded(until->evaluations));
}

/* When searches came near the optimum. */
static json_t *within_json(const struct score_within *within)
{
    return json_pack("{s:o, s:o, s:o}", "median", rounded(within->median), "nine_in_ten", rounded(within->most),
                     "early", rounded(within->early));
}

static json_t *score_json(const char *kind, const char *name, const struct score *score)
{
    json_t *json = json_pack("{s:o, s:o, s:o, s:o, s:o, s:o}", kind, json_string_of_bytes(name), "p",
                             rounded(score->p), "low", rounded(score->low), "high", rounded(score->high),
                             "evaluations", rounded(score->evaluations), "curve", curve_json(score));
    if (score->until.evaluations > 0)
        json_put(&json, "until", until_json(&score->until));
    if (score->within.median > 0)
        json_put(&json, "within", within_json(&score->within));
    return json;
}

static json_t *space_json(const struct simulate_result *result, size_t index)
{
    const struct simulated_space *space = result->spaces[index];
    json_t *json = json_pack(
        "{s:o, s:I, s:I, s:o, s:s, s:o, s:o, s:o, s:o, s:o}", "name",
        json_string_of_bytes(result->space_names[index]), "configurations", (json_int_t)space->count, "valid",
        (json_int_t)space->valid, "objective", json_string_of_bytes(space->values.objective), "sense",
        space->values.maximize ? "maximize" : "minimize", "optimum", json_finite(space->objectives[0]), "median",
        json_finite(space->median), "from_seconds", json_finite(space->begin), "to_seconds", json_finite(space->end),
        "random_draws", json_finite(space->draws));
    if (strcmp(space->values.objective, "time") == 0) {
        json_put(&json, "optimum_ns", json_finite(space->objectives[0]));
        json_put(&json, "median_ns", json_finite(space->median));
    }
    return json;
}

static json_t *strategy_json(const struct simulate_result *result, size_t index)
{
    json_t *spaces = json_array();
    json_t *strategy = score_json("name", result->names[index], &result->means[index]);
    bool done = spaces && strategy;
    for (size_t i = 0; i < result->space_count && done; i++)
        done = json_array_append_new(spaces,
                                     score_json("recording", result->space_names[i], &result->scores[index][i])) == 0;
    if (done && json_object_set(strategy, "spaces", spaces) == 0) {
        json_decref(spaces);
        return strategy;
    }
    json_decref(spaces);
    json_decref(strategy);
    return NULL;
}

json_t *simulate_document(const struct simulate_result *result, const struct options *options)
{
    json_t *spaces = json_array(), *strategies = json_array();
    bool done = spaces && strategies;
    for (size_t i = 0; i < result->space_count && done; i++)
        done = json_array_append_new(spaces, space_json(result, i)) == 0;
    for (size_t i = 0; i < result->strategy_count && done; i++)
        done = json_array_append_new(strategies, strategy_json(result, i)) == 0;
    json_t *document = NULL;
    if (done)
        document = json_pack("{s:s, s:I, s:I, s:i, s:b, s:O, s:O}", "tune_version", TUNE_VERSION, "repeats",
                             (json_int_t)options->repeats, "seed", (json_int_t)options->seed, "parallel",
                             (int)options->parallel, "budget_told", options->tell_budget, "recordings", spaces,
                             "strategies", strategies);
    json_decref(spaces);
    json_decref(strategies);
    return document;
}

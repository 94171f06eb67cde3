/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A multi-armed bandit over strategies, as in J. Ansel et al., "OpenTuner", PACT 2014: sliding-window AUC credit
 * assignment (A. Fialho et al., "Analyzing bandit-based adaptive operator selection mechanisms", 2010). An arm's
 * score is the area under the curve of its new bests among the last `window` results, later ones weighing more, plus
 * `exploration` times an upper confidence bound that grows the less often the arm was used. The arm with the highest
 * score is asked; every arm is told of every result.
 */
#include "tuner/search/strategies.h"
#include "tuner/space/index_map.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const struct strategy_driver *const arm_drivers[] = {
    &strategy_surrogate,
    &strategy_genetic,
    &strategy_ils,
    &strategy_evolution,
};
enum { ARMS = sizeof arm_drivers / sizeof *arm_drivers, WINDOW_MOST = 1000 };

enum { WINDOW, EXPLORATION };
static const struct strategy_parameter bandit_parameters[] = {
    [WINDOW] = {"window", 50, 4, WINDOW_MOST, "latest results that the strategies' scores are computed from"},
    [EXPLORATION] = {"exploration", 0.05, 0, 10, "weight of the bonus for strategies that were seldom asked"},
};

struct arm {
    double *parameters;
    void *state;
    bool ended;
};

/* A result of the window. */
struct credit {
    unsigned char arm;
    bool success; /* a new best */
};

struct bandit {
    const double *parameters;
    struct arm arms[ARMS];
    struct index_map askers; /* configuration -> the arm that asked for it */
    struct credit window[WINDOW_MOST];
    size_t results; /* so far; the window is a ring buffer */
    double best;
};

static void bandit_destroy(void *state)
{
    struct bandit *bandit = state;
    if (!bandit)
        return;
    for (size_t i = 0; i < ARMS; i++) {
        if (bandit->arms[i].state)
            arm_drivers[i]->destroy(bandit->arms[i].state);
        free(bandit->arms[i].parameters);
    }
    index_map_clear(&bandit->askers);
    free(bandit);
}

static bool create_arm(struct arm *arm, size_t number, const struct strategy_setup *setup, struct error *error)
{
    const struct strategy_driver *driver = arm_drivers[number];
    struct strategy_setup own = *setup;
    arm->parameters = calloc(driver->parameter_count + 1, sizeof *arm->parameters);
    if (!arm->parameters)
        return error_out_of_memory(error);
    for (size_t i = 0; i < driver->parameter_count; i++)
        arm->parameters[i] = driver->parameters[i].preset;
    own.parameters = arm->parameters;
    own.seed += number;
    return driver->create(&own, &arm->state, error);
}

static bool bandit_create(const struct strategy_setup *setup, void **state, struct error *error)
{
    struct bandit *bandit = calloc(1, sizeof *bandit);
    if (!bandit)
        return error_out_of_memory(error);
    bandit->parameters = setup->parameters;
    bandit->best = INFINITY;
    for (size_t i = 0; i < ARMS; i++) {
        if (!create_arm(&bandit->arms[i], i, setup, error)) {
            bandit_destroy(bandit);
            return false;
        }
    }
    *state = bandit;
    return true;
}

/* Arms without a result in the window score INFINITY and go first, in their order. */
static void score_arms(const struct bandit *bandit, double scores[ARMS])
{
    size_t size = (size_t)bandit->parameters[WINDOW], asked[ARMS] = {0};
    size_t seen = bandit->results < size ? bandit->results : size;
    double area[ARMS] = {0};
    for (size_t i = bandit->results - seen; i < bandit->results; i++) {
        const struct credit *credit = &bandit->window[i % size];
        asked[credit->arm]++;
        area[credit->arm] += credit->success ? (double)asked[credit->arm] : 0;
    }
    for (size_t i = 0; i < ARMS; i++) {
        double n = (double)asked[i];
        scores[i] = asked[i] == 0 ? INFINITY
                                  : 2 * area[i] / (n * (n + 1)) +
                                        bandit->parameters[EXPLORATION] * sqrt(2 * log2((double)seen) / n);
    }
}

static enum answer bandit_ask(void *state, size_t *index)
{
    struct bandit *bandit = state;
    double scores[ARMS];
    bool tried[ARMS] = {false}, waits = false;
    score_arms(bandit, scores);
    for (size_t round = 0; round < ARMS; round++) {
        size_t best = ARMS;
        for (size_t i = 0; i < ARMS; i++) {
            if (!tried[i] && (best == ARMS || scores[i] > scores[best]))
                best = i;
        }
        tried[best] = true;
        if (bandit->arms[best].ended)
            continue;
        enum answer answer = arm_drivers[best]->ask(bandit->arms[best].state, index);
        if (answer == ASK_READY)
            return index_map_put(&bandit->askers, *index, best) ? ASK_READY : ASK_FAILED;
        if (answer == ASK_FAILED)
            return ASK_FAILED;
        bandit->arms[best].ended = answer == ASK_END;
        waits = waits || answer == ASK_WAIT;
    }
    return waits ? ASK_WAIT : ASK_END;
}

static void bandit_tell(void *state, const struct observation *observation)
{
    struct bandit *bandit = state;
    size_t arm, size = (size_t)bandit->parameters[WINDOW];
    bool success = observation->valid && observation->objective < bandit->best;
    if (success)
        bandit->best = observation->objective;
    if (index_map_get(&bandit->askers, observation->index, &arm))
        bandit->window[bandit->results++ % size] = (struct credit){(unsigned char)arm, success};
    for (size_t i = 0; i < ARMS; i++)
        arm_drivers[i]->tell(bandit->arms[i].state, observation);
}

const struct strategy_driver strategy_bandit = {
    .name = "bandit",
    .meaning = "several strategies; those that found new bests lately are asked more often",
    .parameters = bandit_parameters,
    .parameter_count = sizeof bandit_parameters / sizeof *bandit_parameters,
    .create = bandit_create,
    .ask = bandit_ask,
    .tell = bandit_tell,
    .destroy = bandit_destroy,
};

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Iterated local search: H. R. Lourenço, O. C. Martin, T. Stützle, "Iterated local search", Handbook of
 * Metaheuristics, 2003. The best local optimum is perturbed by a few random steps (`strength`); a first-improvement
 * descent (descent.h) starts from the best of several such perturbations (`kicks`). After `patience` descents without
 * a new best the search restarts from new configurations (`starts`).
 */
#include "tuner/search/descent.h"
#include "tuner/search/strategies.h"

#include <math.h>
#include <stdlib.h>

enum { STARTS, LOCALITY, STRENGTH, KICKS, PATIENCE };
static const struct strategy_parameter ils_parameters[] = {
    [STARTS] = {"starts", 12, 1, 1000, "configurations; the first descent starts from the best"},
    [LOCALITY] = {"locality", 2, 0, 4, "preference for near values: a change by k positions has weight 1/k^locality"},
    [STRENGTH] = {"strength", 2, 1, 20, "random steps of a perturbation"},
    [KICKS] = {"kicks", 8, 1, 100, "perturbations; each descent starts from the best"},
    [PATIENCE] = {"patience", 10, 1, 10000, "descents without a new best before a restart"},
};

struct ils {
    struct descent descent;
    const double *settings;
    size_t stalled;        /* descents since the last new best */
    struct incumbent best; /* local optimum; none: restart */
};

static void ils_destroy(void *state)
{
    struct ils *ils = state;
    if (ils)
        descent_clear(&ils->descent);
    free(ils);
}

static bool ils_create(const struct strategy_setup *setup, void **state, struct error *error)
{
    struct ils *ils = calloc(1, sizeof *ils);
    const double *settings = setup->parameters;
    if (!ils || !descent_create(&ils->descent, setup, (size_t)settings[STARTS], settings[LOCALITY])) {
        ils_destroy(ils);
        return error_out_of_memory(error);
    }
    ils->settings = settings;
    ils->best.objective = INFINITY;
    *state = ils;
    return true;
}

/* Asks for a start a few random steps from an optimum. */
static enum answer perturb(struct ils *ils, struct incumbent *incumbent, size_t from, size_t *index)
{
    enum { TRIES = 8 };
    struct descent *descent = &ils->descent;
    size_t steps = (size_t)ils->settings[STRENGTH];
    for (int try = 0; try < TRIES; try++) {
        size_t at = from;
        for (size_t i = 0; i < steps && moves_step(&descent->explorer.moves, at, ils->settings[LOCALITY], &at); i++) {
        }
        if (!explorer_knows(&descent->explorer, at))
            return descent_begin_at(descent, incumbent, at, index);
    }
    return descent_begin(descent, incumbent, index);
}

/* At the end of a descent: is its local optimum the new best, or is it time to restart? */
static void accept_or_restart(struct ils *ils)
{
    struct incumbent *reached = &ils->descent.now;
    if (reached->objective < ils->best.objective) {
        ils->best = *reached;
        ils->stalled = 0;
    } else if (++ils->stalled >= (size_t)ils->settings[PATIENCE]) {
        ils->best.objective = INFINITY;
        ils->stalled = 0;
    }
    descent_advance(&ils->descent);
}

static enum answer ils_ask(void *state, size_t *index)
{
    struct ils *ils = state;
    struct descent *descent = &ils->descent;
    for (;;) {
        bool restart = !isfinite(ils->best.objective);
        size_t wanted = (size_t)ils->settings[restart ? STARTS : KICKS];
        if (descent->now.asked < wanted)
            return restart ? descent_begin(descent, &descent->now, index)
                           : perturb(ils, &descent->now, ils->best.index, index);
        enum answer answer = descent_ask(descent, index);
        if (answer == ASK_READY || answer == ASK_FAILED)
            return answer;
        if (answer == ASK_WAIT) {
            bool better = descent->now.objective < ils->best.objective;
            if (better || !restart)
                return perturb(ils, &descent->next, better ? descent->now.index : ils->best.index, index);
            return descent_begin(descent, &descent->next, index);
        }
        accept_or_restart(ils);
    }
}

static void ils_tell(void *state, const struct observation *observation)
{
    struct ils *ils = state;
    descent_tell(&ils->descent, observation);
}

const struct strategy_driver strategy_ils = {
    .name = "ils",
    .meaning = "iterated local search: descents from perturbations of the best local optimum",
    .parameters = ils_parameters,
    .parameter_count = sizeof ils_parameters / sizeof *ils_parameters,
    .create = ils_create,
    .ask = ils_ask,
    .tell = ils_tell,
    .destroy = ils_destroy,
};

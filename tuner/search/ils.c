/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/search/descent.h"
#include "tuner/search/strategies.h"

#include <math.h>
#include <stdlib.h>

/*
 * Iterated local search (H. R. Lourenço, O. C. Martin, T. Stützle, 2003): the best local optimum is kicked a few
 * random steps away and descended from again. After some kicks in vain all begins anew from new starts.
 */
enum { STARTS, LOCALITY, STRENGTH, KICKS, PATIENCE };
static const struct strategy_parameter ils_parameters[] = {
    [STARTS] = {"starts", 12, 1, 1000, "configurations of which the first descent begins at the best"},
    [LOCALITY] = {"locality", 2, 0, 4, "preference for near values: a change by k positions has weight 1/k^locality"},
    [STRENGTH] = {"strength", 2, 1, 20, "random steps of a kick"},
    [KICKS] = {"kicks", 8, 1, 100, "kicks of which a descent begins at the best"},
    [PATIENCE] = {"patience", 10, 1, 10000, "descents in vain before all begins anew"},
};

struct ils {
    struct descent descent;
    const double *settings;
    size_t failed;    /* descents that found nothing better, one after the other */
    struct site best; /* local optimum; none: begin anew */
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

static enum answer kick(struct ils *ils, struct site *site, size_t from, size_t *index)
{
    enum { TRIES = 8 };
    struct descent *descent = &ils->descent;
    size_t steps = (size_t)ils->settings[STRENGTH];
    for (int try = 0; try < TRIES; try++) {
        size_t at = from;
        for (size_t i = 0; i < steps && moves_step(&descent->explorer.moves, at, ils->settings[LOCALITY], &at); i++) {
        }
        if (!explorer_knows(&descent->explorer, at))
            return descent_begin_at(descent, site, at, index);
    }
    return descent_begin(descent, site, index);
}

/* The descent has ended: is its end the new best, and is it time to give up? */
static void judge(struct ils *ils)
{
    struct site *reached = &ils->descent.now;
    if (reached->objective < ils->best.objective) {
        ils->best = *reached;
        ils->failed = 0;
    } else if (++ils->failed >= (size_t)ils->settings[PATIENCE]) {
        ils->best.objective = INFINITY;
        ils->failed = 0;
    }
    descent_turn(&ils->descent);
}

static enum answer ils_ask(void *state, size_t *index)
{
    struct ils *ils = state;
    struct descent *descent = &ils->descent;
    for (;;) {
        bool anew = !isfinite(ils->best.objective);
        size_t wanted = (size_t)ils->settings[anew ? STARTS : KICKS];
        if (descent->now.asked < wanted)
            return anew ? descent_begin(descent, &descent->now, index)
                        : kick(ils, &descent->now, ils->best.index, index);
        enum answer answer = descent_ask(descent, index);
        if (answer == ASK_READY)
            return answer;
        if (answer == ASK_WAIT) {
            bool better = descent->now.objective < ils->best.objective;
            if (better || !anew)
                return kick(ils, &descent->next, better ? descent->now.index : ils->best.index, index);
            return descent_begin(descent, &descent->next, index);
        }
        judge(ils);
    }
}

static void ils_tell(void *state, const struct observation *observation)
{
    struct ils *ils = state;
    descent_tell(&ils->descent, observation);
}

const struct strategy_driver strategy_ils = {
    .name = "ils",
    .meaning = "iterated local search: descents from kicks of the best local optimum",
    .parameters = ils_parameters,
    .parameter_count = sizeof ils_parameters / sizeof *ils_parameters,
    .create = ils_create,
    .ask = ils_ask,
    .tell = ils_tell,
    .destroy = ils_destroy,
};

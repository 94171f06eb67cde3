/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The default. If the budget covers every configuration, `exhaustive`: the order hardly matters, and one that does
 * not depend on results lets a sweep resume. Otherwise, or if the budget is unknown, `surrogate`, which finds the
 * most in the least time. A model that is wrong about where the optimum lies may look in vain for long: while STALLED
 * results in a row are no better, every other question is asked by `tabu`, which needs no model. Both learn from all
 * results.
 */
#include "tuner/search/strategies.h"

#include <math.h>
#include <stdlib.h>

enum { STALLED = 30 };
enum { LEADER, HELPER, DELEGATES };

struct delegate {
    const struct strategy_driver *driver;
    double *parameters;
    void *state;
    bool ended;
};

struct automatic {
    struct delegate delegates[DELEGATES];
    size_t count; /* of delegates */
    double best;
    size_t stalled; /* results since the best */
    size_t turn;    /* questions since then that the two took turns with */
};

static void auto_destroy(void *state)
{
    struct automatic *automatic = state;
    if (!automatic)
        return;
    for (size_t i = 0; i < automatic->count; i++) {
        struct delegate *delegate = &automatic->delegates[i];
        if (delegate->state)
            delegate->driver->destroy(delegate->state);
        free(delegate->parameters);
    }
    free(automatic);
}

static bool add_delegate(struct automatic *automatic, const struct strategy_driver *driver,
                         const struct strategy_setup *setup, struct error *error)
{
    struct strategy_setup own = *setup;
    struct delegate *delegate = &automatic->delegates[automatic->count];
    own.seed += automatic->count++;
    delegate->driver = driver;
    delegate->parameters = calloc(driver->parameter_count + 1, sizeof *delegate->parameters);
    if (!delegate->parameters)
        return error_out_of_memory(error);
    for (size_t i = 0; i < driver->parameter_count; i++)
        delegate->parameters[i] = driver->parameters[i].preset;
    own.parameters = delegate->parameters;
    return driver->create(&own, &delegate->state, error);
}

static bool auto_create(const struct strategy_setup *setup, void **state, struct error *error)
{
    bool all = setup->evaluations > 0 && setup->evaluations >= search_space_count(setup->space);
    struct automatic *automatic = calloc(1, sizeof *automatic);
    if (!automatic)
        return error_out_of_memory(error);
    automatic->best = INFINITY;
    if (!add_delegate(automatic, all ? &strategy_exhaustive : &strategy_surrogate, setup, error) ||
        (!all && !add_delegate(automatic, &strategy_tabu, setup, error))) {
        auto_destroy(automatic);
        return false;
    }
    *state = automatic;
    return true;
}

static enum answer ask_delegate(struct delegate *delegate, size_t *index)
{
    enum answer answer = delegate->ended ? ASK_END : delegate->driver->ask(delegate->state, index);
    delegate->ended = answer == ASK_END;
    return answer;
}

static enum answer auto_ask(void *state, size_t *index)
{
    struct automatic *automatic = state;
    if (automatic->count > HELPER && automatic->stalled >= STALLED && automatic->turn++ % 2 == 0) {
        enum answer answer = ask_delegate(&automatic->delegates[HELPER], index);
        if (answer == ASK_READY || answer == ASK_FAILED)
            return answer;
    }
    return ask_delegate(&automatic->delegates[LEADER], index);
}

static void auto_tell(void *state, const struct observation *observation)
{
    struct automatic *automatic = state;
    automatic->stalled++;
    if (observation->valid && observation->objective < automatic->best) {
        automatic->best = observation->objective;
        automatic->stalled = automatic->turn = 0;
    }
    for (size_t i = 0; i < automatic->count; i++)
        automatic->delegates[i].driver->tell(automatic->delegates[i].state, observation);
}

const struct strategy_driver strategy_auto = {
    .name = "auto",
    .meaning =
        "exhaustive if the budget covers all configurations, else surrogate, helped by tabu while it finds nothing",
    .create = auto_create,
    .ask = auto_ask,
    .tell = auto_tell,
    .destroy = auto_destroy,
    .fits_all = true,
};

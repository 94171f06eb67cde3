/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/search/strategies.h"

#include <stdlib.h>

/*
 * With a budget that is enough for everything the order does not matter, but it had better not depend on answers:
 * exhaustive. Else, and where the budget is not known, the strategy that finds the most in the least time.
 */
struct choice {
    const struct strategy_driver *driver;
    double *parameters;
    void *state;
};

static void auto_destroy(void *state)
{
    struct choice *choice = state;
    if (choice && choice->state)
        choice->driver->destroy(choice->state);
    if (choice)
        free(choice->parameters);
    free(choice);
}

static bool auto_create(const struct strategy_setup *setup, void **state, struct error *error)
{
    bool all = setup->evaluations > 0 && setup->evaluations >= search_space_count(setup->space);
    const struct strategy_driver *driver = all ? &strategy_exhaustive : &strategy_surrogate;
    struct strategy_setup own = *setup;
    struct choice *choice = calloc(1, sizeof *choice);
    if (choice)
        choice->parameters = calloc(driver->parameter_count + 1, sizeof *choice->parameters);
    if (!choice || !choice->parameters) {
        auto_destroy(choice);
        return error_out_of_memory(error);
    }
    for (size_t i = 0; i < driver->parameter_count; i++)
        choice->parameters[i] = driver->parameters[i].preset;
    own.parameters = choice->parameters;
    choice->driver = driver;
    if (!driver->create(&own, &choice->state, error)) {
        auto_destroy(choice);
        return false;
    }
    *state = choice;
    return true;
}

static enum answer auto_ask(void *state, size_t *index)
{
    struct choice *choice = state;
    return choice->driver->ask(choice->state, index);
}

static void auto_tell(void *state, const struct observation *observation)
{
    struct choice *choice = state;
    choice->driver->tell(choice->state, observation);
}

const struct strategy_driver strategy_auto = {
    .name = "auto",
    .meaning = "exhaustive if the budget is enough for all configurations, else surrogate",
    .create = auto_create,
    .ask = auto_ask,
    .tell = auto_tell,
    .destroy = auto_destroy,
};

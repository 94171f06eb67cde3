/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The default. If the budget covers every configuration, `exhaustive`: the order hardly matters, and one that does
 * not depend on results lets a sweep resume. Otherwise, or if the budget is unknown, `surrogate`, which finds the
 * most in the least time.
 */
#include "tuner/search/strategies.h"

#include <stdlib.h>

struct delegate {
    const struct strategy_driver *driver;
    double *parameters;
    void *state;
};

static void auto_destroy(void *state)
{
    struct delegate *delegate = state;
    if (delegate && delegate->state)
        delegate->driver->destroy(delegate->state);
    if (delegate)
        free(delegate->parameters);
    free(delegate);
}

static bool auto_create(const struct strategy_setup *setup, void **state, struct error *error)
{
    bool all = setup->evaluations > 0 && setup->evaluations >= search_space_count(setup->space);
    const struct strategy_driver *driver = all ? &strategy_exhaustive : &strategy_surrogate;
    struct strategy_setup own = *setup;
    struct delegate *delegate = calloc(1, sizeof *delegate);
    if (delegate)
        delegate->parameters = calloc(driver->parameter_count + 1, sizeof *delegate->parameters);
    if (!delegate || !delegate->parameters) {
        auto_destroy(delegate);
        return error_out_of_memory(error);
    }
    for (size_t i = 0; i < driver->parameter_count; i++)
        delegate->parameters[i] = driver->parameters[i].preset;
    own.parameters = delegate->parameters;
    delegate->driver = driver;
    if (!driver->create(&own, &delegate->state, error)) {
        auto_destroy(delegate);
        return false;
    }
    *state = delegate;
    return true;
}

static enum answer auto_ask(void *state, size_t *index)
{
    struct delegate *delegate = state;
    return delegate->driver->ask(delegate->state, index);
}

static void auto_tell(void *state, const struct observation *observation)
{
    struct delegate *delegate = state;
    delegate->driver->tell(delegate->state, observation);
}

const struct strategy_driver strategy_auto = {
    .name = "auto",
    .meaning = "exhaustive if the budget covers all configurations, else surrogate",
    .create = auto_create,
    .ask = auto_ask,
    .tell = auto_tell,
    .destroy = auto_destroy,
};

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Latin hypercube sampling: the designs of design.h (M. D. McKay, R. J. Beckman, W. J. Conover, Technometrics 21,
 * 1979), `points` at a time. Results don't influence what is asked.
 */
#include "tuner/search/explorer.h"
#include "tuner/search/strategies.h"

#include <stdlib.h>

enum { POINTS };
static const struct strategy_parameter latin_parameters[] = {
    [POINTS] = {"points", 64, 2, 1000, "points per Latin hypercube"},
};

static void latin_destroy(void *state)
{
    if (state)
        explorer_clear(state);
    free(state);
}

static bool latin_create(const struct strategy_setup *setup, void **state, struct error *error)
{
    struct explorer *explorer = calloc(1, sizeof *explorer);
    if (!explorer || !explorer_create(explorer, setup, DESIGN_LATIN, (size_t)setup->parameters[POINTS])) {
        latin_destroy(explorer);
        return error_out_of_memory(error);
    }
    *state = explorer;
    return true;
}

static enum answer latin_ask(void *state, size_t *index)
{
    return explorer_begin(state, NO_ORIGIN, index);
}

static void latin_tell(void *state, const struct observation *observation)
{
    explorer_tell(state, observation);
}

const struct strategy_driver strategy_latin = {
    .name = "latin",
    .meaning = "Latin hypercubes, the first with its points far apart",
    .parameters = latin_parameters,
    .parameter_count = sizeof latin_parameters / sizeof *latin_parameters,
    .create = latin_create,
    .ask = latin_ask,
    .tell = latin_tell,
    .destroy = latin_destroy,
};

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Quasi-random search: the scrambled Halton sequence of design.h (A. B. Owen, "A randomized Halton algorithm in R",
 * 2017). Results don't influence what is asked. No parameters.
 */
#include "tuner/search/explorer.h"
#include "tuner/search/strategies.h"

#include <stdlib.h>

static void halton_destroy(void *state)
{
    if (state)
        explorer_clear(state);
    free(state);
}

static bool halton_create(const struct strategy_setup *setup, void **state, struct error *error)
{
    struct explorer *explorer = calloc(1, sizeof *explorer);
    if (!explorer || !explorer_create(explorer, setup, DESIGN_HALTON, 0)) {
        halton_destroy(explorer);
        return error_out_of_memory(error);
    }
    *state = explorer;
    return true;
}

static enum answer halton_ask(void *state, size_t *index)
{
    return explorer_begin(state, NO_ORIGIN, index);
}

static void halton_tell(void *state, const struct observation *observation)
{
    explorer_tell(state, observation);
}

const struct strategy_driver strategy_halton = {
    .name = "halton",
    .meaning = "scrambled Halton sequence: evenly spread over the space after any number of evaluations",
    .create = halton_create,
    .ask = halton_ask,
    .tell = halton_tell,
    .destroy = halton_destroy,
};

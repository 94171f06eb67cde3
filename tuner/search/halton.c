/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/search/explorer.h"
#include "tuner/search/strategies.h"

#include <stdlib.h>

/* A design and nothing else: what is asked does not depend on how it did. */
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
    .meaning = "a scrambled Halton sequence: even over the space after any number of evaluations",
    .create = halton_create,
    .ask = halton_ask,
    .tell = halton_tell,
    .destroy = halton_destroy,
};

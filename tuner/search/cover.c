#include "tuner/search/explorer.h"
#include "tuner/search/strategies.h"

#include <stdlib.h>

/* A design and nothing else: what is asked does not depend on how it did. */
static const struct strategy_parameter latin_parameters[] = {
    {"points", 64, 2, 1000, "of the first Latin hypercube and of each that follows it"},
};

static void cover_destroy(void *state)
{
    if (state)
        explorer_clear(state);
    free(state);
}

static bool cover_create(const struct strategy_setup *setup, enum design_kind kind, size_t size, void **state,
                         struct error *error)
{
    struct explorer *explorer = calloc(1, sizeof *explorer);
    if (!explorer || !explorer_create(explorer, setup, kind, size)) {
        cover_destroy(explorer);
        return error_set(error, ERROR_SYSTEM, "out of memory");
    }
    *state = explorer;
    return true;
}

static bool latin_create(const struct strategy_setup *setup, void **state, struct error *error)
{
    return cover_create(setup, DESIGN_LATIN, (size_t)setup->parameters[0], state, error);
}

static bool halton_create(const struct strategy_setup *setup, void **state, struct error *error)
{
    return cover_create(setup, DESIGN_HALTON, 0, state, error);
}

static enum answer cover_ask(void *state, size_t *index)
{
    return explorer_begin(state, NO_ORIGIN, index);
}

static void cover_tell(void *state, const struct observation *observation)
{
    explorer_tell(state, observation);
}

const struct strategy_driver strategy_latin = {
    .name = "latin",
    .meaning = "Latin hypercubes, the first one with its points as far apart as possible",
    .parameters = latin_parameters,
    .parameter_count = sizeof latin_parameters / sizeof *latin_parameters,
    .create = latin_create,
    .ask = cover_ask,
    .tell = cover_tell,
    .destroy = cover_destroy,
};

const struct strategy_driver strategy_halton = {
    .name = "halton",
    .meaning = "a scrambled Halton sequence: even over the space after any number of evaluations",
    .create = halton_create,
    .ask = cover_ask,
    .tell = cover_tell,
    .destroy = cover_destroy,
};

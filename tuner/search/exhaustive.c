#include "tuner/search/strategies.h"

#include <stdlib.h>

struct exhaustive {
    size_t next, count;
};

static bool exhaustive_create(const struct problem *problem, uint64_t seed, void **state, struct error *error)
{
    (void)seed; /* every seed asks the same questions */
    struct exhaustive *exhaustive = calloc(1, sizeof *exhaustive);
    if (!exhaustive)
        return error_set(error, ERROR_SYSTEM, "out of memory");
    exhaustive->count = problem_configuration_count(problem);
    *state = exhaustive;
    return true;
}

static bool exhaustive_ask(void *state, size_t *index)
{
    struct exhaustive *exhaustive = state;
    if (exhaustive->next == exhaustive->count)
        return false;
    *index = exhaustive->next++;
    return true;
}

static void exhaustive_tell(void *state, size_t index, bool valid, double objective)
{
    (void)state, (void)index, (void)valid, (void)objective; /* no answer changes the order */
}

const struct strategy_driver strategy_exhaustive = {
    .name = "exhaustive",
    .meaning = "every valid configuration, in the order of the space",
    .create = exhaustive_create,
    .ask = exhaustive_ask,
    .tell = exhaustive_tell,
    .destroy = free,
};

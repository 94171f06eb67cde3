/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Multi-start local search by first improvement (E. Aarts, J. K. Lenstra (eds.), "Local Search in Combinatorial
 * Optimization", 1997): descents one after the other (descent.h), each from the best of a few new configurations all
 * over the space (`starts`), to near neighbours first (`locality`). First improvement suits concurrent evaluations:
 * it need not wait for all neighbours.
 */
#include "tuner/search/descent.h"
#include "tuner/search/strategies.h"

#include <stdlib.h>

enum { STARTS, LOCALITY };
static const struct strategy_parameter greedy_parameters[] = {
    [STARTS] = {"starts", 12, 1, 1000, "configurations; each descent starts from the best"},
    [LOCALITY] = {"locality", 2, 0, 4, "preference for near values: a change by k positions has weight 1/k^locality"},
};

struct greedy {
    struct descent descent;
    size_t starts;
};

static void greedy_destroy(void *state)
{
    struct greedy *greedy = state;
    if (greedy)
        descent_clear(&greedy->descent);
    free(greedy);
}

static bool greedy_create(const struct strategy_setup *setup, void **state, struct error *error)
{
    struct greedy *greedy = calloc(1, sizeof *greedy);
    size_t starts = (size_t)setup->parameters[STARTS];
    if (!greedy || !descent_create(&greedy->descent, setup, starts, setup->parameters[LOCALITY])) {
        greedy_destroy(greedy);
        return error_out_of_memory(error);
    }
    greedy->starts = starts;
    *state = greedy;
    return true;
}

static enum answer greedy_ask(void *state, size_t *index)
{
    struct greedy *greedy = state;
    struct descent *descent = &greedy->descent;
    for (;; descent_advance(descent)) {
        if (descent->now.asked < greedy->starts)
            return descent_begin(descent, &descent->now, index);
        enum answer answer = descent_ask(descent, index);
        if (answer == ASK_WAIT)
            return descent_begin(descent, &descent->next, index);
        if (answer != ASK_END)
            return answer;
    }
}

static void greedy_tell(void *state, const struct observation *observation)
{
    struct greedy *greedy = state;
    descent_tell(&greedy->descent, observation);
}

const struct strategy_driver strategy_greedy = {
    .name = "greedy",
    .meaning = "local search by first improvement, restarted from the best of a few configurations",
    .parameters = greedy_parameters,
    .parameter_count = sizeof greedy_parameters / sizeof *greedy_parameters,
    .create = greedy_create,
    .ask = greedy_ask,
    .tell = greedy_tell,
    .destroy = greedy_destroy,
};

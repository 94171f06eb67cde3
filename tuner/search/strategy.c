/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/search/strategy.h"

#include "tuner/search/strategies.h"

#include <string.h>

const struct strategy_driver *const strategy_drivers[] = {
    &strategy_exhaustive, &strategy_random,    &strategy_latin,     &strategy_halton,  &strategy_greedy,
    &strategy_ils,        &strategy_tabu,      &strategy_annealing, &strategy_genetic, &strategy_evolution,
    &strategy_swarm,      &strategy_surrogate, &strategy_bandit,    &strategy_auto,
};
const size_t strategy_driver_count = sizeof strategy_drivers / sizeof *strategy_drivers;

const struct strategy_driver *strategy_find(const char *name)
{
    for (size_t i = 0; i < strategy_driver_count; i++) {
        if (strcmp(strategy_drivers[i]->name, name) == 0)
            return strategy_drivers[i];
    }
    return NULL;
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/search/population.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

bool population_create(struct population *population, size_t size)
{
    *population = (struct population){.members = calloc(size, sizeof *population->members), .size = size};
    return population->members != NULL;
}

void population_clear(struct population *population)
{
    free(population->members);
}

bool population_join(struct population *population, size_t index, double objective)
{
    struct member *members = population->members;
    bool full = population->count == population->size;
    if (isinf(objective) || (full && objective >= members[population->size - 1].objective))
        return false;
    size_t at = full ? population->size - 1 : population->count++;
    for (; at > 0 && members[at - 1].objective > objective; at--)
        members[at] = members[at - 1];
    members[at] = (struct member){.index = index, .objective = objective};
    return true;
}

const struct member *population_choose(const struct population *population, struct generator *generator,
                                       double pressure)
{
    double rank = (double)population->count * pow(generator_real(generator), pressure);
    size_t at = (size_t)rank;
    return &population->members[at < population->count ? at : population->count - 1];
}

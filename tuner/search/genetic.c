/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Steady-state genetic algorithm: D. Whitley, "The GENITOR algorithm and selection pressure", ICGA 1989. Two parents
 * are selected by rank (`pressure`) from `population` members; uniform crossover with probability `crossover`;
 * mutation of `mutation` parameters on average, to near values (`locality`). An invalid child is replaced by a valid
 * configuration on the way to it from the first parent. A child better than the worst member replaces it. After
 * `patience` populations of fruitless children the search restarts with a new population.
 */
#include "tuner/search/explorer.h"
#include "tuner/search/population.h"
#include "tuner/search/strategies.h"

#include <stdlib.h>

enum { POPULATION, PRESSURE, CROSSOVER, MUTATION, LOCALITY, PATIENCE };
static const struct strategy_parameter genetic_parameters[] = {
    [POPULATION] = {"population", 12, 2, 10000, "members"},
    [PRESSURE] = {"pressure", 2.5, 1, 10,
                  "selection pressure: how strongly better parents are preferred; 1: not at all"},
    [CROSSOVER] = {"crossover", 0.7, 0, 1, "probability that a child has two parents"},
    [MUTATION] = {"mutation", 0.75, 0, 20, "parameters mutated per child, on average"},
    [LOCALITY] = {"locality", 2, 0, 4, "preference for near values: a change by k positions has weight 1/k^locality"},
    [PATIENCE] = {"patience", 10, 1, 1000, "populations of fruitless children before a restart"},
};

struct genetic {
    struct explorer explorer;
    struct population population;
    const double *settings;
    uint16_t *child;
    ptrdiff_t number; /* of the population: the origin of its trials */
    size_t started;   /* initial members asked for */
    size_t fruitless; /* children since the last that joined */
};

static void genetic_destroy(void *state)
{
    struct genetic *genetic = state;
    if (genetic) {
        explorer_clear(&genetic->explorer);
        population_clear(&genetic->population);
        free(genetic->child);
    }
    free(genetic);
}

static bool genetic_create(const struct strategy_setup *setup, void **state, struct error *error)
{
    struct genetic *genetic = calloc(1, sizeof *genetic);
    size_t size = (size_t)setup->parameters[POPULATION];
    if (genetic)
        genetic->child = calloc(search_space_dimensions(setup->space) + 1, sizeof *genetic->child);
    if (!genetic || !genetic->child || !population_create(&genetic->population, size) ||
        !explorer_create(&genetic->explorer, setup, DESIGN_COVER, size)) {
        genetic_destroy(genetic);
        return error_out_of_memory(error);
    }
    genetic->settings = setup->parameters;
    *state = genetic;
    return true;
}

static void mutate(struct genetic *genetic)
{
    const struct moves *moves = &genetic->explorer.moves;
    double rate = genetic->settings[MUTATION] / (double)moves->variable_count;
    for (size_t i = 0; i < moves->variable_count; i++) {
        size_t d = moves->variable[i];
        if (generator_real(moves->generator) < rate)
            genetic->child[d] = moves_other_position(moves, d, genetic->child[d], genetic->settings[LOCALITY]);
    }
}

/* A child, by crossover and mutation or by mutation alone. */
static size_t breed(struct genetic *genetic)
{
    const struct moves *moves = &genetic->explorer.moves;
    const struct population *population = &genetic->population;
    size_t mother = population_choose(population, moves->generator, genetic->settings[PRESSURE])->index;
    search_space_point(moves->space, mother, genetic->child);
    if (generator_real(moves->generator) < genetic->settings[CROSSOVER]) {
        size_t father = population_choose(population, moves->generator, genetic->settings[PRESSURE])->index;
        search_space_point(moves->space, father, moves->other);
        for (size_t d = 0; d < moves->dimensions; d++) {
            if (generator_below(moves->generator, 2))
                genetic->child[d] = moves->other[d];
        }
    }
    mutate(genetic);
    return moves_towards(moves, mother, genetic->child);
}

static enum answer genetic_ask(void *state, size_t *index)
{
    enum { TRIES = 16 };
    struct genetic *genetic = state;
    struct explorer *explorer = &genetic->explorer;
    if (genetic->fruitless > genetic->population.size * (size_t)genetic->settings[PATIENCE]) {
        genetic->population.count = genetic->started = genetic->fruitless = 0;
        genetic->number++;
    }
    bool begun = genetic->started >= genetic->population.size && genetic->population.count >= 2;
    for (int i = 0; begun && i < TRIES; i++) {
        size_t child = breed(genetic);
        if (!explorer_knows(explorer, child))
            return explorer_ask(explorer, child, genetic->number, index);
        genetic->fruitless++;
    }
    genetic->started++;
    return explorer_begin(explorer, genetic->number, index);
}

static void genetic_tell(void *state, const struct observation *observation)
{
    struct genetic *genetic = state;
    const struct trial *trial = explorer_tell(&genetic->explorer, observation);
    if (!trial || (trial->origin != genetic->number && trial->origin != NO_ORIGIN))
        return;
    bool joined = population_join(&genetic->population, trial->index, trial->objective);
    if (joined)
        genetic->fruitless = 0;
    else
        genetic->fruitless += trial->origin != NO_ORIGIN; /* results told unasked aren't children */
}

const struct strategy_driver strategy_genetic = {
    .name = "genetic",
    .meaning = "steady-state genetic algorithm: rank selection, uniform crossover, local mutation",
    .parameters = genetic_parameters,
    .parameter_count = sizeof genetic_parameters / sizeof *genetic_parameters,
    .create = genetic_create,
    .ask = genetic_ask,
    .tell = genetic_tell,
    .destroy = genetic_destroy,
};

/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/search/explorer.h"
#include "tuner/search/population.h"
#include "tuner/search/strategies.h"

#include <stdlib.h>

/*
 * A genetic algorithm in a steady state (D. Whitley, "The GENITOR algorithm and selection pressure", 1989): two
 * parents chosen by rank, uniform crossover, mutation of a parameter or two to a near value, and a child takes the
 * place of the worst. A child that is not valid is the valid one on the way from its first parent. When the
 * population has stood still for long, all but new starts is forgotten.
 */
enum { POPULATION, PRESSURE, CROSSOVER, MUTATION, LOCALITY, PATIENCE };
static const struct strategy_parameter genetic_parameters[] = {
    [POPULATION] = {"population", 12, 2, 10000, "members"},
    [PRESSURE] = {"pressure", 2.5, 1, 10, "how much better parents are preferred; 1: not at all"},
    [CROSSOVER] = {"crossover", 0.7, 0, 1, "probability that a child has two parents"},
    [MUTATION] = {"mutation", 0.75, 0, 20, "parameters that are changed in a child on average"},
    [LOCALITY] = {"locality", 2, 0, 4, "preference for near values: a change by k positions has weight 1/k^locality"},
    [PATIENCE] = {"patience", 10, 1, 1000, "populations of children in vain before it begins anew"},
};

struct genetic {
    struct explorer explorer;
    struct population population;
    const double *settings;
    uint16_t *child;
    ptrdiff_t number; /* of the population: the origin of its trials */
    size_t started;   /* starts asked for */
    size_t vain;      /* children that did not join, one after the other */
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
        !explorer_create(&genetic->explorer, setup, DESIGN_LATIN, size)) {
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

/* A child of the population, or of its first parent alone. */
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
    if (genetic->vain > genetic->population.size * (size_t)genetic->settings[PATIENCE]) {
        genetic->population.count = genetic->started = genetic->vain = 0;
        genetic->number++;
    }
    bool begun = genetic->started >= genetic->population.size && genetic->population.count >= 2;
    for (int i = 0; begun && i < TRIES; i++) {
        size_t child = breed(genetic);
        if (!explorer_knows(explorer, child))
            return explorer_ask(explorer, child, genetic->number, index);
        genetic->vain++;
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
        genetic->vain = 0;
    else
        genetic->vain += trial->origin != NO_ORIGIN; /* what was not asked for is no child */
}

const struct strategy_driver strategy_genetic = {
    .name = "genetic",
    .meaning = "genetic algorithm in a steady state: crossover, local mutation, the better ones stay",
    .parameters = genetic_parameters,
    .parameter_count = sizeof genetic_parameters / sizeof *genetic_parameters,
    .create = genetic_create,
    .ask = genetic_ask,
    .tell = genetic_tell,
    .destroy = genetic_destroy,
};

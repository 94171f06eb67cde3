/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Differential evolution: R. Storn, K. Price, Journal of Global Optimization 11, 1997, in the variant "p-best/1/bin"
 * of J. Zhang, A. C. Sanderson, "JADE", IEEE Transactions on Evolutionary Computation 13, 2009. In each parameter,
 * with probability `crossover`, a member's trial vector takes the mutant's position p + weight * (a - b), p among
 * the best share (`best`) of the members, a and b any members, rounded up or down at random, and otherwise keeps the
 * member's. A categorical parameter takes p's value, or a's where a and b differ. Invalid trial vectors are
 * approached from the member (moves.h); `mutation` is the probability of an additional step to a neighbour. A trial
 * that is better replaces the member. Members take turns without waiting for each other's results. After `patience`
 * populations of fruitless trials the search restarts.
 */
#include "tuner/search/explorer.h"
#include "tuner/search/strategies.h"

#include <math.h>
#include <stdlib.h>

enum { POPULATION, WEIGHT, CROSSOVER, BEST, MUTATION, LOCALITY, PATIENCE };
static const struct strategy_parameter evolution_parameters[] = {
    [POPULATION] = {"population", 12, 4, 10000, "members"},
    [WEIGHT] = {"weight", 0.6, 0, 2, "factor of the differences between members"},
    [CROSSOVER] = {"crossover", 0.8, 0, 1, "probability that a parameter changes"},
    [BEST] = {"best", 0.2, 0, 1, "share of the members that count as the best"},
    [MUTATION] = {"mutation", 0.3, 0, 1, "probability of an additional step to a neighbour"},
    [LOCALITY] = {"locality", 2, 0, 4, "preference for near values: a change by k positions has weight 1/k^locality"},
    [PATIENCE] = {"patience", 10, 1, 1000, "populations of fruitless trials before a restart"},
};

struct individual {
    size_t index;
    double objective; /* INFINITY: none yet, or failed */
};

struct evolution {
    struct explorer explorer;
    struct individual *members;
    size_t *ranks; /* members, best first */
    const double *settings;
    size_t size, started, turn, fruitless;
    ptrdiff_t number;        /* of the population; origin of a trial: number * size + member */
    uint16_t *x, *p, *a, *b; /* trial vector and parents; one allocation, at x */
};

static void evolution_destroy(void *state)
{
    struct evolution *evolution = state;
    if (evolution) {
        explorer_clear(&evolution->explorer);
        free(evolution->members);
        free(evolution->ranks);
        free(evolution->x);
    }
    free(evolution);
}

static void restart(struct evolution *evolution)
{
    for (size_t i = 0; i < evolution->size; i++) {
        evolution->members[i].objective = INFINITY;
        evolution->ranks[i] = i;
    }
    evolution->started = evolution->turn = evolution->fruitless = 0;
    evolution->number++;
}

static bool evolution_create(const struct strategy_setup *setup, void **state, struct error *error)
{
    struct evolution *evolution = calloc(1, sizeof *evolution);
    size_t dimensions = search_space_dimensions(setup->space), size = (size_t)setup->parameters[POPULATION];
    if (evolution) {
        evolution->members = calloc(size, sizeof *evolution->members);
        evolution->ranks = calloc(size, sizeof *evolution->ranks);
        evolution->x = calloc(4 * dimensions + 1, sizeof *evolution->x);
    }
    if (!evolution || !evolution->members || !evolution->ranks || !evolution->x ||
        !explorer_create(&evolution->explorer, setup, DESIGN_COVER, size)) {
        evolution_destroy(evolution);
        return error_out_of_memory(error);
    }
    evolution->p = evolution->x + dimensions;
    evolution->a = evolution->p + dimensions;
    evolution->b = evolution->a + dimensions;
    evolution->settings = setup->parameters;
    evolution->size = size;
    restart(evolution);
    *state = evolution;
    return true;
}

/* Members with a valid result; they rank before the others. */
static size_t present(const struct evolution *evolution)
{
    size_t count = 0;
    while (count < evolution->size && isfinite(evolution->members[evolution->ranks[count]].objective))
        count++;
    return count;
}

/* Moves an improved member up in rank. */
static void rank(struct evolution *evolution, size_t member)
{
    size_t at = 0;
    while (evolution->ranks[at] != member)
        at++;
    for (; at > 0; at--) {
        size_t before = evolution->ranks[at - 1];
        if (evolution->members[before].objective <= evolution->members[member].objective)
            break;
        evolution->ranks[at] = before;
        evolution->ranks[at - 1] = member;
    }
}

/* The point of a random member among the `count` best. */
static void draw_parent(const struct evolution *evolution, size_t count, uint16_t *point)
{
    size_t member = evolution->ranks[generator_below(evolution->explorer.moves.generator, count)];
    search_space_point(evolution->explorer.space, evolution->members[member].index, point);
}

/* The mutant's position in dimension d. */
static uint16_t mutant(const struct evolution *evolution, size_t d)
{
    const struct moves *moves = &evolution->explorer.moves;
    uint16_t p = evolution->p[d], a = evolution->a[d], b = evolution->b[d];
    size_t numbers = moves->numbers[d];
    if (p >= numbers || a >= numbers || b >= numbers)
        return a == b ? p : a;
    double weight = evolution->settings[WEIGHT];
    double position = floor(p + weight * ((double)a - b) + generator_real(moves->generator));
    double most = (double)numbers - 1;
    return (uint16_t)(position < 0 ? 0 : position > most ? most : position);
}

/* The trial of a member, or of the best one if the member has no valid result. */
static size_t make_trial(const struct evolution *evolution, size_t member, size_t count)
{
    const struct moves *moves = &evolution->explorer.moves;
    size_t best = (size_t)ceil(evolution->settings[BEST] * (double)count);
    if (isinf(evolution->members[member].objective))
        member = evolution->ranks[0];
    size_t from = evolution->members[member].index;
    search_space_point(moves->space, from, evolution->x);
    draw_parent(evolution, best > 0 ? best : 1, evolution->p);
    draw_parent(evolution, count, evolution->a);
    draw_parent(evolution, count, evolution->b);
    for (size_t d = 0; d < moves->dimensions; d++) {
        if (generator_real(moves->generator) < evolution->settings[CROSSOVER])
            evolution->x[d] = mutant(evolution, d);
    }
    size_t trial = moves_towards(moves, from, evolution->x);
    if (trial == from || generator_real(moves->generator) < evolution->settings[MUTATION])
        moves_step(moves, trial, evolution->settings[LOCALITY], &trial);
    return trial;
}

static ptrdiff_t origin_of(const struct evolution *evolution, size_t member)
{
    return evolution->number * (ptrdiff_t)evolution->size + (ptrdiff_t)member;
}

static enum answer evolution_ask(void *state, size_t *index)
{
    enum { TRIES = 16 };
    struct evolution *evolution = state;
    struct explorer *explorer = &evolution->explorer;
    size_t count = present(evolution);
    if (evolution->fruitless > evolution->size * (size_t)evolution->settings[PATIENCE])
        restart(evolution);
    bool begun = evolution->started >= evolution->size && count >= 2;
    size_t member = begun ? evolution->turn++ % evolution->size : evolution->started++ % evolution->size;
    for (int i = 0; begun && i < TRIES; i++) {
        size_t trial = make_trial(evolution, member, count);
        if (!explorer_knows(explorer, trial))
            return explorer_ask(explorer, trial, origin_of(evolution, member), index);
        evolution->fruitless++;
    }
    return explorer_begin(explorer, origin_of(evolution, member), index);
}

static void evolution_tell(void *state, const struct observation *observation)
{
    struct evolution *evolution = state;
    const struct trial *trial = explorer_tell(&evolution->explorer, observation);
    bool unasked = trial && trial->origin == NO_ORIGIN;
    if (!trial || (!unasked && trial->origin < origin_of(evolution, 0)))
        return;
    /* what was told unasked competes with the worst member */
    size_t member =
        unasked ? evolution->ranks[evolution->size - 1] : (size_t)(trial->origin - origin_of(evolution, 0));
    struct individual *individual = &evolution->members[member];
    if (trial->objective < individual->objective) {
        *individual = (struct individual){trial->index, trial->objective};
        rank(evolution, member);
        evolution->fruitless = 0;
    } else {
        evolution->fruitless += !unasked;
    }
}

const struct strategy_driver strategy_evolution = {
    .name = "evolution",
    .meaning = "differential evolution: steps along the differences between good configurations",
    .parameters = evolution_parameters,
    .parameter_count = sizeof evolution_parameters / sizeof *evolution_parameters,
    .create = evolution_create,
    .ask = evolution_ask,
    .tell = evolution_tell,
    .destroy = evolution_destroy,
};

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Particle swarm optimisation: J. Kennedy, R. Eberhart, "Particle swarm optimization", ICNN 1995, with the velocity
 * damped after M. Clerc, J. Kennedy, IEEE Transactions on Evolutionary Computation 6, 2002. Each of `particles` keeps
 * a share of its velocity (`inertia`) and is pulled to the best it has found itself (`own`, the cognitive
 * coefficient) and to the best that any has (`common`, the social coefficient). Positions are real numbers, rounded,
 * and repaired on the way from the particle's own best. A categorical parameter takes the value of either best with a
 * probability proportional to its pull. `turbulence` is the probability of an additional step to a neighbour
 * (`locality`); a particle that arrives at a known configuration steps aside. Particles don't wait for each other:
 * the best of a random few (`tournament`) moves next. After `patience` fruitless moves per particle the search
 * restarts.
 */
#include "tuner/search/explorer.h"
#include "tuner/search/strategies.h"

#include <math.h>
#include <stdlib.h>

enum { PARTICLES, TOURNAMENT, INERTIA, OWN, COMMON, TURBULENCE, LOCALITY, PATIENCE };
static const struct strategy_parameter swarm_parameters[] = {
    [PARTICLES] = {"particles", 12, 2, 10000, "particles in the swarm"},
    [TOURNAMENT] = {"tournament", 3, 1, 100, "random particles, the best of which moves next"},
    [INERTIA] = {"inertia", 0.3, 0, 1, "share of its velocity that a particle keeps"},
    [OWN] = {"own", 1.5, 0, 4, "cognitive coefficient: pull of the particle's own best"},
    [COMMON] = {"common", 1.5, 0, 4, "social coefficient: pull of the swarm's best"},
    [TURBULENCE] = {"turbulence", 0.3, 0, 1, "probability of an additional step to a neighbour"},
    [LOCALITY] = {"locality", 2, 0, 4, "preference for near values: a change by k positions has weight 1/k^locality"},
    [PATIENCE] = {"patience", 10, 1, 1000, "fruitless moves per particle before a restart"},
};

struct particle {
    size_t best;
    double objective; /* of its best; INFINITY: nothing valid yet */
    double *place, *velocity;
};

struct swarm {
    struct explorer explorer;
    struct particle *particles;
    double *coordinates; /* all places and velocities */
    const double *settings;
    size_t size, started, fruitless, leader;
    ptrdiff_t number; /* of the swarm; origin of a trial: number * size + particle */
    uint16_t *wanted, *own, *common;
};

static void swarm_destroy(void *state)
{
    struct swarm *swarm = state;
    if (swarm) {
        explorer_clear(&swarm->explorer);
        free(swarm->particles);
        free(swarm->coordinates);
        free(swarm->wanted);
        free(swarm->own);
        free(swarm->common);
    }
    free(swarm);
}

static void restart(struct swarm *swarm)
{
    for (size_t i = 0; i < swarm->size; i++)
        swarm->particles[i].objective = INFINITY;
    swarm->started = swarm->fruitless = swarm->leader = 0;
    swarm->number++;
}

static bool allocate(struct swarm *swarm, size_t dimensions)
{
    swarm->particles = calloc(swarm->size, sizeof *swarm->particles);
    swarm->coordinates = calloc(2 * dimensions * swarm->size + 1, sizeof *swarm->coordinates);
    swarm->wanted = calloc(dimensions + 1, sizeof *swarm->wanted);
    swarm->own = calloc(dimensions + 1, sizeof *swarm->own);
    swarm->common = calloc(dimensions + 1, sizeof *swarm->common);
    if (!swarm->particles || !swarm->coordinates || !swarm->wanted || !swarm->own || !swarm->common)
        return false;
    for (size_t i = 0; i < swarm->size; i++) {
        swarm->particles[i].place = swarm->coordinates + 2 * dimensions * i;
        swarm->particles[i].velocity = swarm->particles[i].place + dimensions;
    }
    return true;
}

static bool swarm_create(const struct strategy_setup *setup, void **state, struct error *error)
{
    struct swarm *swarm = calloc(1, sizeof *swarm);
    if (swarm) {
        swarm->settings = setup->parameters;
        swarm->size = (size_t)setup->parameters[PARTICLES];
    }
    if (!swarm || !allocate(swarm, search_space_dimensions(setup->space)) ||
        !explorer_create(&swarm->explorer, setup, DESIGN_COVER, swarm->size)) {
        swarm_destroy(swarm);
        return error_out_of_memory(error);
    }
    restart(swarm);
    *state = swarm;
    return true;
}

static ptrdiff_t origin_of(const struct swarm *swarm, size_t particle)
{
    return swarm->number * (ptrdiff_t)swarm->size + (ptrdiff_t)particle;
}

/* Puts a particle at rest at a configuration. */
static void place(struct swarm *swarm, struct particle *particle, size_t index)
{
    search_space_point(swarm->explorer.space, index, swarm->wanted);
    for (size_t d = 0; d < swarm->explorer.moves.dimensions; d++) {
        particle->place[d] = swarm->wanted[d];
        particle->velocity[d] = 0;
    }
}

/* The next place of a particle in one dimension. */
static double advance(struct swarm *swarm, struct particle *particle, size_t d)
{
    const struct moves *moves = &swarm->explorer.moves;
    const double *settings = swarm->settings;
    double to_own = settings[OWN] * generator_real(moves->generator);
    double to_common = settings[COMMON] * generator_real(moves->generator);
    double at = particle->place[d], most = (double)moves->numbers[d] - 1;
    if (at > most || swarm->own[d] > most || swarm->common[d] > most) {
        double chance = generator_real(moves->generator);
        return chance < to_common / 2 ? swarm->common[d] : chance < (to_own + to_common) / 2 ? swarm->own[d] : at;
    }
    particle->velocity[d] = settings[INERTIA] * particle->velocity[d] + to_own * (swarm->own[d] - at) +
                            to_common * (swarm->common[d] - at);
    at += particle->velocity[d];
    if (at < 0 || at > most) {
        at = at < 0 ? 0 : most;
        particle->velocity[d] = 0;
    }
    return at;
}

/* Moves a particle; returns the valid configuration it arrives at, which may be known. */
static size_t fly(struct swarm *swarm, struct particle *particle)
{
    const struct moves *moves = &swarm->explorer.moves;
    size_t leader = swarm->particles[swarm->leader].best;
    size_t from = isfinite(particle->objective) ? particle->best : leader;
    search_space_point(moves->space, from, swarm->own);
    search_space_point(moves->space, leader, swarm->common);
    for (size_t d = 0; d < moves->dimensions; d++) {
        particle->place[d] = advance(swarm, particle, d);
        swarm->wanted[d] = (uint16_t)floor(particle->place[d] + 0.5);
    }
    size_t to = moves_towards(moves, from, swarm->wanted);
    if (generator_real(moves->generator) < swarm->settings[TURBULENCE])
        moves_step(moves, to, swarm->settings[LOCALITY], &to);
    return to;
}

/* Tournament selection of the particle to move next. */
static size_t select_particle(struct swarm *swarm)
{
    size_t best = generator_below(&swarm->explorer.generator, swarm->size);
    for (size_t i = 1; i < (size_t)swarm->settings[TOURNAMENT]; i++) {
        size_t other = generator_below(&swarm->explorer.generator, swarm->size);
        if (swarm->particles[other].objective < swarm->particles[best].objective)
            best = other;
    }
    return best;
}

static enum answer swarm_ask(void *state, size_t *index)
{
    enum { TRIES = 16 };
    struct swarm *swarm = state;
    struct explorer *explorer = &swarm->explorer;
    if (swarm->fruitless > swarm->size * (size_t)swarm->settings[PATIENCE])
        restart(swarm);
    bool begun = swarm->started >= swarm->size && isfinite(swarm->particles[swarm->leader].objective);
    size_t number = begun ? select_particle(swarm) : swarm->started++ % swarm->size;
    struct particle *particle = &swarm->particles[number];
    if (begun) {
        size_t to = fly(swarm, particle);
        for (int i = 0; i < TRIES && explorer_knows(explorer, to); i++) {
            if (!moves_step(&explorer->moves, to, swarm->settings[LOCALITY], &to))
                break;
        }
        if (!explorer_knows(explorer, to))
            return explorer_ask(explorer, to, origin_of(swarm, number), index);
    }
    enum answer answer = explorer_begin(explorer, origin_of(swarm, number), index);
    if (answer == ASK_READY)
        place(swarm, particle, *index);
    return answer;
}

static void swarm_tell(void *state, const struct observation *observation)
{
    struct swarm *swarm = state;
    const struct trial *trial = explorer_tell(&swarm->explorer, observation);
    bool unasked = trial && trial->origin == NO_ORIGIN;
    if (!trial || (!unasked && trial->origin < origin_of(swarm, 0)))
        return;
    /* what was told unasked counts as the leader's */
    size_t number = unasked ? swarm->leader : (size_t)(trial->origin - origin_of(swarm, 0));
    struct particle *particle = &swarm->particles[number];
    swarm->fruitless += !unasked;
    if (!(trial->objective < particle->objective))
        return;
    particle->best = trial->index;
    particle->objective = trial->objective;
    swarm->fruitless = 0;
    if (particle->objective < swarm->particles[swarm->leader].objective)
        swarm->leader = number;
}

const struct strategy_driver strategy_swarm = {
    .name = "swarm",
    .meaning = "particle swarm optimisation: pulled to each particle's best and to the best of all",
    .parameters = swarm_parameters,
    .parameter_count = sizeof swarm_parameters / sizeof *swarm_parameters,
    .create = swarm_create,
    .ask = swarm_ask,
    .tell = swarm_tell,
    .destroy = swarm_destroy,
};

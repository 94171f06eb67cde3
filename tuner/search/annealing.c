/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Simulated annealing: S. Kirkpatrick, C. D. Gelatt, M. P. Vecchi, "Optimization by simulated annealing", Science
 * 220, 1983. From the best of a few configurations (`starts`), a step to a random neighbour (`locality`) is accepted
 * if it improves, else with probability 2^(-loss / (temperature * typical loss)). The typical loss is the running
 * median of the losses of steps, so that at temperature 1 half of such steps are accepted whatever the unit and scale
 * of the objective. The temperature starts at `temperature`, is multiplied by `cooling` at each result, and below
 * `lowest` the search restarts. Neighbours whose results are known are accepted or rejected without an evaluation.
 */
#include "tuner/search/explorer.h"
#include "tuner/search/strategies.h"

#include <math.h>
#include <stdlib.h>

enum { STARTS, LOCALITY, TEMPERATURE, COOLING, LOWEST };
static const struct strategy_parameter annealing_parameters[] = {
    [STARTS] = {"starts", 12, 1, 1000, "configurations; annealing starts from the best"},
    [LOCALITY] = {"locality", 2, 0, 4, "preference for near values: a change by k positions has weight 1/k^locality"},
    [TEMPERATURE] = {"temperature", 0.2, 0, 100, "initial temperature, in typical losses"},
    [COOLING] = {"cooling", 0.98, 0.1, 1, "factor that each result multiplies the temperature by"},
    [LOWEST] = {"lowest", 0.01, 0, 100, "temperature at which the search restarts"},
};

struct annealing {
    struct explorer explorer;
    const double *settings;
    size_t at;
    double objective, temperature, typical_loss;
    ptrdiff_t number; /* of the run: the origin of its trials */
    size_t started, starts_told;
};

static void annealing_destroy(void *state)
{
    struct annealing *annealing = state;
    if (annealing)
        explorer_clear(&annealing->explorer);
    free(annealing);
}

static void restart(struct annealing *annealing)
{
    annealing->objective = INFINITY;
    annealing->temperature = annealing->settings[TEMPERATURE];
    annealing->number++;
    annealing->started = annealing->starts_told = 0;
}

static bool annealing_create(const struct strategy_setup *setup, void **state, struct error *error)
{
    struct annealing *annealing = calloc(1, sizeof *annealing);
    if (!annealing ||
        !explorer_create(&annealing->explorer, setup, DESIGN_COVER, (size_t)setup->parameters[STARTS])) {
        annealing_destroy(annealing);
        return error_out_of_memory(error);
    }
    annealing->settings = setup->parameters;
    restart(annealing);
    *state = annealing;
    return true;
}

/* Tracks the median of a stream: a fixed factor up or down towards each value. */
static void learn_loss(struct annealing *annealing, double loss)
{
    static const double pace = 1.1;
    if (!(annealing->typical_loss > 0))
        annealing->typical_loss = loss;
    else
        annealing->typical_loss *= loss > annealing->typical_loss ? pace : 1 / pace;
}

static void move_to(struct annealing *annealing, size_t index, double objective)
{
    annealing->at = index;
    annealing->objective = objective;
}

/* Metropolis's criterion. */
static void accept_or_reject(struct annealing *annealing, size_t index, double objective)
{
    double loss = objective - annealing->objective;
    if (isinf(objective))
        return;
    if (loss > 0) {
        learn_loss(annealing, loss);
        if (generator_real(&annealing->explorer.generator) >=
            exp2(-loss / (annealing->temperature * annealing->typical_loss)))
            return;
    }
    move_to(annealing, index, objective);
}

static enum answer annealing_ask(void *state, size_t *index)
{
    enum { TRIES = 64 };
    struct annealing *annealing = state;
    struct explorer *explorer = &annealing->explorer;
    size_t starts = (size_t)annealing->settings[STARTS], place;
    if (annealing->started < starts || isinf(annealing->objective)) {
        annealing->started++;
        return explorer_begin(explorer, annealing->number, index);
    }
    for (int i = 0; i < TRIES; i++) {
        if (!moves_step(&explorer->moves, annealing->at, annealing->settings[LOCALITY], index))
            break;
        if (!index_map_get(&explorer->places, *index, &place))
            return explorer_ask(explorer, *index, annealing->number, index);
        if (explorer->trials[place].told)
            accept_or_reject(annealing, *index, explorer->trials[place].objective);
    }
    restart(annealing);
    annealing->started++;
    return explorer_begin(explorer, annealing->number, index);
}

static void annealing_tell(void *state, const struct observation *observation)
{
    struct annealing *annealing = state;
    const struct trial *trial = explorer_tell(&annealing->explorer, observation);
    if (!trial)
        return;
    if (trial->origin != annealing->number) {
        /* not a step of this run, but a configuration told unasked may be better than where it is */
        if (trial->origin == NO_ORIGIN && trial->objective < annealing->objective)
            move_to(annealing, trial->index, trial->objective);
        return;
    }
    if (annealing->starts_told < (size_t)annealing->settings[STARTS]) {
        annealing->starts_told++;
        if (trial->objective < annealing->objective)
            move_to(annealing, trial->index, trial->objective);
        return;
    }
    accept_or_reject(annealing, trial->index, trial->objective);
    annealing->temperature *= annealing->settings[COOLING];
    if (annealing->temperature < annealing->settings[LOWEST])
        restart(annealing);
}

const struct strategy_driver strategy_annealing = {
    .name = "annealing",
    .meaning = "simulated annealing; the temperature is in units of a typical loss",
    .parameters = annealing_parameters,
    .parameter_count = sizeof annealing_parameters / sizeof *annealing_parameters,
    .create = annealing_create,
    .ask = annealing_ask,
    .tell = annealing_tell,
    .destroy = annealing_destroy,
};

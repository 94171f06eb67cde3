/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/search/explorer.h"
#include "tuner/search/strategies.h"

#include <math.h>
#include <stdlib.h>

/*
 * Simulated annealing (S. Kirkpatrick, C. D. Gelatt, M. P. Vecchi, Science 220, 1983). A step to a random neighbour
 * is taken if it is better, else with probability 2^(-loss / (temperature * usual loss)): at temperature 1 every
 * second usual loss is accepted, whatever the unit and scale of the objective. The usual loss is the running median
 * of what steps would have lost. The temperature falls with each answer; when it is low all begins anew. Neighbours
 * that are known already cost nothing: they are accepted or not at once.
 */
enum { STARTS, LOCALITY, TEMPERATURE, COOLING, LOWEST };
static const struct strategy_parameter annealing_parameters[] = {
    [STARTS] = {"starts", 12, 1, 1000, "configurations at the best of which it begins"},
    [LOCALITY] = {"locality", 2, 0, 4, "preference for near values: a change by k positions has weight 1/k^locality"},
    [TEMPERATURE] = {"temperature", 0.2, 0, 100, "to begin with, in usual losses"},
    [COOLING] = {"cooling", 0.98, 0.1, 1, "what an answer multiplies the temperature by"},
    [LOWEST] = {"lowest", 0.01, 0, 100, "temperature at which it begins anew"},
};

struct annealing {
    struct explorer explorer;
    const double *settings;
    size_t at;
    double objective, temperature, usual_loss;
    ptrdiff_t number; /* of the annealing: the origin of its trials */
    size_t started, starts_told;
};

static void annealing_destroy(void *state)
{
    struct annealing *annealing = state;
    if (annealing)
        explorer_clear(&annealing->explorer);
    free(annealing);
}

static void begin_anew(struct annealing *annealing)
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
        !explorer_create(&annealing->explorer, setup, DESIGN_LATIN, (size_t)setup->parameters[STARTS])) {
        annealing_destroy(annealing);
        return error_out_of_memory(error);
    }
    annealing->settings = setup->parameters;
    begin_anew(annealing);
    *state = annealing;
    return true;
}

/* The median of a stream by small steps towards each of its values. */
static void learn_loss(struct annealing *annealing, double loss)
{
    static const double pace = 1.1;
    if (!(annealing->usual_loss > 0))
        annealing->usual_loss = loss;
    else
        annealing->usual_loss *= loss > annealing->usual_loss ? pace : 1 / pace;
}

static void go_to(struct annealing *annealing, size_t index, double objective)
{
    annealing->at = index;
    annealing->objective = objective;
}

static void consider(struct annealing *annealing, size_t index, double objective)
{
    double loss = objective - annealing->objective;
    if (isinf(objective))
        return;
    if (loss > 0) {
        learn_loss(annealing, loss);
        if (generator_real(&annealing->explorer.generator) >=
            exp2(-loss / (annealing->temperature * annealing->usual_loss)))
            return;
    }
    go_to(annealing, index, objective);
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
            consider(annealing, *index, explorer->trials[place].objective);
    }
    begin_anew(annealing);
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
        /* no step of this annealing; but if it was not asked for it may be a better place to be */
        if (trial->origin == NO_ORIGIN && trial->objective < annealing->objective)
            go_to(annealing, trial->index, trial->objective);
        return;
    }
    if (annealing->starts_told < (size_t)annealing->settings[STARTS]) {
        annealing->starts_told++;
        if (trial->objective < annealing->objective)
            go_to(annealing, trial->index, trial->objective);
        return;
    }
    consider(annealing, trial->index, trial->objective);
    annealing->temperature *= annealing->settings[COOLING];
    if (annealing->temperature < annealing->settings[LOWEST])
        begin_anew(annealing);
}

const struct strategy_driver strategy_annealing = {
    .name = "annealing",
    .meaning = "simulated annealing, its temperature in terms of what steps usually lose",
    .parameters = annealing_parameters,
    .parameter_count = sizeof annealing_parameters / sizeof *annealing_parameters,
    .create = annealing_create,
    .ask = annealing_ask,
    .tell = annealing_tell,
    .destroy = annealing_destroy,
};

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Bayesian optimisation: D. R. Jones, M. Schonlau, W. J. Welch, "Efficient global optimization of expensive black-box
 * functions", Journal of Global Optimization 13, 1998. After a few configurations all over the space, one of each
 * kind at least (design.h), a Gaussian process is fitted to the logarithms of the objectives (training_set.h), and
 * the configuration that maximises the acquisition is asked for (acquisition.h): expected improvement, times the
 * probability of success, per second.
 *
 * Two models take turns. One clamps everything worse than the 40 % quantile (`cut`), so that it need not tell bad
 * configurations from worse ones: cliffs become steps, and small differences among good configurations stand out. The
 * other sees all results unclamped and captures the overall trend. Which of the two finds more depends on the space,
 * by a wide margin; alternating comes close to the better one everywhere. Failures count as the worst value.
 *
 * Proposals are valid configurations only: the neighbours of the best few (`centers`), a random sample (`sample`),
 * and the neighbours met on a hill climb from the most promising of these (`climb`).
 */
#include "tuner/search/acquisition.h"
#include "tuner/search/regression.h"
#include "tuner/search/strategies.h"
#include "tuner/space/neighbours.h"

#include <math.h>
#include <stdlib.h>

enum {
    MODELS = 2,
    PROPOSALS_MOST = 1024, /* per round, so that the cost of a question is bounded */
};

enum { START, POINTS, KEPT, CUT, CENTERS, SAMPLE, CLIMB, RELIABILITY, HASTE };
static const struct strategy_parameter surrogate_parameters[] = {
    [START] = {"start", 5, 1, 1000, "configurations all over the space before the model takes over"},
    [POINTS] = {"points", 120, 8, TRAINING_LIMIT_MOST,
                "most results the model is fitted to: the best and the latest"},
    [KEPT] = {"kept", 0.5, 0, 1, "share of these results that are the best ones"},
    [CUT] = {"cut", 0.4, 0.05, 1, "quantile to which one of the two models clamps worse results"},
    [CENTERS] = {"centers", 5, 0, 100, "best configurations whose neighbours are proposals"},
    [SAMPLE] = {"sample", 100, 1, 1000, "random proposals"},
    [CLIMB] = {"climb", 3, 0, 100, "hill-climbing steps from the most promising proposal"},
    [RELIABILITY] = {"reliability", 1, 0, 10, "exponent of the probability of success"},
    [HASTE] = {"haste", 0.3, 0, 2, "exponent of the seconds an evaluation takes"},
};

struct surrogate {
    struct regression regression;
    const double *parameters;
    struct gaussian_process *models[MODELS];
    size_t questions;
    struct acquisition acquisition; /* by the model whose turn it is */

    struct proposal *proposals;
    size_t proposal_count;
    double *correlations; /* of the proposals */
    double *center;       /* coordinates of the configuration whose neighbours are proposed */
    double *distances;    /* of the center from the model's points */
    size_t *neighbours;
    uint16_t *point;
};

static void surrogate_destroy(void *state)
{
    struct surrogate *surrogate = state;
    if (!surrogate)
        return;
    regression_clear(&surrogate->regression);
    acquisition_clear(&surrogate->acquisition);
    for (size_t i = 0; i < MODELS; i++)
        gaussian_process_free(surrogate->models[i]);
    free(surrogate->proposals);
    free(surrogate->correlations);
    free(surrogate->center);
    free(surrogate->distances);
    free(surrogate->neighbours);
    free(surrogate->point);
    free(surrogate);
}

static bool create_models(struct surrogate *surrogate)
{
    for (size_t i = 0; i < MODELS; i++) {
        surrogate->models[i] = regression_process(&surrogate->regression);
        if (!surrogate->models[i])
            return false;
    }
    return acquisition_create(&surrogate->acquisition, surrogate->regression.points);
}

static bool create_buffers(struct surrogate *surrogate)
{
    const struct search_space *space = surrogate->regression.explorer.space;
    size_t points = surrogate->regression.points;
    surrogate->proposals = calloc(PROPOSALS_MOST, sizeof *surrogate->proposals);
    surrogate->correlations = calloc(PROPOSALS_MOST * points, sizeof(double));
    surrogate->center = calloc(surrogate->regression.coordinates.count + 1, sizeof(double));
    surrogate->distances = calloc(points, sizeof(double));
    surrogate->neighbours = calloc(neighbours_most(space, NEIGHBOURS_HAMMING) + 1, sizeof(size_t));
    surrogate->point = calloc(search_space_dimensions(space) + 1, sizeof(uint16_t));
    if (!surrogate->proposals || !surrogate->correlations || !surrogate->center || !surrogate->distances ||
        !surrogate->neighbours || !surrogate->point)
        return false;
    for (size_t i = 0; i < PROPOSALS_MOST; i++)
        surrogate->proposals[i].correlations = surrogate->correlations + i * points;
    return true;
}

static bool surrogate_create(const struct strategy_setup *setup, void **state, struct error *error)
{
    const double *parameters = setup->parameters;
    struct surrogate *surrogate = calloc(1, sizeof *surrogate);
    if (!surrogate ||
        !regression_create(&surrogate->regression, setup, DESIGN_COVER, (size_t)parameters[START],
                           (size_t)parameters[POINTS], parameters[KEPT]) ||
        !create_models(surrogate) || !create_buffers(surrogate)) {
        surrogate_destroy(surrogate);
        return error_out_of_memory(error);
    }
    surrogate->parameters = parameters;
    surrogate->acquisition.reliability = parameters[RELIABILITY];
    surrogate->acquisition.haste = parameters[HASTE];
    *state = surrogate;
    return true;
}

/* Fits the model whose turn it is to all that is known. */
static void fit(struct surrogate *surrogate)
{
    const struct training_set *training = &surrogate->regression.training;
    struct acquisition *acquisition = &surrogate->acquisition;
    size_t turn = surrogate->questions++ % MODELS;
    struct gaussian_process *model = acquisition->process = surrogate->models[turn];
    double *values = surrogate->regression.values, cut = turn == 0 ? surrogate->parameters[CUT] : 1;
    acquisition->incumbent = regression_fit(&surrogate->regression, model, cut, &acquisition->objective);
    size_t known = training->known_count;
    acquisition->predicts_failures = training->valid < training->told && acquisition->reliability > 0;
    if (acquisition->predicts_failures) {
        training_set_successes(training, values);
        gaussian_process_condition(model, values, known, &acquisition->success);
    }
    acquisition->predicts_durations = acquisition->haste > 0 && training_set_durations(training, values);
    if (acquisition->predicts_durations)
        gaussian_process_condition(model, values, known, &acquisition->duration);
}

/* A new proposal, its coordinates in the regression's `place`; NULL if the configuration is known or there is no
 * room. */
static struct proposal *add_proposal(struct surrogate *surrogate, size_t index)
{
    if (surrogate->proposal_count == PROPOSALS_MOST || explorer_knows(&surrogate->regression.explorer, index))
        return NULL;
    struct proposal *proposal = &surrogate->proposals[surrogate->proposal_count++];
    proposal->index = index;
    coordinates_of(&surrogate->regression.coordinates, index, surrogate->regression.place);
    return proposal;
}

static void propose_random(struct surrogate *surrogate)
{
    struct explorer *explorer = &surrogate->regression.explorer;
    struct proposal *proposal = add_proposal(surrogate, generator_below(&explorer->generator, explorer->count));
    if (!proposal)
        return;
    gaussian_process_correlate(surrogate->acquisition.process, surrogate->regression.place, proposal->correlations);
    acquisition_bound(&surrogate->acquisition, proposal);
}

static void propose_neighbour(struct surrogate *surrogate, size_t index)
{
    struct proposal *proposal = add_proposal(surrogate, index);
    if (!proposal)
        return;
    gaussian_process_correlate_near(surrogate->acquisition.process, surrogate->regression.place, surrogate->center,
                                    surrogate->distances, proposal->correlations);
    acquisition_bound(&surrogate->acquisition, proposal);
}

/* All neighbours of a configuration or, if there are more than `most`, as many chosen at random. */
static void propose_neighbours(struct surrogate *surrogate, size_t center, size_t most)
{
    size_t *neighbours = surrogate->neighbours;
    struct explorer *explorer = &surrogate->regression.explorer;
    size_t count = neighbours_list(explorer->space, NEIGHBOURS_HAMMING, center, surrogate->point, neighbours);
    coordinates_of(&surrogate->regression.coordinates, center, surrogate->center);
    gaussian_process_distances(surrogate->acquisition.process, surrogate->center, surrogate->distances);
    for (size_t i = 0; i < count && i < most; i++) {
        if (count > most) {
            size_t other = i + generator_below(&explorer->generator, count - i);
            size_t swapped = neighbours[i];
            neighbours[i] = neighbours[other];
            neighbours[other] = swapped;
        }
        propose_neighbour(surrogate, neighbours[i]);
    }
}

static bool maximise(struct surrogate *surrogate, double *acquisition, size_t *index)
{
    return acquisition_maximise(&surrogate->acquisition, surrogate->proposals, surrogate->proposal_count, acquisition,
                                index);
}

/* Enough is known for a model: some results, one of each kind among them. */
static bool is_started(const struct surrogate *surrogate)
{
    const struct training_set *training = &surrogate->regression.training;
    size_t start = (size_t)surrogate->parameters[START], kinds = design_kinds(surrogate->regression.explorer.design);
    return training->told >= (start > kinds ? start : kinds) && training->valid > 0;
}

static enum answer surrogate_ask(void *state, size_t *index)
{
    struct surrogate *surrogate = state;
    struct explorer *explorer = &surrogate->regression.explorer;
    const struct training_set *training = &surrogate->regression.training;
    size_t centers = (size_t)surrogate->parameters[CENTERS], promising;
    double acquisition = -INFINITY;
    if (explorer->out_of_memory)
        return ASK_FAILED;
    if (!is_started(surrogate))
        return explorer_begin(explorer, NO_ORIGIN, index);
    fit(surrogate);
    surrogate->proposal_count = 0;
    for (int i = 0; i < (int)surrogate->parameters[SAMPLE]; i++)
        propose_random(surrogate);
    for (size_t i = 0; i < centers && i < training->valid; i++)
        propose_neighbours(surrogate, training_set_ranked(training, i)->index, PROPOSALS_MOST / centers);
    if (!maximise(surrogate, &acquisition, &promising))
        return explorer_begin(explorer, NO_ORIGIN, index);
    for (int step = 0; step < (int)surrogate->parameters[CLIMB]; step++) {
        surrogate->proposal_count = 0;
        propose_neighbours(surrogate, promising, PROPOSALS_MOST);
        if (!maximise(surrogate, &acquisition, &promising))
            break;
    }
    return explorer_ask(explorer, promising, NO_ORIGIN, index);
}

static void surrogate_tell(void *state, const struct observation *observation)
{
    struct surrogate *surrogate = state;
    regression_tell(&surrogate->regression, observation);
}

const struct strategy_driver strategy_surrogate = {
    .name = "surrogate",
    .meaning = "Bayesian optimisation: a Gaussian process fitted to all results proposes what to try next",
    .parameters = surrogate_parameters,
    .parameter_count = sizeof surrogate_parameters / sizeof *surrogate_parameters,
    .create = surrogate_create,
    .ask = surrogate_ask,
    .tell = surrogate_tell,
    .destroy = surrogate_destroy,
    .fits_all = true,
};

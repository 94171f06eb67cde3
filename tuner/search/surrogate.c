/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/search/coordinates.h"
#include "tuner/search/explorer.h"
#include "tuner/search/gaussian_process.h"
#include "tuner/search/improvement.h"
#include "tuner/search/strategies.h"
#include "tuner/space/neighbours.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/*
 * Bayesian optimisation: D. R. Jones, M. Schonlau, W. J. Welch, "Efficient global optimization of expensive black-box
 * functions", 1998. After a few first points a Gaussian process is fitted to the logarithms of the objectives, and
 * the configuration whose improvement on the best is expected to be greatest is asked for: times the chance that it
 * does not fail, and by the second where evaluations take differently long.
 *
 * There are two models, which are asked in turn. To the one all but the best two fifths are alike: it need not tell
 * bad configurations from worse ones, cliffs become steps, and it sees the small differences among good ones. The
 * other sees all results as they are, and so where the good ones are in the large. Spaces differ in which of the two
 * finds more, and by much; in turn they find nearly as much as the better one. Failures are as bad as the worst.
 * Candidates are valid ones only: the neighbours of the best few, a random sample, and what a climb from the most
 * promising of these comes by.
 */
enum {
    MODELS = 2,
    OPEN_MOST = 64,         /* evaluations under way that the model takes notice of */
    CANDIDATES_MOST = 1024, /* a round, so that the cost of asking is bounded */
    JUDGED_MOST = 256,      /* of these whose variance is computed, the most promising ones */
    LEARN_MOST = 100,       /* steps of learning the model's scales a question, while there are few points */
};

static const double variance_least = 1e-9;

enum { START, POINTS, KEPT, CUT, CENTERS, SAMPLE, CLIMB, RELIABILITY, HASTE };
static const struct strategy_parameter surrogate_parameters[] = {
    [START] = {"start", 5, 1, 1000, "configurations of a Latin hypercube before the model is asked"},
    [POINTS] = {"points", 120, 8, 512, "the most results that the model is fitted to: the best, and the latest"},
    [KEPT] = {"kept", 0.5, 0, 1, "part of these results that are the best ones"},
    [CUT] = {"cut", 0.4, 0.05, 1,
             "quantile of the results; to every other question worse ones are no worse than that"},
    [CENTERS] = {"centers", 5, 0, 100, "best configurations whose neighbours are candidates"},
    [SAMPLE] = {"sample", 100, 1, 1000, "random candidates"},
    [CLIMB] = {"climb", 3, 0, 100, "steps from the most promising candidate on to its neighbours"},
    [RELIABILITY] = {"reliability", 1, 0, 10, "weight of the chance of success, an exponent"},
    [HASTE] = {"haste", 0.3, 0, 2, "weight of the seconds that an evaluation takes, an exponent"},
};

struct candidate {
    size_t index;
    double *correlations; /* with the model's points */
    double mean, bound;   /* of the objective; the acquisition at most */
    double offset;        /* what seconds add to the acquisition */
};

struct surrogate {
    struct explorer explorer;
    const double *parameters;
    struct coordinates coordinates;
    struct gaussian_process *processes[MODELS], *process; /* the one that the question is put to */
    size_t questions;
    double cut;

    size_t *ranking; /* trials that were told, the best first, failures last */
    size_t *added;   /* room to sort the latest of them */
    size_t ranked;   /* of these; the others are at the end until the model needs them */
    size_t told, valid;
    size_t capacity;
    double *seconds; /* by trial */
    bool logarithms; /* all objectives are positive */

    size_t rows[512 + OPEN_MOST];
    size_t row_count, known_rows;
    double best;
    struct response objective, success, duration;
    bool failures, durations;

    struct candidate *candidates;
    size_t candidate_count;
    double *correlations; /* of the candidates */
    double *place, *values;
    double *center, *distances; /* a configuration whose neighbours are candidates; from the model's points */
    size_t *neighbours;
    uint16_t *point;
};

static size_t most_rows(const struct surrogate *surrogate)
{
    return (size_t)surrogate->parameters[POINTS] + OPEN_MOST;
}

static void surrogate_destroy(void *state)
{
    struct surrogate *surrogate = state;
    if (!surrogate)
        return;
    explorer_clear(&surrogate->explorer);
    coordinates_clear(&surrogate->coordinates);
    for (size_t i = 0; i < MODELS; i++)
        gaussian_process_free(surrogate->processes[i]);
    free(surrogate->ranking);
    free(surrogate->added);
    free(surrogate->seconds);
    free(surrogate->objective.weights);
    free(surrogate->success.weights);
    free(surrogate->duration.weights);
    free(surrogate->candidates);
    free(surrogate->correlations);
    free(surrogate->place);
    free(surrogate->values);
    free(surrogate->center);
    free(surrogate->distances);
    free(surrogate->neighbours);
    free(surrogate->point);
    free(surrogate);
}

static bool make_models(struct surrogate *surrogate)
{
    const struct coordinates *coordinates = &surrogate->coordinates;
    bool made = true;
    for (size_t i = 0; i < MODELS && made; i++) {
        surrogate->processes[i] =
            gaussian_process_create(coordinates->count, coordinates->ordinal, most_rows(surrogate));
        made = surrogate->processes[i] != NULL;
    }
    return made;
}

static bool make_room(struct surrogate *surrogate)
{
    const struct search_space *space = surrogate->explorer.space;
    size_t rows = most_rows(surrogate);
    if (!coordinates_create(&surrogate->coordinates, space) || !make_models(surrogate))
        return false;
    surrogate->objective.weights = calloc(rows, sizeof(double));
    surrogate->success.weights = calloc(rows, sizeof(double));
    surrogate->duration.weights = calloc(rows, sizeof(double));
    surrogate->candidates = calloc(CANDIDATES_MOST, sizeof *surrogate->candidates);
    surrogate->place = calloc(surrogate->coordinates.count + 1, sizeof(double));
    surrogate->values = calloc(rows, sizeof(double));
    surrogate->center = calloc(surrogate->coordinates.count + 1, sizeof(double));
    surrogate->distances = calloc(rows, sizeof(double));
    surrogate->neighbours = calloc(neighbours_most(space, NEIGHBOURS_HAMMING) + 1, sizeof(size_t));
    surrogate->point = calloc(search_space_dimensions(space) + 1, sizeof(uint16_t));
    surrogate->correlations = calloc(CANDIDATES_MOST * rows, sizeof(double));
    for (size_t i = 0; surrogate->candidates && surrogate->correlations && i < CANDIDATES_MOST; i++)
        surrogate->candidates[i].correlations = surrogate->correlations + i * rows;
    return surrogate->objective.weights && surrogate->success.weights && surrogate->duration.weights &&
           surrogate->candidates && surrogate->correlations && surrogate->place && surrogate->values &&
           surrogate->center && surrogate->distances && surrogate->neighbours && surrogate->point;
}

static bool surrogate_create(const struct strategy_setup *setup, void **state, struct error *error)
{
    struct surrogate *surrogate = calloc(1, sizeof *surrogate);
    if (surrogate)
        surrogate->parameters = setup->parameters;
    if (!surrogate || !explorer_create(&surrogate->explorer, setup, DESIGN_LATIN, (size_t)setup->parameters[START]) ||
        !make_room(surrogate)) {
        surrogate_destroy(surrogate);
        return error_out_of_memory(error);
    }
    surrogate->logarithms = true;
    *state = surrogate;
    return true;
}

/* Failures are equal; of equal ones the earlier comes first. */
static int by_objective(const void *a, const void *b, void *context)
{
    const struct explorer *explorer = context;
    size_t one = *(const size_t *)a, other = *(const size_t *)b;
    double first = explorer->trials[one].objective, second = explorer->trials[other].objective;
    if (first != second)
        return first < second ? -1 : 1;
    return (one > other) - (one < other);
}

/* How many of the first `count` in rank come before a trial. */
static size_t place_in(struct surrogate *surrogate, size_t trial, size_t count)
{
    size_t low = 0;
    while (low < count) {
        size_t middle = low + (count - low) / 2;
        if (by_objective(&surrogate->ranking[middle], &trial, &surrogate->explorer) < 0)
            low = middle + 1;
        else
            count = middle;
    }
    return low;
}

/* Merge what was told since the last time: one result or, where a sweep goes on, a hundred thousand. */
static void rank(struct surrogate *surrogate)
{
    size_t count = surrogate->ranked, more = surrogate->told - surrogate->ranked;
    size_t *ranking = surrogate->ranking, *added = surrogate->added;
    if (more == 0)
        return;
    memcpy(added, ranking + count, more * sizeof *added);
    qsort_r(added, more, sizeof *added, by_objective, &surrogate->explorer);
    for (; more > 0; more--) {
        size_t place = place_in(surrogate, added[more - 1], count);
        memmove(ranking + place + more, ranking + place, (count - place) * sizeof *ranking);
        ranking[place + more - 1] = added[more - 1];
        count = place;
    }
    surrogate->ranked = surrogate->told;
}

/* The results that the model is fitted to, and after them what is under way. */
static void choose_rows(struct surrogate *surrogate)
{
    const struct explorer *explorer = &surrogate->explorer;
    size_t most = (size_t)surrogate->parameters[POINTS], count = 0;
    size_t best = surrogate->told <= most ? surrogate->told : (size_t)(surrogate->parameters[KEPT] * (double)most);
    if (surrogate->told > most && best > surrogate->valid)
        best = surrogate->valid; /* no failure is better than another: the latest tell most */
    while (count < best) {
        surrogate->rows[count] = surrogate->ranking[count];
        count++;
    }
    double worst = best > 0 ? explorer->trials[surrogate->rows[best - 1]].objective : -INFINITY;
    for (size_t i = explorer->trial_count; best < surrogate->told && i-- > 0 && count < most;) {
        if (explorer->trials[i].told && explorer->trials[i].objective > worst)
            surrogate->rows[count++] = i;
    }
    surrogate->known_rows = count;
    size_t open = explorer->trial_count - surrogate->told;
    open = open < OPEN_MOST ? open : OPEN_MOST;
    for (size_t i = explorer->trial_count; i-- > 0 && count < surrogate->known_rows + open;) {
        if (!explorer->trials[i].told)
            surrogate->rows[count++] = i;
    }
    surrogate->row_count = count;
}

static double transformed(const struct surrogate *surrogate, size_t trial)
{
    double objective = surrogate->explorer.trials[trial].objective;
    return surrogate->logarithms ? log(objective) : objective;
}

static void respond_objective(struct surrogate *surrogate, struct generator *generator)
{
    size_t count = surrogate->known_rows;
    double worst = surrogate->cut * (double)(surrogate->valid - 1);
    double limit = transformed(surrogate, surrogate->ranking[(size_t)worst]);
    surrogate->best = transformed(surrogate, surrogate->ranking[0]);
    for (size_t i = 0; i < count; i++) {
        size_t trial = surrogate->rows[i];
        bool failed = isinf(surrogate->explorer.trials[trial].objective);
        surrogate->values[i] = failed ? limit : fmin(transformed(surrogate, trial), limit);
    }
    size_t sample = count < GAUSSIAN_PROCESS_SAMPLE ? count : GAUSSIAN_PROCESS_SAMPLE;
    size_t steps = LEARN_MOST / (1 + sample * sample / 256);
    gaussian_process_learn(surrogate->process, surrogate->values, count, steps, generator);
    gaussian_process_factor(surrogate->process, surrogate->row_count);
    gaussian_process_respond(surrogate->process, surrogate->values, count, &surrogate->objective);
}

/* The logarithms of the seconds; where these are not known, as of rows of other programs, their mean. */
static bool durations_known(struct surrogate *surrogate)
{
    double sum = 0, known = 0;
    for (size_t i = 0; i < surrogate->known_rows; i++) {
        double seconds = surrogate->seconds[surrogate->rows[i]];
        surrogate->values[i] = seconds > 0 ? log(seconds) : INFINITY;
        sum += seconds > 0 ? surrogate->values[i] : 0;
        known += seconds > 0;
    }
    for (size_t i = 0; i < surrogate->known_rows; i++) {
        if (isinf(surrogate->values[i]))
            surrogate->values[i] = sum / known;
    }
    return known > 0;
}

static void choose_model(struct surrogate *surrogate)
{
    size_t turn = surrogate->questions++ % MODELS;
    surrogate->process = surrogate->processes[turn];
    surrogate->cut = turn == 0 ? surrogate->parameters[CUT] : 1;
}

static void fit(struct surrogate *surrogate)
{
    choose_model(surrogate);
    rank(surrogate);
    choose_rows(surrogate);
    for (size_t i = 0; i < surrogate->row_count; i++) {
        size_t index = surrogate->explorer.trials[surrogate->rows[i]].index;
        coordinates_of(&surrogate->coordinates, index, surrogate->place);
        gaussian_process_set_point(surrogate->process, i, surrogate->place);
    }
    respond_objective(surrogate, &surrogate->explorer.generator);
    surrogate->failures = surrogate->valid < surrogate->told && surrogate->parameters[RELIABILITY] > 0;
    for (size_t i = 0; surrogate->failures && i < surrogate->known_rows; i++)
        surrogate->values[i] = isinf(surrogate->explorer.trials[surrogate->rows[i]].objective) ? 0 : 1;
    if (surrogate->failures)
        gaussian_process_respond(surrogate->process, surrogate->values, surrogate->known_rows, &surrogate->success);
    surrogate->durations = surrogate->parameters[HASTE] > 0 && durations_known(surrogate);
    if (surrogate->durations)
        gaussian_process_respond(surrogate->process, surrogate->values, surrogate->known_rows, &surrogate->duration);
}

static void judge(const struct surrogate *surrogate, struct candidate *candidate)
{
    double most = gaussian_process_variance_most(surrogate->process, candidate->correlations);
    double deviation = sqrt(surrogate->objective.variance * fmax(most, variance_least));
    candidate->mean = response_mean(&surrogate->objective, candidate->correlations);
    candidate->offset = 0;
    if (surrogate->durations)
        candidate->offset -=
            surrogate->parameters[HASTE] * response_mean(&surrogate->duration, candidate->correlations);
    candidate->bound = candidate->offset + log_expected_improvement(surrogate->best, candidate->mean, deviation);
}

/* A new candidate, its coordinates in surrogate->place; NULL if it is none. */
static struct candidate *add_candidate(struct surrogate *surrogate, size_t index)
{
    if (surrogate->candidate_count == CANDIDATES_MOST || explorer_knows(&surrogate->explorer, index))
        return NULL;
    struct candidate *candidate = &surrogate->candidates[surrogate->candidate_count++];
    candidate->index = index;
    coordinates_of(&surrogate->coordinates, index, surrogate->place);
    return candidate;
}

static void add_random(struct surrogate *surrogate)
{
    struct explorer *explorer = &surrogate->explorer;
    struct candidate *candidate = add_candidate(surrogate, generator_below(&explorer->generator, explorer->count));
    if (!candidate)
        return;
    gaussian_process_correlate(surrogate->process, surrogate->place, candidate->correlations);
    judge(surrogate, candidate);
}

static void add_neighbour(struct surrogate *surrogate, size_t index)
{
    struct candidate *candidate = add_candidate(surrogate, index);
    if (!candidate)
        return;
    gaussian_process_correlate_near(surrogate->process, surrogate->place, surrogate->center, surrogate->distances,
                                    candidate->correlations);
    judge(surrogate, candidate);
}

/* At most `most` of them, each as likely as the others. */
static void add_neighbours(struct surrogate *surrogate, size_t center, size_t most)
{
    size_t *neighbours = surrogate->neighbours;
    size_t count =
        neighbours_list(surrogate->explorer.space, NEIGHBOURS_HAMMING, center, surrogate->point, neighbours);
    coordinates_of(&surrogate->coordinates, center, surrogate->center);
    gaussian_process_distances(surrogate->process, surrogate->center, surrogate->distances);
    for (size_t i = 0; i < count && i < most; i++) {
        if (count > most) {
            size_t other = i + generator_below(&surrogate->explorer.generator, count - i);
            size_t swapped = neighbours[i];
            neighbours[i] = neighbours[other];
            neighbours[other] = swapped;
        }
        add_neighbour(surrogate, neighbours[i]);
    }
}

static int descending_bound(const void *a, const void *b)
{
    const struct candidate *one = a, *other = b;
    if (one->bound != other->bound)
        return one->bound < other->bound ? 1 : -1;
    return (one->index > other->index) - (one->index < other->index);
}

/* The logarithm of the chance that a candidate does not fail: 1 for success and 0 for failure are values of a
 * function as well, and what is above 1/2 succeeds (Rasmussen and Williams, 6.5). */
static double log_chance(const struct surrogate *surrogate, const struct candidate *candidate, double variance)
{
    static const double least = 1e-9;
    if (!surrogate->failures)
        return 0;
    double mean = response_mean(&surrogate->success, candidate->correlations);
    double deviation = sqrt(surrogate->success.variance * fmax(variance, variance_least));
    double chance = 0.5 * erfc((0.5 - mean) / deviation * 0.7071067811865476);
    return surrogate->parameters[RELIABILITY] * log(fmax(chance, least));
}

/* The candidate that is best, if it is better than `*acquisition`. */
static bool best_candidate(struct surrogate *surrogate, double *acquisition, size_t *index)
{
    bool found = false;
    struct candidate *candidates = surrogate->candidates;
    size_t count = surrogate->candidate_count;
    qsort(candidates, count, sizeof *candidates, descending_bound);
    count = count < JUDGED_MOST ? count : JUDGED_MOST;
    for (size_t i = 0; i < count && candidates[i].bound > *acquisition; i += GAUSSIAN_PROCESS_BLOCK) {
        const double *correlations[GAUSSIAN_PROCESS_BLOCK];
        double variances[GAUSSIAN_PROCESS_BLOCK];
        size_t size = count - i < GAUSSIAN_PROCESS_BLOCK ? count - i : GAUSSIAN_PROCESS_BLOCK;
        for (size_t k = 0; k < size; k++)
            correlations[k] = candidates[i + k].correlations;
        gaussian_process_variances(surrogate->process, correlations, size, variances);
        for (size_t k = 0; k < size; k++) {
            const struct candidate *candidate = &candidates[i + k];
            double deviation = sqrt(surrogate->objective.variance * fmax(variances[k], variance_least));
            double value = candidate->offset + log_chance(surrogate, candidate, variances[k]) +
                           log_expected_improvement(surrogate->best, candidate->mean, deviation);
            if (value > *acquisition) {
                *acquisition = value;
                *index = candidate->index;
                found = true;
            }
        }
    }
    return found;
}

static enum answer surrogate_ask(void *state, size_t *index)
{
    struct surrogate *surrogate = state;
    struct explorer *explorer = &surrogate->explorer;
    size_t centers = (size_t)surrogate->parameters[CENTERS], promising;
    double acquisition = -INFINITY;
    if (surrogate->told < (size_t)surrogate->parameters[START] || surrogate->valid == 0)
        return explorer_begin(explorer, NO_ORIGIN, index);
    fit(surrogate);
    surrogate->candidate_count = 0;
    for (int i = 0; i < (int)surrogate->parameters[SAMPLE]; i++)
        add_random(surrogate);
    for (size_t i = 0; i < centers && i < surrogate->valid; i++)
        add_neighbours(surrogate, explorer->trials[surrogate->ranking[i]].index, CANDIDATES_MOST / centers);
    if (!best_candidate(surrogate, &acquisition, &promising))
        return explorer_begin(explorer, NO_ORIGIN, index);
    for (int step = 0; step < (int)surrogate->parameters[CLIMB]; step++) {
        surrogate->candidate_count = 0;
        add_neighbours(surrogate, promising, CANDIDATES_MOST);
        if (!best_candidate(surrogate, &acquisition, &promising))
            break;
    }
    return explorer_ask(explorer, promising, NO_ORIGIN, index);
}

static bool grow_list(size_t **list, size_t capacity)
{
    size_t *grown = realloc(*list, capacity * sizeof *grown);
    if (grown)
        *list = grown;
    return grown != NULL;
}

static bool grow(struct surrogate *surrogate)
{
    size_t capacity = surrogate->explorer.capacity;
    if (capacity == surrogate->capacity)
        return true;
    double *seconds = realloc(surrogate->seconds, capacity * sizeof *seconds);
    if (seconds)
        surrogate->seconds = seconds;
    if (!seconds || !grow_list(&surrogate->ranking, capacity) || !grow_list(&surrogate->added, capacity))
        return false;
    surrogate->capacity = capacity;
    return true;
}

static void surrogate_tell(void *state, const struct observation *observation)
{
    struct surrogate *surrogate = state;
    const struct trial *trial = explorer_tell(&surrogate->explorer, observation);
    if (!trial || !grow(surrogate))
        return;
    size_t number = (size_t)(trial - surrogate->explorer.trials);
    surrogate->ranking[surrogate->told++] = number;
    surrogate->seconds[number] = observation->seconds;
    surrogate->valid += observation->valid;
    if (observation->valid && observation->objective <= 0)
        surrogate->logarithms = false;
}

const struct strategy_driver strategy_surrogate = {
    .name = "surrogate",
    .meaning = "the configuration of which a model, fitted to all results, expects the greatest improvement",
    .parameters = surrogate_parameters,
    .parameter_count = sizeof surrogate_parameters / sizeof *surrogate_parameters,
    .create = surrogate_create,
    .ask = surrogate_ask,
    .tell = surrogate_tell,
    .destroy = surrogate_destroy,
};

/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/search/stopping.h"

#include "tuner/search/improvement.h"
#include "tuner/search/regression.h"

#include <math.h>
#include <stdlib.h>

enum {
    POINTS = 120,  /* that the model is fitted to */
    DRAWS = 1024,  /* untried configurations that it predicts */
    NEXT = 10,     /* evaluations whose gain is expected */
    LEAST = 50,    /* results for a model to be believed */
    STILL = 30,    /* of them without improvement */
    STANDS = 300,  /* results without improvement, for history to be believed */
    AGREEMENTS = 2 /* looks in a row at which the model expects little */
};

static const double elite_share = 0.5; /* of these points the best results, the others the latest */

/* When the best became as good as this. */
struct record {
    size_t told;
    double objective;
};

struct stopping {
    double gain;
    struct regression regression;
    struct gaussian_process *model;
    struct posterior posterior;
    double *correlations[GAUSSIAN_PROCESS_BLOCK];
    struct record *records;
    size_t record_count, record_capacity;
    size_t looked; /* when it last looked: after so many results */
    size_t agreements;
    bool stops;
};

static bool create_buffers(struct stopping *stopping)
{
    const size_t points = stopping->regression.points;
    stopping->posterior.weights = calloc(points, sizeof(double));
    bool done = stopping->posterior.weights;
    for (size_t i = 0; i < GAUSSIAN_PROCESS_BLOCK; i++) {
        stopping->correlations[i] = calloc(points, sizeof(double));
        done = done && stopping->correlations[i];
    }
    return done;
}

bool stopping_create(const struct search_space *space, uint64_t seed, double gain, struct stopping **result,
                     struct error *error)
{
    const struct strategy_setup setup = {.space = space, .seed = seed};
    struct stopping *stopping = calloc(1, sizeof *stopping);
    if (!stopping)
        return error_out_of_memory(error);
    stopping->gain = gain;
    if (!regression_create(&stopping->regression, &setup, DESIGN_LATIN, 1, POINTS, elite_share) ||
        !(stopping->model = regression_process(&stopping->regression)) || !create_buffers(stopping)) {
        stopping_free(stopping);
        return error_out_of_memory(error);
    }
    *result = stopping;
    return true;
}

void stopping_free(struct stopping *stopping)
{
    if (!stopping)
        return;
    for (size_t i = 0; i < GAUSSIAN_PROCESS_BLOCK; i++)
        free(stopping->correlations[i]);
    gaussian_process_free(stopping->model);
    regression_clear(&stopping->regression);
    free(stopping->posterior.weights);
    free(stopping->records);
    free(stopping);
}

static size_t told(const struct stopping *stopping)
{
    return stopping->regression.training.told;
}

static bool add_record(struct stopping *stopping, double objective)
{
    if (stopping->record_count == stopping->record_capacity) {
        size_t capacity = stopping->record_capacity ? 2 * stopping->record_capacity : 32;
        struct record *records = realloc(stopping->records, capacity * sizeof *records);
        if (!records)
            return false;
        stopping->records = records;
        stopping->record_capacity = capacity;
    }
    stopping->records[stopping->record_count++] = (struct record){told(stopping), objective};
    return true;
}

bool stopping_tell(struct stopping *stopping, const struct observation *observation)
{
    const struct trial *trial = regression_tell(&stopping->regression, observation);
    size_t count = stopping->record_count;
    bool better = trial && observation->valid &&
                  (count == 0 || observation->objective < stopping->records[count - 1].objective);
    return !stopping->regression.explorer.out_of_memory && (!better || add_record(stopping, observation->objective));
}

/* How many results came before the best was as good as it is now, but for the share that does not matter. */
static size_t last_improvement(const struct stopping *stopping)
{
    const struct record *best = &stopping->records[stopping->record_count - 1], *at = best;
    while (at > stopping->records && at[-1].objective <= best->objective * (1 + stopping->gain))
        at--;
    return at->told;
}

/* ---- what the model expects */

/* The largest so far, the first the largest. */
static void keep_largest(double largest[NEXT], double improvement)
{
    size_t at = NEXT;
    for (; at > 0 && improvement > largest[at - 1]; at--) {
        if (at < NEXT)
            largest[at] = largest[at - 1];
    }
    if (at < NEXT)
        largest[at] = improvement;
}

static void predict(struct stopping *stopping, size_t count, double incumbent, double largest[NEXT])
{
    const double *correlations[GAUSSIAN_PROCESS_BLOCK];
    double variances[GAUSSIAN_PROCESS_BLOCK];
    const double least = 1e-9;
    for (size_t i = 0; i < count; i++)
        correlations[i] = stopping->correlations[i];
    gaussian_process_variances(stopping->model, correlations, count, variances);
    for (size_t i = 0; i < count; i++) {
        double mean = posterior_mean(&stopping->posterior, correlations[i]);
        double deviation = sqrt(stopping->posterior.variance * fmax(variances[i], least));
        keep_largest(largest, exp(log_expected_improvement(incumbent, mean, deviation)));
    }
}

/* Of the logarithm of the objective, by the next evaluations together, at most. */
static double expected_gain(struct stopping *stopping)
{
    struct regression *regression = &stopping->regression;
    struct explorer *explorer = &regression->explorer;
    double incumbent = regression_fit(regression, stopping->model, 1, &stopping->posterior);
    double largest[NEXT] = {0}, sum = 0;
    size_t filled = 0, draws = explorer->count < DRAWS ? explorer->count : DRAWS;
    for (size_t i = 0; i < draws; i++) {
        size_t index = explorer->count <= DRAWS ? i : generator_below(&explorer->generator, explorer->count);
        if (!explorer_knows(explorer, index)) {
            coordinates_of(&regression->coordinates, index, regression->place);
            gaussian_process_correlate(stopping->model, regression->place, stopping->correlations[filled++]);
        }
        if (filled == GAUSSIAN_PROCESS_BLOCK || (filled > 0 && i + 1 == draws)) {
            predict(stopping, filled, incumbent, largest);
            filled = 0;
        }
    }
    for (size_t i = 0; i < NEXT; i++)
        sum += largest[i];
    return sum;
}

/* A look after many results, as where a sweep goes on, stands for as many as there would have been. */
static bool look(struct stopping *stopping, size_t looks)
{
    size_t since = last_improvement(stopping), still = told(stopping) - since;
    if (still >= STANDS && still >= since)
        return true;
    if (told(stopping) < LEAST)
        return false;
    bool little = expected_gain(stopping) <= log1p(stopping->gain);
    stopping->agreements = little ? stopping->agreements + looks : 0;
    return stopping->agreements >= AGREEMENTS && still >= STILL && 2 * still >= since;
}

bool stopping_says(struct stopping *stopping)
{
    size_t looks = (told(stopping) - stopping->looked) / STOPPING_EVERY;
    if (stopping->stops || looks == 0 || stopping->record_count == 0)
        return stopping->stops;
    stopping->looked = told(stopping);
    stopping->stops = look(stopping, looks);
    return stopping->stops;
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/engine/set_model.h"

#include "tuner/engine/set_axes.h"
#include "tuner/search/improvement.h"
#include "tuner/space/neighbours.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    ROWS_MOST = 320,  /* results that the model is fitted to */
    ROWS_LEAST = 16,  /* fewer teach nothing */
    KNOWN_LEAST = 4,  /* results of a size, for its best to say anything about them */
    GOOD_MOST = 96,   /* configurations that were good elsewhere */
    CENTERS_MOST = 8, /* of these, whose neighbours are candidates */
    SAMPLE = 200,     /* random candidates */
    CANDIDATES_MOST = 2048,
    LEARN_SAMPLE = 128, /* results from which it is learnt how much coordinates matter */
    LEARN_STEPS = 40,
    REFINED_MOST = 64, /* candidates whose variance is computed */
    PROPOSALS_MOST = 64,
    POINTS_MOST = ROWS_MOST + SET_PENDING_MOST + PROPOSALS_MOST,
};

static const double variance_least = 1e-9;
static const double loss_most = 1.0986122886681098; /* log(3): worse is as bad */

struct candidate {
    size_t index;
    double score, mean, deviation;
};

struct set_model {
    struct problem *const *problems;
    const struct cost_table *table;
    const struct set_pending *pending;
    size_t pending_count;
    struct generator generator;
    struct set_axes axes;
    struct gaussian_process *process;
    double *features; /* of a configuration and a size */
    double *values, *weights, *correlations;
    size_t row_count;
    struct candidate *candidates;
    size_t candidate_count;
    uint16_t *point;
    size_t *neighbours;
};

/* ---- making */

bool set_model_create(struct problem *const *problems, const struct cost_table *table, uint64_t seed,
                      struct set_model **result, struct error *error)
{
    struct set_model *model = *result = calloc(1, sizeof *model);
    if (!model)
        return error_out_of_memory(error);
    size_t parameters = search_space_dimensions(problem_search_space(problems[0])), most = 0;
    model->problems = problems;
    model->table = table;
    model->generator.state = seed;
    for (size_t s = 0; s < table->sizes; s++) {
        size_t own = neighbours_most(problem_search_space(problems[s]), NEIGHBOURS_HAMMING);
        most = own > most ? own : most;
    }
    model->values = calloc(ROWS_MOST, sizeof *model->values);
    model->weights = calloc(ROWS_MOST, sizeof *model->weights);
    model->correlations = calloc(POINTS_MOST, sizeof *model->correlations);
    model->candidates = calloc(CANDIDATES_MOST, sizeof *model->candidates);
    model->point = calloc(parameters + 1, sizeof *model->point);
    model->neighbours = calloc(most + 1, sizeof *model->neighbours);
    if (!set_axes_create(&model->axes, problems, table->sizes, SET_AXES_GIVEN) || !model->values || !model->weights ||
        !model->correlations || !model->candidates || !model->point || !model->neighbours)
        return error_out_of_memory(error);
    model->features = calloc(model->axes.count + 1, sizeof *model->features);
    model->process = set_axes_process(&model->axes, POINTS_MOST, LEARN_SAMPLE);
    return (model->features && model->process) || error_out_of_memory(error);
}

void set_model_free(struct set_model *model)
{
    if (!model)
        return;
    gaussian_process_free(model->process);
    set_axes_clear(&model->axes);
    free(model->features);
    free(model->values);
    free(model->weights);
    free(model->correlations);
    free(model->candidates);
    free(model->point);
    free(model->neighbours);
    free(model);
}

/* The features of a configuration of a size. */
static void place(struct set_model *model, size_t size, size_t index)
{
    bool valid;
    if (!set_axes_place(&model->axes, model->problems[size], index, NULL, model->features, &valid))
        memset(model->features, 0, model->axes.count * sizeof *model->features); /* out of memory: know nothing */
}

/* ---- what it learns from */

struct near {
    double nearness;
    size_t size;
};

static int by_nearness(const void *a, const void *b)
{
    const struct near *one = a, *other = b;
    if (one->nearness != other->nearness)
        return one->nearness > other->nearness ? -1 : 1;
    return one->size < other->size ? -1 : one->size > other->size;
}

static void take_rows(struct set_model *model, size_t size)
{
    const struct cost_table *table = model->table;
    size_t index;
    for (size_t c = 0; c < table->count && model->row_count < ROWS_MOST; c++) {
        if (!cost_table_knows(table, c, size) ||
            !problem_configuration_find(model->problems[size], table->configurations[c], &index))
            continue;
        place(model, size, index);
        gaussian_process_set_point(model->process, model->row_count, model->features);
        model->values[model->row_count] = fmin(cost_table_loss(table, c, size), loss_most);
        model->row_count++;
    }
}

/* Results of this size, and of those nearest to it. */
static bool choose_rows(struct set_model *model, size_t size)
{
    const struct cost_table *table = model->table;
    struct near *near = calloc(table->sizes, sizeof *near);
    if (!near)
        return false;
    for (size_t s = 0; s < table->sizes; s++)
        near[s] = (struct near){table->nearness[size * table->sizes + s], s};
    qsort(near, table->sizes, sizeof *near, by_nearness);
    model->row_count = 0;
    for (size_t i = 0; i < table->sizes && model->row_count < ROWS_MOST; i++) {
        if (table->known[near[i].size] >= KNOWN_LEAST)
            take_rows(model, near[i].size);
    }
    free(near);
    return true;
}

/* ---- candidates */

static bool is_among(const size_t *list, size_t count, size_t index)
{
    for (size_t i = 0; i < count; i++) {
        if (list[i] == index)
            return true;
    }
    return false;
}

static void add_candidate(struct set_model *model, size_t index)
{
    if (model->candidate_count < CANDIDATES_MOST)
        model->candidates[model->candidate_count++] = (struct candidate){.index = index};
}

static int by_score(const void *a, const void *b)
{
    const struct candidate *one = a, *other = b;
    if (one->score != other->score)
        return one->score > other->score ? -1 : 1;
    return one->index < other->index ? -1 : one->index > other->index;
}

/* Those that are expected to lose least by what they lose elsewhere, and neighbours of the first. */
static void add_good_ones(struct set_model *model, size_t size)
{
    const struct cost_table *table = model->table;
    const struct search_space *space = problem_search_space(model->problems[size]);
    struct candidate good[GOOD_MOST];
    size_t count = 0, index;
    for (size_t c = 0; c < table->count; c++) {
        if (!problem_configuration_find(model->problems[size], table->configurations[c], &index))
            continue;
        const struct candidate own = {.index = index, .score = -cost_table_loss(table, c, size)};
        size_t at = count < GOOD_MOST ? count++ : GOOD_MOST;
        for (; at > 0 && good[at - 1].score < own.score; at--) {
            if (at < GOOD_MOST)
                good[at] = good[at - 1];
        }
        if (at < GOOD_MOST)
            good[at] = own;
    }
    for (size_t i = 0; i < count; i++)
        add_candidate(model, good[i].index);
    for (size_t i = 0; i < count && i < CENTERS_MOST; i++) {
        size_t neighbours =
            neighbours_list(space, NEIGHBOURS_HAMMING, good[i].index, model->point, model->neighbours);
        for (size_t n = 0; n < neighbours; n++)
            add_candidate(model, model->neighbours[n]);
    }
}

static int by_index(const void *a, const void *b)
{
    const struct candidate *one = a, *other = b;
    return one->index < other->index ? -1 : one->index > other->index;
}

/* Each once, and none that is known or excluded. */
static void sift(struct set_model *model, size_t size, const size_t *excluded, size_t excluded_count)
{
    const struct cost_table *table = model->table;
    size_t kept = 0, index;
    qsort(model->candidates, model->candidate_count, sizeof *model->candidates, by_index);
    for (size_t i = 0; i < model->candidate_count; i++) {
        const struct candidate own = model->candidates[i];
        if ((kept == 0 || model->candidates[kept - 1].index != own.index) &&
            !is_among(excluded, excluded_count, own.index))
            model->candidates[kept++] = own;
    }
    model->candidate_count = kept;
    for (size_t c = 0; c < table->count; c++) {
        if (!cost_table_knows(table, c, size) ||
            !problem_configuration_find(model->problems[size], table->configurations[c], &index))
            continue;
        for (size_t i = 0; i < model->candidate_count; i++) {
            if (model->candidates[i].index == index)
                model->candidates[i--] = model->candidates[--model->candidate_count];
        }
    }
}

/* By an upper bound of the variance, which costs little. */
static void rate(struct set_model *model, size_t size, const struct posterior *posterior)
{
    for (size_t i = 0; i < model->candidate_count; i++) {
        struct candidate *own = &model->candidates[i];
        place(model, size, own->index);
        gaussian_process_correlate(model->process, model->features, model->correlations);
        double variance = gaussian_process_variance_bound(model->process, model->correlations);
        own->mean = posterior_mean(posterior, model->correlations);
        own->deviation = sqrt(fmax(variance, variance_least) * posterior->variance);
    }
}

/* The least that is known, or else promised. */
static double incumbent(const struct set_model *model, size_t size)
{
    double least = model->table->best[size] > 0 ? 0 : INFINITY;
    for (size_t i = 0; least > 0 && i < model->candidate_count; i++)
        least = fmin(least, model->candidates[i].mean);
    return least;
}

static void score(struct set_model *model, double best)
{
    for (size_t i = 0; i < model->candidate_count; i++) {
        struct candidate *own = &model->candidates[i];
        own->score = log_expected_improvement(best, own->mean, own->deviation);
    }
    qsort(model->candidates, model->candidate_count, sizeof *model->candidates, by_score);
}

/* The same for the first, by what is left of the variance. */
static void refine(struct set_model *model, size_t size, const struct posterior *posterior, double best)
{
    for (size_t i = 0; i < model->candidate_count; i++) {
        struct candidate *own = &model->candidates[i];
        const double *correlations[] = {model->correlations};
        double variance;
        place(model, size, own->index);
        gaussian_process_correlate(model->process, model->features, model->correlations);
        own->mean = posterior_mean(posterior, model->correlations);
        gaussian_process_variances(model->process, correlations, 1, &variance);
        own->deviation = sqrt(fmax(variance, variance_least) * posterior->variance);
    }
    score(model, best);
}

/* What is being measured are points behind those whose values are known. */
static size_t add_pending(struct set_model *model)
{
    size_t points = model->row_count;
    for (size_t i = 0; i < model->pending_count; i++) {
        place(model, model->pending[i].size, model->pending[i].index);
        gaussian_process_set_point(model->process, points++, model->features);
    }
    return points;
}

/* One after another: those proposed are points whose values are pending as well. */
static void pick(struct set_model *model, size_t size, size_t most, struct set_proposal *proposals, size_t *count)
{
    struct posterior posterior = {.weights = model->weights};
    gaussian_process_learn(model->process, model->values, model->row_count, LEARN_STEPS, &model->generator);
    size_t points = add_pending(model);
    gaussian_process_factor(model->process, points);
    gaussian_process_condition(model->process, model->values, model->row_count, &posterior);
    rate(model, size, &posterior);
    double best = incumbent(model, size);
    score(model, best);
    if (model->candidate_count > REFINED_MOST)
        model->candidate_count = REFINED_MOST;
    while (*count < most && *count < PROPOSALS_MOST && model->candidate_count > 0) {
        refine(model, size, &posterior, best);
        const struct candidate *first = &model->candidates[0];
        proposals[*count] = (struct set_proposal){first->index, fmax(first->mean, 0)};
        place(model, size, first->index);
        gaussian_process_set_point(model->process, points++, model->features);
        gaussian_process_append(model->process);
        model->candidates[0] = model->candidates[--model->candidate_count];
        ++*count;
    }
}

void set_model_expect(struct set_model *model, const struct set_pending *pending, size_t count)
{
    model->pending = pending;
    model->pending_count = count;
}

bool set_model_propose(struct set_model *model, size_t size, const size_t *excluded, size_t excluded_count,
                       size_t most, struct set_proposal *proposals, size_t *count, struct error *error)
{
    size_t all = problem_configuration_count(model->problems[size]);
    *count = 0;
    if (!choose_rows(model, size))
        return error_out_of_memory(error);
    if (model->row_count < ROWS_LEAST)
        return true;
    model->candidate_count = 0;
    add_good_ones(model, size);
    for (size_t i = 0; i < SAMPLE; i++)
        add_candidate(model, (size_t)generator_below(&model->generator, all));
    sift(model, size, excluded, excluded_count);
    pick(model, size, most, proposals, count);
    return true;
}

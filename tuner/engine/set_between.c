/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/engine/set_between.h"

#include "tuner/search/gaussian_process.h"
#include "tuner/search/radical_inverse.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    AROUND_MOST = 8,   /* cases made up around each one */
    CASES_MOST = 1024, /* in all, unless as many were measured */
    FITTED_MOST = 256, /* cases that the process is fitted to */
};

static const double octaves = 1;           /* away from a case at most, in each size */
static const double length = 8;            /* octaves */
static const double unit_octaves_most = 3; /* a unit of 16 matters no more than one of 8 */
static const double noise = 0.05;          /* variance, relative to the function's */

/* What it takes to predict. */
struct prediction {
    const struct tree_cases *measured;
    size_t fitted;
    double *place, *lengths, *correlations, *weights, *values;
    struct gaussian_process *process;
};

static double unit_of(int64_t size)
{
    const struct feature unit = {.kind = FEATURE_UNIT};
    return feature_value(&unit, &size);
}

/* ---- sizes */

static bool varies(const struct tree_cases *cases, size_t dimension)
{
    for (size_t i = 1; i < cases->count; i++) {
        if (cases->sizes[i * cases->dimensions + dimension] != cases->sizes[dimension])
            return true;
    }
    return false;
}

/* Sizes around others: point `number` of a Halton sequence. A size that is the same everywhere stays. */
static void make_up(const struct tree_cases *measured, size_t number, const int64_t *from, int64_t *sizes)
{
    uint64_t base = 1;
    for (size_t d = 0; d < measured->dimensions; d++) {
        sizes[d] = from[d];
        if (!varies(measured, d))
            continue;
        base = prime_above(base);
        double unit = unit_of(from[d]), shift = (2 * radical_inverse(number, base, 1) - 1) * octaves;
        double size = fmax(round((double)from[d] * exp2(shift) / unit), 1) * unit;
        if (size < 0x1p62)
            sizes[d] = (int64_t)size;
    }
}

static void make_cases(const struct tree_cases *measured, size_t each, struct set_between *between)
{
    size_t dimensions = measured->dimensions, number = measured->count;
    memcpy(between->sizes, measured->sizes, measured->count * dimensions * sizeof *between->sizes);
    memcpy(between->weights, measured->weights, measured->count * sizeof *between->weights);
    for (size_t i = 0; i < measured->count; i++) {
        between->around[i] = i;
        for (size_t j = 0; j < each; j++, number++) {
            make_up(measured, number, measured->sizes + i * dimensions, between->sizes + number * dimensions);
            between->weights[number] = measured->weights[i] / (double)each; /* together as much as that one */
            between->around[number] = i;
        }
    }
}

/* ---- losses */

static void find_place(const struct prediction *prediction, const int64_t *sizes)
{
    size_t dimensions = prediction->measured->dimensions;
    for (size_t d = 0; d < dimensions; d++) {
        prediction->place[d] = log2((double)sizes[d]);
        prediction->place[dimensions + d] = fmin(log2(unit_of(sizes[d])), unit_octaves_most);
    }
}

/* Which of the measured cases is the `number`th that the process is fitted to. */
static size_t fitted_case(const struct prediction *prediction, size_t number)
{
    return number * prediction->measured->count / prediction->fitted;
}

static bool fit(const struct tree_cases *measured, struct prediction *prediction)
{
    size_t coordinates = 2 * measured->dimensions;
    *prediction = (struct prediction){.measured = measured,
                                      .fitted = measured->count < FITTED_MOST ? measured->count : FITTED_MOST};
    prediction->place = calloc(coordinates + 1, sizeof *prediction->place);
    prediction->lengths = calloc(coordinates + 1, sizeof *prediction->lengths);
    prediction->correlations = calloc(FITTED_MOST, sizeof *prediction->correlations);
    prediction->weights = calloc(FITTED_MOST, sizeof *prediction->weights);
    prediction->values = calloc(FITTED_MOST, sizeof *prediction->values);
    prediction->process = gaussian_process_create(coordinates, coordinates, FITTED_MOST);
    if (!prediction->place || !prediction->lengths || !prediction->correlations || !prediction->weights ||
        !prediction->values || !prediction->process)
        return false;
    for (size_t i = 0; i < coordinates; i++)
        prediction->lengths[i] = length;
    gaussian_process_set_scales(prediction->process, prediction->lengths, noise);
    for (size_t i = 0; i < prediction->fitted; i++) {
        find_place(prediction, measured->sizes + fitted_case(prediction, i) * measured->dimensions);
        gaussian_process_set_point(prediction->process, i, prediction->place);
    }
    gaussian_process_factor(prediction->process, prediction->fitted);
    return true;
}

static void clear(struct prediction *prediction)
{
    free(prediction->place);
    free(prediction->lengths);
    free(prediction->correlations);
    free(prediction->weights);
    free(prediction->values);
    gaussian_process_free(prediction->process);
}

/* What a configuration loses at all cases. */
static void predict(const struct prediction *prediction, size_t configuration, struct set_between *between)
{
    const struct tree_cases *measured = prediction->measured, *cases = &between->cases;
    const double *known = measured->loss + configuration * measured->count;
    double *loss = between->loss + configuration * cases->count;
    struct posterior posterior = {.weights = prediction->weights};
    memcpy(loss, known, measured->count * sizeof *loss);
    for (size_t i = 0; i < prediction->fitted; i++)
        prediction->values[i] = known[fitted_case(prediction, i)];
    gaussian_process_condition(prediction->process, prediction->values, prediction->fitted, &posterior);
    for (size_t i = measured->count; i < cases->count; i++) {
        find_place(prediction, cases->sizes + i * cases->dimensions);
        gaussian_process_correlate(prediction->process, prediction->place, prediction->correlations);
        loss[i] = fmax(posterior_mean(&posterior, prediction->correlations), 0);
    }
}

/* ---- both */

static size_t around_each(size_t measured)
{
    size_t room = CASES_MOST / measured;
    room = room > 0 ? room - 1 : 0;
    return room < AROUND_MOST ? room : AROUND_MOST;
}

static bool prepare(const struct tree_cases *measured, size_t each, struct set_between *between)
{
    size_t count = measured->count * (1 + each);
    between->sizes = calloc(count * measured->dimensions + 1, sizeof *between->sizes);
    between->loss = calloc(count * measured->configurations + 1, sizeof *between->loss);
    between->weights = calloc(count + 1, sizeof *between->weights);
    between->around = calloc(count + 1, sizeof *between->around);
    between->cases = (struct tree_cases){.dimensions = measured->dimensions,
                                         .configurations = measured->configurations,
                                         .count = count,
                                         .sizes = between->sizes,
                                         .loss = between->loss,
                                         .weights = between->weights,
                                         .measured = measured->count,
                                         .around = between->around};
    return between->sizes && between->loss && between->weights && between->around;
}

bool set_between_make(const struct tree_cases *measured, struct set_between *between, struct error *error)
{
    size_t each = around_each(measured->count);
    struct prediction prediction = {0};
    *between = (struct set_between){0};
    bool done = (prepare(measured, each, between) && fit(measured, &prediction)) || error_out_of_memory(error);
    if (done)
        make_cases(measured, each, between);
    for (size_t c = 0; done && c < measured->configurations; c++)
        predict(&prediction, c, between);
    clear(&prediction);
    return done;
}

void set_between_clear(struct set_between *between)
{
    free(between->sizes);
    free(between->loss);
    free(between->weights);
    free(between->around);
    *between = (struct set_between){0};
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/search/tradeoff.h"

#include "tuner/search/generator.h"
#include "tuner/space/index_map.h"

#include <math.h>
#include <stdlib.h>

enum {
    RENEWAL_LEAST = 4,  /* results by the same weights, or */
    RENEWAL_SHARE = 32, /* one in so many of all, if that is more */
    WEIGHT_STEPS = 10,  /* weights are multiples of a tenth */
};

static const double augmentation = 0.05;
static const double extent_least = 0.02; /* of the front: what is closer is noise */
static const double value_most = 600;    /* its exponential is finite */

enum state { OPEN, TOLD, NOTHING };

struct result {
    struct observation observation;
    enum state state;
};

struct tradeoff {
    const struct strategy_driver *driver;
    struct strategy_setup setup;
    size_t objectives;
    struct search *search;
    struct error trouble; /* with a new search */

    struct index_map places; /* from configuration to result */
    struct result *results;
    double *logarithms; /* of costs; of each result `objectives` */
    size_t count, capacity;

    struct generator generator;
    size_t told, renewed; /* results; as many as there were at the last renewal */
    size_t turns;         /* renewals */
    double weights[FRONT_OBJECTIVES], ideal[FRONT_OBJECTIVES], scales[FRONT_OBJECTIVES];
};

bool tradeoff_create(const struct strategy_driver *driver, const struct strategy_setup *setup, size_t objectives,
                     struct tradeoff **result, struct error *error)
{
    struct tradeoff *tradeoff = calloc(1, sizeof *tradeoff);
    if (!tradeoff)
        return error_out_of_memory(error);
    *tradeoff = (struct tradeoff){
        .driver = driver, .setup = *setup, .objectives = objectives, .generator.state = setup->seed};
    for (size_t k = 0; k < objectives; k++)
        tradeoff->weights[k] = tradeoff->scales[k] = 1;
    if (!search_create(driver, &tradeoff->setup, &tradeoff->search, error)) {
        tradeoff_free(tradeoff);
        return false;
    }
    *result = tradeoff;
    return true;
}

void tradeoff_free(struct tradeoff *tradeoff)
{
    if (!tradeoff)
        return;
    search_free(tradeoff->search);
    index_map_clear(&tradeoff->places);
    free(tradeoff->results);
    free(tradeoff->logarithms);
    free(tradeoff);
}

/* ---- the value of a result by the weights of now ---- */

static double value_of(const struct tradeoff *tradeoff, const double *logarithms)
{
    double most = -HUGE_VAL, sum = 0;
    for (size_t k = 0; k < tradeoff->objectives; k++) {
        double off = (logarithms[k] - tradeoff->ideal[k]) * tradeoff->scales[k];
        most = fmax(most, tradeoff->weights[k] * off);
        sum += off;
    }
    return exp(fmin(most + augmentation * sum, value_most));
}

static bool tell(struct tradeoff *tradeoff, size_t which)
{
    const struct result *result = &tradeoff->results[which];
    struct observation observation = result->observation;
    if (result->state == NOTHING)
        return search_tell_nothing(tradeoff->search, observation.index);
    if (observation.valid)
        observation.objective = value_of(tradeoff, &tradeoff->logarithms[which * tradeoff->objectives]);
    return tradeoff->driver->fits_all ? search_tell(tradeoff->search, &observation)
                                      : search_remember(tradeoff->search, &observation);
}

/* ---- new weights ---- */

/* All multiples of a tenth that add up to one are equally likely. */
static void draw_weights(struct tradeoff *tradeoff)
{
    size_t left, count = tradeoff->objectives, k;
    do {
        left = WEIGHT_STEPS;
        for (k = 0; k + 1 < count; k++) {
            size_t part = (size_t)generator_below(&tradeoff->generator, WEIGHT_STEPS + 1);
            if (part > left)
                break; /* once more: it is no point of the simplex */
            left -= part;
            tradeoff->weights[k] = (double)part;
        }
    } while (k + 1 < count);
    tradeoff->weights[count - 1] = (double)left;
}

/* The ends of a front are what one would have found by each objective alone, so they get a third of the turns. The
 * largest weight is 1: values are in the unit of the logarithms. */
static void change_weights(struct tradeoff *tradeoff)
{
    size_t turn = tradeoff->turns++, count = tradeoff->objectives;
    double largest = 0;
    draw_weights(tradeoff);
    for (size_t k = 0; k < count; k++) {
        if (turn % 3 == 0)
            tradeoff->weights[k] = turn / 3 % count == k;
        largest = fmax(largest, tradeoff->weights[k]);
    }
    for (size_t k = 0; k < count; k++)
        tradeoff->weights[k] /= largest;
}

/* The logarithms of all valid results, one after the other; returns how many. */
static size_t gather_valid(const struct tradeoff *tradeoff, double *valid)
{
    size_t count = 0;
    for (size_t i = 0; i < tradeoff->count; i++) {
        if (tradeoff->results[i].state != TOLD || !tradeoff->results[i].observation.valid)
            continue;
        for (size_t k = 0; k < tradeoff->objectives; k++)
            valid[count * tradeoff->objectives + k] = tradeoff->logarithms[i * tradeoff->objectives + k];
        count++;
    }
    return count;
}

/* The front's best corner, and what makes its extents equal: their mean stays what it was. */
static bool measure_front(struct tradeoff *tradeoff)
{
    size_t objectives = tradeoff->objectives;
    double *valid = malloc((tradeoff->count * objectives + 1) * sizeof *valid), extent[FRONT_OBJECTIVES], mean = 0;
    size_t *members = malloc((tradeoff->count + 1) * sizeof *members);
    bool done = valid && members;
    size_t count = done ? gather_valid(tradeoff, valid) : 0;
    size_t found = done ? front_find(valid, count, objectives, members) : 0;
    for (size_t k = 0; found > 0 && k < objectives; k++) {
        double most = -HUGE_VAL;
        tradeoff->ideal[k] = HUGE_VAL;
        for (size_t i = 0; i < found; i++) {
            tradeoff->ideal[k] = fmin(tradeoff->ideal[k], valid[members[i] * objectives + k]);
            most = fmax(most, valid[members[i] * objectives + k]);
        }
        extent[k] = fmax(most - tradeoff->ideal[k], extent_least);
        mean += extent[k] / (double)objectives;
    }
    for (size_t k = 0; found > 0 && k < objectives; k++)
        tradeoff->scales[k] = mean / extent[k];
    free(valid);
    free(members);
    return done;
}

/* What is under way the new search does not know, see tradeoff_ask. */
static bool renew(struct tradeoff *tradeoff)
{
    struct search *search;
    if (!measure_front(tradeoff))
        return false;
    change_weights(tradeoff);
    if (!search_create(tradeoff->driver, &tradeoff->setup, &search, &tradeoff->trouble))
        return false;
    search_free(tradeoff->search);
    tradeoff->search = search;
    tradeoff->renewed = tradeoff->told;
    for (size_t i = 0; i < tradeoff->count; i++) {
        if (tradeoff->results[i].state != OPEN && !tell(tradeoff, i))
            return false;
    }
    return true;
}

static bool is_due(const struct tradeoff *tradeoff)
{
    size_t share = tradeoff->told / RENEWAL_SHARE;
    return tradeoff->objectives > 1 &&
           tradeoff->told - tradeoff->renewed >= (share > RENEWAL_LEAST ? share : RENEWAL_LEAST);
}

/* ---- asking and telling ---- */

static bool make_room(struct tradeoff *tradeoff)
{
    if (tradeoff->count < tradeoff->capacity)
        return true;
    size_t capacity = tradeoff->capacity ? 2 * tradeoff->capacity : 64;
    struct result *results = realloc(tradeoff->results, capacity * sizeof *results);
    if (results)
        tradeoff->results = results;
    double *logarithms = realloc(tradeoff->logarithms, capacity * tradeoff->objectives * sizeof *logarithms);
    if (logarithms)
        tradeoff->logarithms = logarithms;
    if (!results || !logarithms)
        return false;
    tradeoff->capacity = capacity;
    return true;
}

/* The result of a configuration, open if there was none; false: out of memory. */
static bool find_result(struct tradeoff *tradeoff, size_t index, bool *is_new, size_t *which)
{
    *is_new = !index_map_get(&tradeoff->places, index, which);
    if (!*is_new)
        return true;
    *which = tradeoff->count;
    if (!make_room(tradeoff) || !index_map_put(&tradeoff->places, index, tradeoff->count))
        return false;
    tradeoff->results[tradeoff->count++] = (struct result){.observation.index = index, .state = OPEN};
    return true;
}

/* A new search may ask for what a former one has under way: that is told in any case, so ask for something else. */
enum answer tradeoff_ask(struct tradeoff *tradeoff, size_t *index)
{
    bool is_new = true;
    size_t which;
    enum answer answer;
    if (is_due(tradeoff) && !renew(tradeoff))
        return ASK_FAILED;
    do {
        answer = search_ask(tradeoff->search, index);
        if (answer == ASK_READY && tradeoff->objectives > 1 && !find_result(tradeoff, *index, &is_new, &which))
            return ASK_FAILED;
    } while (answer == ASK_READY && !is_new);
    return answer;
}

bool tradeoff_failure(const struct tradeoff *tradeoff, struct error *error)
{
    if (tradeoff->trouble.code == ERROR_NONE)
        return search_failure(tradeoff->search, error);
    *error = tradeoff->trouble;
    return false;
}

bool tradeoff_tell(struct tradeoff *tradeoff, const struct observation *observation, const double *costs)
{
    bool is_new;
    size_t which;
    if (tradeoff->objectives == 1)
        return search_tell(tradeoff->search, observation);
    if (!find_result(tradeoff, observation->index, &is_new, &which))
        return false;
    double *logarithms = &tradeoff->logarithms[which * tradeoff->objectives];
    bool valid = observation->valid;
    for (size_t k = 0; observation->valid && k < tradeoff->objectives; k++) {
        logarithms[k] = log(costs[k]);
        valid = valid && isfinite(logarithms[k]);
    }
    tradeoff->told += tradeoff->results[which].state == OPEN;
    tradeoff->results[which] = (struct result){.observation = *observation, .state = TOLD};
    tradeoff->results[which].observation.valid = valid;
    return tell(tradeoff, which);
}

bool tradeoff_tell_nothing(struct tradeoff *tradeoff, size_t index)
{
    bool is_new;
    size_t which;
    if (tradeoff->objectives == 1)
        return search_tell_nothing(tradeoff->search, index);
    if (!find_result(tradeoff, index, &is_new, &which))
        return false;
    tradeoff->told += tradeoff->results[which].state == OPEN;
    tradeoff->results[which].state = NOTHING;
    return tell(tradeoff, which);
}

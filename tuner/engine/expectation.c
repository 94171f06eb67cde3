/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/engine/expectation.h"

#include <math.h>
#include <stdlib.h>

/* The mean over all times with one value of one parameter. */
struct mean {
    double sum, count;
};

struct expectation {
    const struct search_space *space;
    uint16_t *point;
    size_t *first; /* index of each dimension's first mean */
    struct mean *means;
    struct mean all;
};

struct expectation *expectation_create(const struct search_space *space)
{
    size_t dimensions = search_space_dimensions(space), positions = 0;
    struct expectation *expectation = calloc(1, sizeof *expectation);
    if (!expectation)
        return NULL;
    expectation->space = space;
    expectation->point = calloc(dimensions + 1, sizeof *expectation->point);
    expectation->first = calloc(dimensions + 1, sizeof *expectation->first);
    for (size_t d = 0; d < dimensions && expectation->first; d++) {
        expectation->first[d] = positions;
        positions += search_space_positions(space, d);
    }
    expectation->means = calloc(positions + 1, sizeof *expectation->means);
    if (!expectation->point || !expectation->first || !expectation->means) {
        expectation_free(expectation);
        return NULL;
    }
    return expectation;
}

void expectation_free(struct expectation *expectation)
{
    if (!expectation)
        return;
    free(expectation->point);
    free(expectation->first);
    free(expectation->means);
    free(expectation);
}

static struct mean *mean_of(struct expectation *expectation, size_t dimension)
{
    return &expectation->means[expectation->first[dimension] + expectation->point[dimension]];
}

static void add(struct mean *mean, double value)
{
    mean->sum += value;
    mean->count++;
}

void expectation_learn(struct expectation *expectation, size_t index, double seconds)
{
    if (!(seconds > 0))
        return;
    search_space_point(expectation->space, index, expectation->point);
    add(&expectation->all, log(seconds));
    for (size_t d = 0; d < search_space_dimensions(expectation->space); d++)
        add(mean_of(expectation, d), log(seconds));
}

double expectation_of(struct expectation *expectation, size_t index)
{
    if (!(expectation->all.count > 0))
        return 0;
    double overall = expectation->all.sum / expectation->all.count, sum = overall;
    search_space_point(expectation->space, index, expectation->point);
    for (size_t d = 0; d < search_space_dimensions(expectation->space); d++) {
        const struct mean *mean = mean_of(expectation, d);
        if (mean->count > 0)
            sum += mean->sum / mean->count - overall;
    }
    return exp(sum);
}

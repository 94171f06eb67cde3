/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/evaluation/front.h"

#include <math.h>
#include <stdlib.h>

bool front_covers(const double *a, const double *b, size_t objectives)
{
    for (size_t k = 0; k < objectives; k++) {
        if (a[k] > b[k])
            return false;
    }
    return true;
}

bool front_dominates(const double *a, const double *b, size_t objectives)
{
    return front_covers(a, b, objectives) && !front_covers(b, a, objectives);
}

struct points {
    const double *costs;
    size_t objectives;
    size_t by; /* the objective that counts first; the others follow in order */
};

static int compare(const void *a, const void *b, void *context)
{
    const struct points *points = context;
    const size_t first = *(const size_t *)a, second = *(const size_t *)b;
    for (size_t k = 0; k < points->objectives; k++) {
        size_t by = (points->by + k) % points->objectives;
        double one = points->costs[first * points->objectives + by];
        double other = points->costs[second * points->objectives + by];
        if (one != other)
            return one < other ? -1 : 1;
    }
    return (first > second) - (first < second);
}

/* In this order only points that come earlier can dominate one. */
size_t front_find(const double *costs, size_t count, size_t objectives, size_t *members)
{
    struct points points = {costs, objectives, 0};
    size_t found = 0;
    for (size_t i = 0; i < count; i++)
        members[i] = i;
    qsort_r(members, count, sizeof *members, compare, &points);
    for (size_t i = 0; i < count; i++) {
        const double *one = &costs[members[i] * objectives];
        bool beaten = false;
        for (size_t j = 0; j < found && !beaten; j++)
            beaten = front_covers(&costs[members[j] * objectives], one, objectives);
        if (!beaten)
            members[found++] = members[i];
    }
    return found;
}

/* ---- the hypervolume ---- */

static bool is_inside(const double *point, const double *reference, size_t objectives)
{
    bool inside = true;
    for (size_t k = 0; k < objectives; k++)
        inside = inside && point[k] < reference[k];
    return inside;
}

/*
 * Of the points in `order`, by the first `dimensions` objectives: slices along the last of these, between one point
 * and the next, in each of which the points so far dominate the same area.
 */
static double volume(const struct points *all, size_t *order, size_t count, size_t dimensions,
                     const double *reference)
{
    size_t last = dimensions - 1;
    double sum = 0, least = HUGE_VAL;
    struct points points = *all;
    points.by = last;
    qsort_r(order, count, sizeof *order, compare, &points);
    if (count > 0 && dimensions == 1)
        return reference[0] - all->costs[order[0] * all->objectives];
    for (size_t i = 0; i < count; i++) {
        const double *point = &all->costs[order[i] * all->objectives];
        double to = i + 1 < count ? all->costs[order[i + 1] * all->objectives + last] : reference[last];
        double depth = to - point[last];
        least = fmin(least, point[0]);
        if (dimensions == 2)
            sum += depth * (reference[0] - least);
        else if (depth > 0) {
            size_t *slice = order + count; /* sorted otherwise, so a copy */
            for (size_t j = 0; j <= i; j++)
                slice[j] = order[j];
            sum += depth * volume(all, slice, i + 1, dimensions - 1, reference);
        }
    }
    return sum;
}

double front_hypervolume(const double *costs, size_t count, size_t objectives, const double *reference, size_t *order)
{
    const struct points points = {costs, objectives, 0};
    size_t inside = 0;
    for (size_t i = 0; i < count; i++) {
        if (is_inside(&costs[i * objectives], reference, objectives))
            order[inside++] = i;
    }
    return volume(&points, order, inside, objectives, reference);
}

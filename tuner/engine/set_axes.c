/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/engine/set_axes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

/* A parameter: a coordinate between 0 and 1, or a category. */
struct axis {
    size_t dimension;
    double low, high; /* of the logarithms of its values */
};

static bool is_number(struct value value)
{
    return value.kind == VALUE_INTEGER || value.kind == VALUE_FLOAT;
}

static double number_of(struct value value)
{
    double number = value.kind == VALUE_INTEGER ? (double)value.integer : value.real;
    return number >= 0 ? log2(number + 0.5) : number;
}

static double category_of(struct value value)
{
    if (value.kind == VALUE_STRING)
        return (double)(XXH3_64bits(value.string, strlen(value.string)) >> 12);
    return value.kind == VALUE_BOOLEAN ? value.boolean : is_number(value) ? number_of(value) : -1;
}

/* Widen an axis by a problem's values; false: they are no numbers. */
static bool widen(struct axis *axis, const struct search_space *space)
{
    bool numbers = true;
    for (size_t i = 0; i < search_space_positions(space, axis->dimension); i++) {
        struct value value = search_space_value(space, axis->dimension, i);
        numbers = numbers && is_number(value);
        double number = category_of(value);
        axis->low = fmin(axis->low, number);
        axis->high = fmax(axis->high, number);
    }
    return numbers;
}

static void find_axes(struct set_axes *axes)
{
    size_t dimensions = search_space_dimensions(problem_search_space(axes->problems[0]));
    for (int ordinal = 1; ordinal >= 0; ordinal--) {
        for (size_t d = 0; d < dimensions; d++) {
            struct axis axis = {d, INFINITY, -INFINITY};
            bool numbers = true;
            for (size_t s = 0; s < axes->sizes; s++)
                numbers = widen(&axis, problem_search_space(axes->problems[s])) && numbers;
            if (numbers == ordinal && axis.low < axis.high)
                axes->of[axes->count++] = axis;
        }
        if (ordinal)
            axes->ordinal = axes->count;
    }
}

static void find_extents(struct set_axes *axes)
{
    for (size_t d = 0; d < axes->dimensions; d++) {
        axes->low[d] = INFINITY;
        axes->high[d] = -INFINITY;
        for (size_t s = 0; s < axes->sizes; s++) {
            double octave = log2((double)problem_size(axes->problems[s], d));
            axes->low[d] = fmin(axes->low[d], octave);
            axes->high[d] = fmax(axes->high[d], octave);
        }
    }
}

void set_axes_place(struct set_axes *axes, size_t size, size_t index, double *coordinates)
{
    const struct search_space *space = problem_search_space(axes->problems[size]);
    search_space_point(space, index, axes->point);
    for (size_t a = 0; a < axes->count; a++) {
        const struct axis *axis = &axes->of[a];
        double number = category_of(search_space_value(space, axis->dimension, axes->point[axis->dimension]));
        if (a < axes->ordinal)
            coordinates[a] = (number - axis->low) / (axis->high - axis->low);
        else
            coordinates[a + axes->dimensions] = number;
    }
    for (size_t d = 0; d < axes->dimensions; d++) {
        double extent = fmax(axes->high[d] - axes->low[d], 1);
        coordinates[axes->ordinal + d] =
            (log2((double)problem_size(axes->problems[size], d)) - axes->low[d]) / extent;
    }
}

bool set_axes_create(struct set_axes *axes, struct problem *const *problems, size_t sizes)
{
    size_t parameters = search_space_dimensions(problem_search_space(problems[0]));
    *axes = (struct set_axes){
        .problems = problems, .sizes = sizes, .dimensions = problem_template(problems[0])->size_count};
    axes->of = calloc(parameters + 1, sizeof *axes->of);
    axes->low = calloc(axes->dimensions + 1, sizeof *axes->low);
    axes->high = calloc(axes->dimensions + 1, sizeof *axes->high);
    axes->point = calloc(parameters + 1, sizeof *axes->point);
    if (!axes->of || !axes->low || !axes->high || !axes->point)
        return false;
    find_axes(axes);
    find_extents(axes);
    return true;
}

void set_axes_clear(struct set_axes *axes)
{
    free(axes->of);
    free(axes->low);
    free(axes->high);
    free(axes->point);
}

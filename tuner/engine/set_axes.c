/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/engine/set_axes.h"

#include "tuner/dispatch/feature.h"
#include "tuner/space/slots.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

static const double unit_octaves_most = 3; /* a unit of 16 matters no more than one of 8 */
static const double let_octaves = 8;       /* of a let, to the length of an axis */

static const double length = 2, length_deviation = 1.4; /* of the prior of a process's lengths */

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

static void find_parameters(struct set_axes *axes, struct problem *const *problems, size_t sizes)
{
    size_t dimensions = search_space_dimensions(problem_search_space(problems[0]));
    for (int ordinal = 1; ordinal >= 0; ordinal--) {
        size_t *count = ordinal ? &axes->numbers : &axes->categories;
        for (size_t d = 0; d < dimensions; d++) {
            struct axis axis = {d, INFINITY, -INFINITY};
            bool numbers = true;
            for (size_t s = 0; s < sizes; s++)
                numbers = widen(&axis, problem_search_space(problems[s])) && numbers;
            if (numbers == ordinal && axis.low < axis.high) {
                axes->of[axes->numbers + axes->categories] = axis;
                ++*count;
            }
        }
    }
}

static double unit_octaves(int64_t size)
{
    const struct feature unit = {.kind = FEATURE_UNIT};
    return fmin(log2(feature_value(&unit, &size)), unit_octaves_most);
}

static bool units_vary(struct problem *const *problems, size_t sizes, size_t dimension)
{
    for (size_t s = 1; s < sizes; s++) {
        if (unit_octaves(problem_size(problems[s], dimension)) != unit_octaves(problem_size(problems[0], dimension)))
            return true;
    }
    return false;
}

static void find_sizes(struct set_axes *axes, struct problem *const *problems, size_t sizes, enum set_axes_kind kind)
{
    for (size_t d = 0; d < axes->template->size_count; d++) {
        double low = INFINITY, high = -INFINITY;
        for (size_t s = 0; s < sizes; s++) {
            double octave = log2((double)problem_size(problems[s], d));
            low = fmin(low, octave);
            high = fmax(high, octave);
        }
        if (low < high) {
            axes->low[axes->dimensions] = low;
            axes->high[axes->dimensions] = high;
            axes->varying[axes->dimensions++] = d;
            if (kind == SET_AXES_DERIVED && units_vary(problems, sizes, d))
                axes->with_units[axes->unit_count++] = d;
        }
    }
}

/* Does the let follow from sizes and parameters together? `marked`: the slots that it reads. */
static bool ties_both(const struct template *template, const bool *marked)
{
    bool sizes = false, parameters = false;
    for (size_t i = 0; i < template->size_count; i++)
        sizes = sizes || marked[template->sizes[i].slot];
    for (size_t i = 0; i < template->parameter_count; i++)
        parameters = parameters || marked[template->parameters[i].slot];
    return sizes && parameters;
}

static void find_lets(struct set_axes *axes, bool *marked, size_t slots)
{
    const struct template *template = axes->template;
    for (size_t i = 0; i < template->let_count; i++) {
        memset(marked, 0, slots * sizeof *marked);
        slots_mark(template, NULL, template->lets[i].value, marked);
        if (ties_both(template, marked))
            axes->lets[axes->let_count++] = &template->lets[i];
    }
}

/* Slots that the scopes of all the spaces fit into. */
static size_t most_slots(const struct space *space)
{
    size_t most = scope_count(space->scope);
    for (size_t i = 0; i < space->member_count; i++) {
        size_t own = most_slots(space->members[i]);
        most = own > most ? own : most;
    }
    return most;
}

/* ---- places */

static double octaves_of(struct value value)
{
    double number = value.kind == VALUE_INTEGER ? (double)value.integer : value.kind == VALUE_FLOAT ? value.real : 0;
    return log2(1 + fabs(value.kind == VALUE_BOOLEAN ? value.boolean : number));
}

static size_t place_sizes(const struct set_axes *axes, size_t at, double *coordinates)
{
    const int64_t *sizes = axes->sizes;
    for (size_t i = 0; i < axes->dimensions; i++)
        coordinates[at++] =
            (log2((double)sizes[axes->varying[i]]) - axes->low[i]) / fmax(axes->high[i] - axes->low[i], 1);
    for (size_t i = 0; i < axes->unit_count; i++)
        coordinates[at++] = unit_octaves(sizes[axes->with_units[i]]) / unit_octaves_most;
    return at;
}

bool set_axes_place(struct set_axes *axes, const struct problem *problem, size_t index, const int64_t *sizes,
                    double *coordinates, bool *valid)
{
    const struct search_space *space = problem_search_space(problem);
    struct error error = {0};
    size_t at = 0;
    for (size_t i = 0; i < axes->template->size_count; i++)
        axes->sizes[i] = sizes ? sizes[i] : problem_size(problem, i);
    if (!problem_slots_at(problem, index, axes->sizes, axes->slots, valid, &error))
        return false;
    search_space_point(space, index, axes->point);
    for (size_t a = 0; a < axes->numbers + axes->categories; a++) {
        const struct axis *axis = &axes->of[a];
        double number = category_of(search_space_value(space, axis->dimension, axes->point[axis->dimension]));
        if (a == axes->numbers)
            at = axes->ordinal;
        coordinates[at++] = a < axes->numbers ? (number - axis->low) / (axis->high - axis->low) : number;
    }
    at = place_sizes(axes, axes->numbers, coordinates);
    for (size_t i = 0; i < axes->let_count; i++)
        coordinates[at++] = octaves_of(axes->slots[axes->lets[i]->slot]) / let_octaves;
    return true;
}

struct gaussian_process *set_axes_process(const struct set_axes *axes, size_t capacity, size_t sample)
{
    return gaussian_process_create_with(axes->count, axes->ordinal, capacity, sample, length, length_deviation);
}

bool set_axes_create(struct set_axes *axes, struct problem *const *problems, size_t sizes, enum set_axes_kind kind)
{
    const struct template *template = problem_template(problems[0]);
    size_t parameters = search_space_dimensions(problem_search_space(problems[0]));
    size_t slots = most_slots(problem_space(problems[0]));
    *axes = (struct set_axes){.template = template};
    axes->of = calloc(parameters + 1, sizeof *axes->of);
    axes->varying = calloc(template->size_count + 1, sizeof *axes->varying);
    axes->with_units = calloc(template->size_count + 1, sizeof *axes->with_units);
    axes->low = calloc(template->size_count + 1, sizeof *axes->low);
    axes->high = calloc(template->size_count + 1, sizeof *axes->high);
    axes->lets = calloc(template->let_count + 1, sizeof *axes->lets);
    axes->slots = calloc(slots + 1, sizeof *axes->slots);
    axes->sizes = calloc(template->size_count + 1, sizeof *axes->sizes);
    axes->point = calloc(parameters + 1, sizeof *axes->point);
    bool *marked = calloc(slots + 1, sizeof *marked);
    bool done = axes->of && axes->varying && axes->with_units && axes->low && axes->high && axes->lets &&
                axes->slots && axes->sizes && axes->point && marked;
    if (done) {
        find_parameters(axes, problems, sizes);
        find_sizes(axes, problems, sizes, kind);
        if (kind == SET_AXES_DERIVED)
            find_lets(axes, marked, slots);
        axes->ordinal = axes->numbers + axes->dimensions + axes->unit_count + axes->let_count;
        axes->count = axes->ordinal + axes->categories;
    }
    free(marked);
    return done;
}

void set_axes_clear(struct set_axes *axes)
{
    free(axes->of);
    free(axes->varying);
    free(axes->with_units);
    free(axes->low);
    free(axes->high);
    free(axes->lets);
    free(axes->slots);
    free(axes->sizes);
    free(axes->point);
}

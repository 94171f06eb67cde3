/* SPDX-License-Identifier: Apache-2.0 */
/*
 * set_axes.h - configurations and sizes as points of one space, for a model over both.
 *
 * A parameter whose values are numbers at all sizes is an ordinal coordinate: the logarithm of its value, scaled to
 * 0 .. 1 over the values that it has at any size. So is each size. Other parameters are categories. What has the same
 * value everywhere is left out. Unlike those of search/coordinates.h, the coordinates of problems whose parameters
 * have different values are comparable.
 *
 * From these others can be derived: each size's unit up to eight (dispatch/feature.h), and each `let` of the template
 * that follows from sizes and parameters together, such as a number of tiles: nothing says more about how a
 * configuration suits a size, and neither of them shows it alone. A model that forecasts from all results has them;
 * one that is fitted to few of them chooses no worse without, and has fewer lengths to learn.
 */
#ifndef TUNE_ENGINE_SET_AXES_H
#define TUNE_ENGINE_SET_AXES_H

#include "tuner/search/gaussian_process.h"
#include "tuner/space/problem.h"

enum set_axes_kind { SET_AXES_GIVEN, SET_AXES_DERIVED }; /* parameters and sizes; units and lets as well */

struct set_axes {
    const struct template *template;
    size_t count;                        /* of coordinates */
    size_t ordinal;                      /* of them, the first */
    size_t numbers, categories;          /* parameters that are ordinal, and that are not */
    struct axis *of;                     /* by parameter, the ordinal ones first */
    size_t dimensions, *varying;         /* sizes that vary */
    double *low, *high;                  /* of their logarithms */
    size_t unit_count, *with_units;      /* sizes whose units vary; none unless derived */
    const struct let_declaration **lets; /* that are coordinates; none unless derived */
    size_t let_count;
    struct value *slots;
    int64_t *sizes; /* of the configuration being placed */
    uint16_t *point;
};

/* For problems of the same template and space, which must outlive the axes. False when out of memory; to be cleared
 * in any case. */
bool set_axes_create(struct set_axes *axes, struct problem *const *problems, size_t sizes, enum set_axes_kind kind);
void set_axes_clear(struct set_axes *axes);

/* The coordinates of a problem's configuration at these sizes, in the template's order; NULL: the problem's own.
 * `*valid`: its space has it there. False when out of memory. */
bool set_axes_place(struct set_axes *axes, const struct problem *problem, size_t index, const int64_t *sizes,
                    double *coordinates, bool *valid);

/* A process over these coordinates, for at most `capacity` points, that learns how much each matters from at most
 * `sample` of them: most matter little. NULL when out of memory. */
struct gaussian_process *set_axes_process(const struct set_axes *axes, size_t capacity, size_t sample);

#endif

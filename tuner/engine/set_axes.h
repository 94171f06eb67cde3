/* SPDX-License-Identifier: Apache-2.0 */
/*
 * set_axes.h - configurations and sizes as points of one space, for a model over both.
 *
 * A parameter whose values are numbers at all sizes is an ordinal coordinate: the logarithm of its value, scaled to
 * 0 .. 1 over the values that it has at any size. So is each size. Other parameters are categories. What has the same
 * value everywhere is left out. Unlike those of search/coordinates.h, the coordinates of problems whose parameters
 * have different values are comparable.
 */
#ifndef TUNE_ENGINE_SET_AXES_H
#define TUNE_ENGINE_SET_AXES_H

#include "tuner/space/problem.h"

struct set_axes {
    struct problem *const *problems; /* of the same template and space */
    size_t sizes;                    /* problems */
    size_t count, ordinal;           /* parameters; how many of them, the first, are ordinal */
    size_t dimensions;               /* of sizes: coordinates behind the ordinal ones, before the others */
    struct axis *of;                 /* by parameter */
    double *low, *high;              /* of the logarithms of the sizes */
    uint16_t *point;
};

/* The problems must outlive the axes. False when out of memory; to be cleared in any case. */
bool set_axes_create(struct set_axes *axes, struct problem *const *problems, size_t sizes);
void set_axes_clear(struct set_axes *axes);

/* The `count + dimensions` coordinates of a configuration of the problem of a size. */
void set_axes_place(struct set_axes *axes, size_t size, size_t index, double *coordinates);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * axis.h - one dimension of a search space: a parameter's values in a useful order.
 *
 * Positions ascend with the values if all of them are numbers, else they are in the order given; a value that is not
 * set comes last. Booleans are not numbers here.
 */
#ifndef TUNE_SPACE_AXIS_H
#define TUNE_SPACE_AXIS_H

#include "tuner/lang/value.h"

struct axis {
    char *name;
    struct value *values; /* by position; the axis owns its strings */
    uint16_t *positions;  /* by the order in which the values were given */
    size_t count;
};

/* At most 65535 values, all different; everything is copied. False when out of memory. */
bool axis_create(struct axis *axis, const char *name, const struct value *values, size_t count);
void axis_clear(struct axis *axis);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/search/coordinates.h"

#include <math.h>
#include <stdlib.h>

static bool is_number(struct value value)
{
    return value.kind == VALUE_INTEGER || value.kind == VALUE_FLOAT;
}

static double number_of(struct value value)
{
    return value.kind == VALUE_INTEGER ? (double)value.integer : value.real;
}

static bool is_ordinal(const struct search_space *space, size_t dimension)
{
    for (size_t i = 0; i < search_space_positions(space, dimension); i++) {
        if (!is_number(search_space_value(space, dimension, i)))
            return false;
    }
    return true;
}

/* Ascending values to 0..1. */
static void scale_ordinal(const struct search_space *space, size_t dimension, double *values)
{
    size_t count = search_space_positions(space, dimension);
    double least = number_of(search_space_value(space, dimension, 0));
    double offset = least == 0 ? number_of(search_space_value(space, dimension, 1)) : 0;
    for (size_t i = 0; i < count; i++) {
        double value = number_of(search_space_value(space, dimension, i));
        values[i] = least >= 0 ? log2(value + offset) : value;
    }
    double first = values[0], extent = values[count - 1] - first;
    for (size_t i = 0; i < count; i++)
        values[i] = (values[i] - first) / extent;
}

static bool add_coordinate(struct coordinates *coordinates, size_t dimension, bool ordinal)
{
    size_t count = search_space_positions(coordinates->space, dimension);
    double *values = calloc(count, sizeof *values);
    if (!values)
        return false;
    coordinates->dimensions[coordinates->count] = dimension;
    coordinates->values[coordinates->count++] = values;
    if (ordinal)
        scale_ordinal(coordinates->space, dimension, values);
    for (size_t i = 0; !ordinal && i < count; i++)
        values[i] = (double)i;
    return true;
}

bool coordinates_create(struct coordinates *coordinates, const struct search_space *space)
{
    size_t dimensions = search_space_dimensions(space);
    *coordinates = (struct coordinates){.space = space};
    coordinates->dimensions = calloc(dimensions + 1, sizeof *coordinates->dimensions);
    coordinates->values = calloc(dimensions + 1, sizeof *coordinates->values);
    coordinates->point = calloc(dimensions + 1, sizeof *coordinates->point);
    if (!coordinates->dimensions || !coordinates->values || !coordinates->point)
        return false;
    for (int ordinal = 1; ordinal >= 0; ordinal--) {
        for (size_t d = 0; d < dimensions; d++) {
            if (search_space_positions(space, d) > 1 && is_ordinal(space, d) == ordinal &&
                !add_coordinate(coordinates, d, ordinal))
                return false;
        }
        if (ordinal)
            coordinates->ordinal = coordinates->count;
    }
    return true;
}

void coordinates_clear(struct coordinates *coordinates)
{
    for (size_t i = 0; i < coordinates->count; i++)
        free(coordinates->values[i]);
    free(coordinates->values);
    free(coordinates->dimensions);
    free(coordinates->point);
}

void coordinates_of(const struct coordinates *coordinates, size_t index, double *numbers)
{
    search_space_point(coordinates->space, index, coordinates->point);
    for (size_t i = 0; i < coordinates->count; i++)
        numbers[i] = coordinates->values[i][coordinates->point[coordinates->dimensions[i]]];
}

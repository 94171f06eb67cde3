/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/search/coordinates.h"

#include "tuner/search/ordinal.h"

#include <math.h>
#include <stdlib.h>

static const double middle = 0.5;

/* Ascending values to 0..1. */
static void scale_ordinal(const struct search_space *space, size_t dimension, size_t count, double *values)
{
    double least = ordinal_value(space, dimension, 0);
    double offset = least == 0 ? ordinal_value(space, dimension, 1) : 0;
    for (size_t i = 0; i < count; i++) {
        double value = ordinal_value(space, dimension, i);
        values[i] = least >= 0 ? log2(value + offset) : value;
    }
    double first = values[0], extent = values[count - 1] - first;
    for (size_t i = 0; i < count; i++)
        values[i] = (values[i] - first) / extent;
}

static bool add_coordinate(struct coordinates *coordinates, size_t dimension, size_t numbers)
{
    size_t count = search_space_positions(coordinates->space, dimension);
    double *values = calloc(count, sizeof *values);
    if (!values)
        return false;
    coordinates->dimensions[coordinates->count] = dimension;
    coordinates->values[coordinates->count++] = values;
    if (numbers > 0)
        scale_ordinal(coordinates->space, dimension, numbers, values);
    for (size_t i = numbers; i < count; i++)
        values[i] = numbers > 0 ? middle : (double)i;
    return true;
}

/* The sum of a configuration's terms tells which dimensions are set: the fractions of multiples of the golden ratio
 * are so irregular that no two of the sums that occur are equal. */
static bool add_membership(struct coordinates *coordinates, size_t dimensions)
{
    const double ratio = 0.6180339887498949;
    for (size_t d = 0; d < dimensions; d++) {
        size_t last = search_space_positions(coordinates->space, d) - 1;
        if (search_space_value(coordinates->space, d, last).kind != VALUE_UNSET)
            continue;
        if (!coordinates->unset && !(coordinates->unset = calloc(dimensions, sizeof *coordinates->unset)))
            return false;
        coordinates->unset[d] = fmod((double)((d + 1) * (d + 1)) * ratio, 1);
    }
    coordinates->count += coordinates->unset != NULL;
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
            size_t numbers = ordinal_positions(space, d);
            bool informs = numbers > 1 || (numbers == 0 && search_space_positions(space, d) > 1);
            if (informs && (numbers > 0) == ordinal && !add_coordinate(coordinates, d, numbers))
                return false;
        }
        if (ordinal)
            coordinates->ordinal = coordinates->count;
    }
    return add_membership(coordinates, dimensions);
}

static size_t plain_count(const struct coordinates *coordinates)
{
    return coordinates->count - (coordinates->unset != NULL);
}

void coordinates_clear(struct coordinates *coordinates)
{
    for (size_t i = 0; coordinates->values && i < plain_count(coordinates); i++)
        free(coordinates->values[i]);
    free(coordinates->values);
    free(coordinates->dimensions);
    free(coordinates->unset);
    free(coordinates->point);
}

static double membership(const struct coordinates *coordinates)
{
    const struct search_space *space = coordinates->space;
    double sum = 0;
    for (size_t d = 0; d < search_space_dimensions(space); d++) {
        if (coordinates->unset[d] > 0 && coordinates->point[d] == search_space_positions(space, d) - 1)
            sum += coordinates->unset[d];
    }
    return sum;
}

void coordinates_of(const struct coordinates *coordinates, size_t index, double *numbers)
{
    size_t count = plain_count(coordinates);
    search_space_point(coordinates->space, index, coordinates->point);
    for (size_t i = 0; i < count; i++)
        numbers[i] = coordinates->values[i][coordinates->point[coordinates->dimensions[i]]];
    if (coordinates->unset)
        numbers[count] = membership(coordinates);
}

double coordinates_distance(const struct coordinates *coordinates, const double *one, const double *other)
{
    double sum = 0;
    for (size_t i = 0; i < coordinates->ordinal; i++)
        sum += (one[i] - other[i]) * (one[i] - other[i]);
    for (size_t i = coordinates->ordinal; i < coordinates->count; i++)
        sum += one[i] != other[i];
    return sum;
}

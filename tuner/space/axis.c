/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/space/axis.h"

#include <stdlib.h>
#include <string.h>

static bool is_number(struct value value)
{
    return value.kind == VALUE_INTEGER || value.kind == VALUE_FLOAT;
}

static double number(struct value value)
{
    return value.kind == VALUE_INTEGER ? (double)value.integer : value.real;
}

/* A value to sort: by number, the unset one last, equal ones as given. */
struct place_of_value {
    double number;
    bool last;
    size_t index;
};

static int compare_places(const void *one, const void *other)
{
    const struct place_of_value *a = one, *b = other;
    if (a->last != b->last)
        return a->last ? 1 : -1;
    if (a->number != b->number)
        return a->number < b->number ? -1 : 1;
    return a->index < b->index ? -1 : a->index > b->index;
}

/* Find the value of each position. */
static bool order_values(const struct value *values, size_t count, size_t *order)
{
    struct place_of_value *places = calloc(count + 1, sizeof *places);
    bool numbers = true;
    if (!places)
        return false;
    for (size_t i = 0; i < count; i++)
        numbers = numbers && (is_number(values[i]) || values[i].kind == VALUE_UNSET);
    for (size_t i = 0; i < count; i++) {
        struct value value = values[i];
        places[i] = (struct place_of_value){.last = value.kind == VALUE_UNSET, .index = i};
        if (numbers && is_number(value))
            places[i].number = number(value);
    }
    qsort(places, count, sizeof *places, compare_places);
    for (size_t i = 0; i < count; i++)
        order[i] = places[i].index;
    free(places);
    return true;
}

void axis_clear(struct axis *axis)
{
    for (size_t i = 0; i < axis->count && axis->values; i++) {
        if (axis->values[i].kind == VALUE_STRING)
            free((char *)axis->values[i].string);
    }
    free(axis->name);
    free(axis->values);
    free(axis->positions);
    *axis = (struct axis){0};
}

bool axis_create(struct axis *axis, const char *name, const struct value *values, size_t count)
{
    size_t *order = calloc(count + 1, sizeof *order);
    *axis = (struct axis){.name = strdup(name),
                          .values = calloc(count + 1, sizeof *axis->values),
                          .positions = calloc(count + 1, sizeof *axis->positions)};
    bool made = order && axis->name && axis->values && axis->positions && order_values(values, count, order);
    while (made && axis->count < count) {
        size_t position = axis->count;
        struct value value = values[order[position]];
        axis->positions[order[position]] = (uint16_t)position;
        if (value.kind == VALUE_STRING) {
            value.string = strdup(value.string);
            made = value.string != NULL;
        }
        if (made)
            axis->values[axis->count++] = value;
    }
    free(order);
    if (!made)
        axis_clear(axis);
    return made;
}

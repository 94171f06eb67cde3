#include "tuner/space/search_space.h"

#include <stdlib.h>
#include <string.h>

#include <xxhash.h>

struct axis {
    char *name;
    struct value *values; /* by position; strings are the axis's own */
    uint16_t *positions;  /* of the values as they were given */
    size_t count;
};

struct search_space {
    struct axis *axes;
    size_t dimensions;
    uint16_t *points; /* configuration after configuration */
    size_t count;
    size_t *table; /* open hash table of 1 + index; 0: free */
    size_t capacity;
};

static bool is_number(struct value value)
{
    return value.kind == VALUE_INTEGER || value.kind == VALUE_FLOAT;
}

static double number(struct value value)
{
    return value.kind == VALUE_INTEGER ? (double)value.integer : value.real;
}

/* Positions by insertion: ascending if all values are numbers, the unset one last; else as given. */
static void order_values(const struct dimension *dimension, size_t *order)
{
    bool numbers = true;
    for (size_t i = 0; i < dimension->count; i++)
        numbers = numbers && (is_number(dimension->values[i]) || dimension->values[i].kind == VALUE_UNSET);
    for (size_t i = 0; i < dimension->count; i++) {
        size_t at = i;
        struct value value = dimension->values[i];
        while (at > 0 && numbers && value.kind != VALUE_UNSET &&
               (dimension->values[order[at - 1]].kind == VALUE_UNSET ||
                number(dimension->values[order[at - 1]]) > number(value))) {
            order[at] = order[at - 1];
            at--;
        }
        order[at] = i;
    }
}

static bool make_axis(struct axis *axis, const struct dimension *dimension)
{
    bool made = false;
    size_t *order = calloc(dimension->count + 1, sizeof *order);
    axis->name = strdup(dimension->name);
    axis->values = calloc(dimension->count + 1, sizeof *axis->values);
    axis->positions = calloc(dimension->count + 1, sizeof *axis->positions);
    if (!order || !axis->name || !axis->values || !axis->positions)
        goto end;
    axis->count = dimension->count;
    order_values(dimension, order);
    for (size_t position = 0; position < dimension->count; position++) {
        struct value value = dimension->values[order[position]];
        axis->positions[order[position]] = (uint16_t)position;
        if (value.kind == VALUE_STRING) {
            value.string = strdup(value.string);
            if (!value.string) {
                axis->count = position;
                goto end;
            }
        }
        axis->values[position] = value;
    }
    made = true;
end:
    free(order);
    return made;
}

static size_t first_place(const struct search_space *space, const uint16_t *point)
{
    return (size_t)XXH3_64bits(point, space->dimensions * sizeof *point) & (space->capacity - 1);
}

/* The place of the table that holds the point, or the free one where it would go. */
static size_t *place_of(const struct search_space *space, const uint16_t *point)
{
    size_t at = first_place(space, point);
    while (space->table[at] && memcmp(space->points + (space->table[at] - 1) * space->dimensions, point,
                                      space->dimensions * sizeof *point) != 0)
        at = (at + 1) & (space->capacity - 1);
    return &space->table[at];
}

static bool make_points(struct search_space *space, const uint16_t *rows, size_t count, struct error *error)
{
    space->capacity = 64;
    while (space->capacity < 2 * count)
        space->capacity *= 2;
    space->points = malloc((count * space->dimensions + 1) * sizeof *space->points);
    space->table = calloc(space->capacity, sizeof *space->table);
    if (!space->points || !space->table)
        return error_set(error, ERROR_SYSTEM, "out of memory for %zu configurations", count);
    for (size_t i = 0; i < count; i++) {
        uint16_t *point = space->points + i * space->dimensions;
        for (size_t d = 0; d < space->dimensions; d++)
            point[d] = space->axes[d].positions[rows[i * space->dimensions + d]];
        size_t *place = place_of(space, point);
        if (*place)
            return error_set(error, ERROR_SYSTEM, "configurations %zu and %zu are the same", *place - 1, i);
        *place = 1 + i;
        space->count++;
    }
    return true;
}

bool search_space_listed(const struct dimension *dimensions, size_t dimension_count, const uint16_t *rows,
                         size_t count, struct search_space **result, struct error *error)
{
    struct search_space *space = calloc(1, sizeof *space);
    if (space)
        space->axes = calloc(dimension_count + 1, sizeof *space->axes);
    if (!space || !space->axes) {
        free(space);
        return error_set(error, ERROR_SYSTEM, "out of memory");
    }
    for (; space->dimensions < dimension_count; space->dimensions++) {
        if (!make_axis(&space->axes[space->dimensions], &dimensions[space->dimensions])) {
            space->dimensions++;
            search_space_free(space);
            return error_set(error, ERROR_SYSTEM, "out of memory");
        }
    }
    if (!make_points(space, rows, count, error)) {
        search_space_free(space);
        return false;
    }
    *result = space;
    return true;
}

void search_space_free(struct search_space *space)
{
    if (!space)
        return;
    for (size_t d = 0; d < space->dimensions; d++) {
        struct axis *axis = &space->axes[d];
        for (size_t i = 0; i < axis->count; i++) {
            if (axis->values[i].kind == VALUE_STRING)
                free((char *)axis->values[i].string);
        }
        free(axis->name);
        free(axis->values);
        free(axis->positions);
    }
    free(space->axes);
    free(space->points);
    free(space->table);
    free(space);
}

size_t search_space_count(const struct search_space *space)
{
    return space->count;
}

size_t search_space_dimensions(const struct search_space *space)
{
    return space->dimensions;
}

const char *search_space_name(const struct search_space *space, size_t dimension)
{
    return space->axes[dimension].name;
}

size_t search_space_positions(const struct search_space *space, size_t dimension)
{
    return space->axes[dimension].count;
}

struct value search_space_value(const struct search_space *space, size_t dimension, size_t position)
{
    return space->axes[dimension].values[position];
}

void search_space_point(const struct search_space *space, size_t index, uint16_t *point)
{
    memcpy(point, space->points + index * space->dimensions, space->dimensions * sizeof *point);
}

bool search_space_find(const struct search_space *space, const uint16_t *point, size_t *index)
{
    size_t place = *place_of(space, point);
    if (place)
        *index = place - 1;
    return place != 0;
}

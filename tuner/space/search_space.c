/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/space/search_space.h"

#include "tuner/space/axis.h"
#include "tuner/space/diagram.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include <xxhash.h>

struct member {
    const struct diagram *diagram;
    size_t first, count; /* configurations */
    size_t levels;
    size_t *columns;           /* dimension of each level */
    uint16_t **coordinates_of; /* by level and value index: the position */
    uint16_t **values_of;      /* by level and position: the value index */
    uint16_t *fixed;           /* position by dimension, DIAGRAM_NO_VALUE where a level decides */
    size_t *level_of;          /* by dimension */
};

/* Either listed, with points and a table, or of members. */
struct search_space {
    struct axis *axes;
    size_t dimensions;
    size_t count;
    uint16_t *points; /* of all configurations in order */
    size_t *table;    /* open hash table of 1 + index; 0: free */
    size_t capacity;
    struct member *members;
    size_t member_count;
};

static size_t first_place(const struct search_space *space, const uint16_t *point)
{
    return (size_t)XXH3_64bits(point, space->dimensions * sizeof *point) & (space->capacity - 1);
}

/* The table entry of the point, or the free one where it would go. */
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
        return error_out_of_memory(error);
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

/* A search space with axes, but without configurations. */
static struct search_space *make_space(const struct dimension *dimensions, size_t count, struct error *error)
{
    struct search_space *space = calloc(1, sizeof *space);
    if (space)
        space->axes = calloc(count + 1, sizeof *space->axes);
    bool made = space && space->axes;
    while (made && space->dimensions < count) {
        const struct dimension *given = &dimensions[space->dimensions];
        made = axis_create(&space->axes[space->dimensions++], given->name, given->values, given->count);
    }
    if (made)
        return space;
    search_space_free(space);
    error_out_of_memory(error);
    return NULL;
}

bool search_space_listed(const struct dimension *dimensions, size_t dimension_count, const uint16_t *rows,
                         size_t count, struct search_space **result, struct error *error)
{
    struct search_space *space = make_space(dimensions, dimension_count, error);
    if (!space || !make_points(space, rows, count, error)) {
        search_space_free(space);
        return false;
    }
    *result = space;
    return true;
}

/* Tables from a level's value indices to positions, and back. */
static bool translate_level(const struct search_space *space, struct member *member, size_t level,
                            const struct search_space_member *given)
{
    const struct axis *axis = &space->axes[member->columns[level]];
    size_t width = diagram_width(given->diagram, level);
    uint16_t *coordinates = member->coordinates_of[level] = calloc(width + 1, sizeof *coordinates);
    uint16_t *values = member->values_of[level] = malloc((axis->count + 1) * sizeof *values);
    if (!coordinates || !values || !axis->positions)
        return false;
    for (size_t i = 0; i < axis->count; i++)
        values[i] = DIAGRAM_NO_VALUE;
    for (size_t value = 0; value < width; value++) {
        coordinates[value] = axis->positions[given->values[level][value]];
        values[coordinates[value]] = (uint16_t)value;
    }
    return true;
}

static bool make_member(struct search_space *space, struct member *member, const struct search_space_member *given)
{
    member->diagram = given->diagram;
    member->levels = diagram_levels(given->diagram);
    member->first = space->count;
    member->count = diagram_count(given->diagram);
    member->columns = calloc(member->levels + 1, sizeof *member->columns);
    member->coordinates_of = calloc(member->levels + 1, sizeof *member->coordinates_of);
    member->values_of = calloc(member->levels + 1, sizeof *member->values_of);
    member->fixed = calloc(space->dimensions + 1, sizeof *member->fixed);
    member->level_of = calloc(space->dimensions + 1, sizeof *member->level_of);
    if (!member->columns || !member->coordinates_of || !member->values_of || !member->fixed || !member->level_of)
        return false;
    for (size_t d = 0; d < space->dimensions; d++)
        member->fixed[d] = space->axes[d].positions[given->fixed[d]];
    for (size_t l = 0; l < member->levels; l++) {
        member->columns[l] = given->dimensions[l];
        member->fixed[given->dimensions[l]] = DIAGRAM_NO_VALUE;
        member->level_of[given->dimensions[l]] = l;
        if (!translate_level(space, member, l, given))
            return false;
    }
    space->count += member->count;
    return true;
}

static void free_member(struct member *member)
{
    for (size_t l = 0; l < member->levels; l++) {
        if (member->coordinates_of)
            free(member->coordinates_of[l]);
        if (member->values_of)
            free(member->values_of[l]);
    }
    free(member->columns);
    free(member->coordinates_of);
    free(member->values_of);
    free(member->fixed);
    free(member->level_of);
}

bool search_space_of_members(const struct dimension *dimensions, size_t dimension_count,
                             const struct search_space_member *members, size_t member_count,
                             struct search_space **result, struct error *error)
{
    struct search_space *space = make_space(dimensions, dimension_count, error);
    if (!space)
        return false;
    space->members = calloc(member_count + 1, sizeof *space->members);
    bool made = space->members != NULL;
    while (made && space->member_count < member_count) {
        size_t i = space->member_count++;
        made = make_member(space, &space->members[i], &members[i]);
    }
    if (!made) {
        search_space_free(space);
        return error_out_of_memory(error);
    }
    *result = space;
    return true;
}

void search_space_free(struct search_space *space)
{
    if (!space)
        return;
    for (size_t d = 0; d < space->dimensions; d++)
        axis_clear(&space->axes[d]);
    for (size_t i = 0; i < space->member_count; i++)
        free_member(&space->members[i]);
    free(space->members);
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

bool search_space_dimension(const struct search_space *space, const char *name, size_t *dimension)
{
    for (*dimension = 0; *dimension < search_space_dimensions(space); ++*dimension) {
        if (strcmp(search_space_name(space, *dimension), name) == 0)
            return true;
    }
    return false;
}

size_t search_space_positions(const struct search_space *space, size_t dimension)
{
    return space->axes[dimension].count;
}

struct value search_space_value(const struct search_space *space, size_t dimension, size_t position)
{
    return space->axes[dimension].values[position];
}

static struct diagram_frame frame_of(const struct member *member)
{
    assert(member);
    return (struct diagram_frame){.columns = member->columns,
                                  .coordinates_of = (const uint16_t *const *)member->coordinates_of,
                                  .values_of = (const uint16_t *const *)member->values_of};
}

void search_space_point(const struct search_space *space, size_t index, uint16_t *point)
{
    const struct member *member = space->members;
    if (!member) {
        memcpy(point, space->points + index * space->dimensions, space->dimensions * sizeof *point);
        return;
    }
    while (index >= member->first + member->count)
        member++;
    struct diagram_frame frame = frame_of(member);
    memcpy(point, member->fixed, space->dimensions * sizeof *point);
    diagram_point(member->diagram, &frame, index - member->first, point);
}

/* Does the point have the member's fixed values, leaving out dimension `but`? */
static bool fits(const struct search_space *space, const struct member *member, const uint16_t *point, size_t but)
{
    for (size_t d = 0; d < space->dimensions; d++) {
        if (member->fixed[d] != DIAGRAM_NO_VALUE && member->fixed[d] != point[d] && d != but)
            return false;
    }
    return true;
}

bool search_space_find(const struct search_space *space, const uint16_t *point, size_t *index)
{
    if (!space->members) {
        size_t place = *place_of(space, point);
        if (place)
            *index = place - 1;
        return place != 0;
    }
    for (const struct member *member = space->members; member < space->members + space->member_count; member++) {
        struct diagram_frame frame = frame_of(member);
        if (fits(space, member, point, space->dimensions) && diagram_find(member->diagram, &frame, point, index)) {
            *index += member->first;
            return true;
        }
    }
    return false;
}

/* The points of a line that are in one member. */
static void member_line(const struct search_space *space, const struct member *member, const uint16_t *point,
                        size_t dimension, size_t *indices)
{
    struct diagram_frame frame = frame_of(member);
    size_t index;
    if (!fits(space, member, point, dimension))
        return;
    if (member->fixed[dimension] == DIAGRAM_NO_VALUE)
        diagram_line(member->diagram, &frame, point, member->level_of[dimension], member->first, indices);
    else if (diagram_find(member->diagram, &frame, point, &index))
        indices[member->fixed[dimension]] = member->first + index;
}

void search_space_line(const struct search_space *space, uint16_t *point, size_t dimension, size_t *indices)
{
    uint16_t own = point[dimension];
    for (size_t position = 0; position < space->axes[dimension].count; position++) {
        indices[position] = SEARCH_SPACE_NONE;
        if (space->members)
            continue;
        point[dimension] = (uint16_t)position;
        search_space_find(space, point, &indices[position]);
    }
    point[dimension] = own;
    for (size_t i = 0; i < space->member_count; i++)
        member_line(space, &space->members[i], point, dimension, indices);
}

size_t search_space_bytes(const struct search_space *space)
{
    size_t bytes = space->points ? space->count * space->dimensions * sizeof *space->points : 0;
    for (size_t i = 0; i < space->member_count; i++)
        bytes += diagram_bytes(space->members[i].diagram);
    return bytes + space->capacity * sizeof *space->table;
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/space/diagram.h"

#include "tuner/space/diagram_layout.h"

#include <stdlib.h>
#include <string.h>

static const uint32_t NONE = UINT32_MAX;

static void level_clear(struct diagram_level *level)
{
    free(level->first);
    free(level->narrow);
    free(level->wide);
    free(level->children);
    free(level->before);
    free(level->before_many);
    free(level->alive);
}

void diagram_free(struct diagram *diagram)
{
    if (!diagram)
        return;
    for (size_t l = 0; l < diagram->level_count; l++)
        level_clear(&diagram->levels[l]);
    free(diagram->levels);
    free(diagram->first);
    free(diagram->rows);
    free(diagram);
}

size_t diagram_count(const struct diagram *diagram)
{
    return diagram->count;
}

size_t diagram_levels(const struct diagram *diagram)
{
    return diagram->level_count;
}

size_t diagram_width(const struct diagram *diagram, size_t level)
{
    return diagram->levels[level].width;
}

bool diagram_alive(const struct diagram *diagram, size_t level, size_t value)
{
    return diagram->levels[level].alive[value / 8] >> value % 8 & 1;
}

size_t diagram_bytes(const struct diagram *diagram)
{
    size_t bytes = sizeof *diagram;
    for (size_t l = 0; l < diagram->level_count; l++) {
        const struct diagram_level *level = &diagram->levels[l];
        bytes += sizeof *level + level->width / 8 + 1;
        if (l < diagram->tail)
            bytes += (level->node_count + 1) * sizeof *level->first +
                     level->edge_count * diagram_edge_bytes(level->width, level->before_many);
    }
    return bytes + (diagram->node_count + 1) * sizeof *diagram->first + diagram->row_count * diagram->row_bytes;
}

static inline uint16_t edge_value(const struct diagram_level *level, size_t edge)
{
    return level->narrow ? level->narrow[edge] : level->wide[edge];
}

static inline uint64_t points_before(const struct diagram_level *level, size_t edge)
{
    return level->before ? level->before[edge] : level->before_many[edge];
}

/* A row's value on a level of the tail. */
static inline uint16_t row_value(const struct diagram *diagram, size_t row, size_t l)
{
    const struct diagram_level *level = &diagram->levels[l];
    const uint8_t *at = diagram->rows + row * diagram->row_bytes + level->offset;
    uint16_t value;
    if (level->width <= 256)
        return *at;
    memcpy(&value, at, sizeof value);
    return value;
}

/* The edge of a node with this value, or false. */
static bool find_edge(const struct diagram_level *level, uint32_t node, uint16_t value, size_t *edge)
{
    size_t low = level->first[node], high = level->first[node + 1];
    if (value >= level->width)
        return false;
    if (high - low == level->width) {
        *edge = low + value;
        return true;
    }
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        uint16_t found = edge_value(level, middle);
        if (found == value) {
            *edge = middle;
            return true;
        }
        if (found < value)
            low = middle + 1;
        else
            high = middle;
    }
    return false;
}

/* The last edge of a node with at most `index` points before it. */
static size_t edge_before(const struct diagram_level *level, uint32_t node, uint64_t index)
{
    size_t low = level->first[node], high = level->first[node + 1];
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        if (points_before(level, middle) <= index)
            low = middle;
        else
            high = middle;
    }
    return low;
}

static void put(const struct diagram_frame *frame, size_t l, uint16_t value, uint16_t *point)
{
    const uint16_t *coordinates = frame->coordinates_of ? frame->coordinates_of[l] : NULL;
    point[frame->columns[l]] = coordinates ? coordinates[value] : value;
}

static uint16_t get(const struct diagram_frame *frame, size_t l, const uint16_t *point)
{
    const uint16_t *values = frame->values_of ? frame->values_of[l] : NULL;
    uint16_t coordinate = point[frame->columns[l]];
    return values ? values[coordinate] : coordinate;
}

void diagram_point(const struct diagram *diagram, const struct diagram_frame *frame, size_t index, uint16_t *point)
{
    uint32_t node = diagram->root;
    uint64_t left = index;
    for (size_t l = 0; l < diagram->tail; l++) {
        const struct diagram_level *level = &diagram->levels[l];
        size_t edge = edge_before(level, node, left);
        left -= points_before(level, edge);
        put(frame, l, edge_value(level, edge), point);
        node = level->children[edge];
    }
    for (size_t l = diagram->tail; l < diagram->level_count; l++)
        put(frame, l, row_value(diagram, diagram->first[node] + left, l), point);
}

/* A point to look for in the tail; level `other_level`, if there is one, has the value `other` instead. */
struct wanted {
    const struct diagram *diagram;
    const struct diagram_frame *frame;
    const uint16_t *point;
    size_t other_level;
    uint16_t other;
};

/* Compare a row with the point on the levels before `end`: negative, 0 or positive. */
static int compare_row(const struct wanted *wanted, size_t row, size_t end)
{
    for (size_t l = wanted->diagram->tail; l < end; l++) {
        uint16_t value = row_value(wanted->diagram, row, l);
        uint16_t other = l == wanted->other_level ? wanted->other : get(wanted->frame, l, wanted->point);
        if (value != other)
            return value < other ? -1 : 1;
    }
    return 0;
}

/* The first row that is at least, or if `greater` greater than, the point on the levels before `end`. */
static size_t bisect_rows(const struct wanted *wanted, size_t low, size_t high, size_t end, bool greater)
{
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        int order = compare_row(wanted, middle, end);
        if (order < 0 || (order == 0 && greater))
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static bool find_row(const struct wanted *wanted, size_t low, size_t high, size_t *row)
{
    size_t levels = wanted->diagram->level_count;
    *row = bisect_rows(wanted, low, high, levels, false);
    return *row < high && compare_row(wanted, *row, levels) == 0;
}

/* Descend from a node of level `l`, adding the number of points before the one at hand to `*index`. */
static bool descend(const struct diagram *diagram, const struct diagram_frame *frame, const uint16_t *point, size_t l,
                    uint32_t node, size_t *index)
{
    struct wanted wanted = {diagram, frame, point, diagram->level_count, 0};
    size_t edge, row;
    for (; l < diagram->tail; l++) {
        const struct diagram_level *level = &diagram->levels[l];
        if (!find_edge(level, node, get(frame, l, point), &edge))
            return false;
        *index += points_before(level, edge);
        node = level->children[edge];
    }
    if (diagram->level_count == 0)
        return true;
    if (!find_row(&wanted, diagram->first[node], diagram->first[node + 1], &row))
        return false;
    *index += row - diagram->first[node];
    return true;
}

bool diagram_find(const struct diagram *diagram, const struct diagram_frame *frame, const uint16_t *point,
                  size_t *index)
{
    *index = 0;
    return diagram->count > 0 && descend(diagram, frame, point, 0, diagram->root, index);
}

static size_t *index_at(const struct diagram_frame *frame, size_t l, uint16_t value, size_t *indices)
{
    const uint16_t *coordinates = frame->coordinates_of ? frame->coordinates_of[l] : NULL;
    return &indices[coordinates ? coordinates[value] : value];
}

/* Adjacent edges often lead to the same child, which is then searched once. */
static void fill_line(const struct diagram *diagram, const struct diagram_frame *frame, const uint16_t *point,
                      size_t l, uint32_t node, size_t base, size_t *indices)
{
    const struct diagram_level *level = &diagram->levels[l];
    uint32_t child = NONE;
    bool found = true;
    size_t below = 0;
    for (size_t edge = level->first[node]; edge < level->first[node + 1]; edge++) {
        if (level->children[edge] != child) {
            child = level->children[edge];
            below = 0;
            found = descend(diagram, frame, point, l + 1, child, &below);
        }
        if (found)
            *index_at(frame, l, edge_value(level, edge), indices) = base + points_before(level, edge) + below;
    }
}

/* The same on a level of the tail: among the rows that agree on the levels before it, those with each value there. */
static void fill_line_of_rows(const struct diagram *diagram, const struct diagram_frame *frame, const uint16_t *point,
                              size_t l, uint32_t node, size_t base, size_t *indices)
{
    struct wanted wanted = {diagram, frame, point, diagram->level_count, 0};
    size_t first = diagram->first[node], row, found;
    row = bisect_rows(&wanted, first, diagram->first[node + 1], l, false);
    size_t end = bisect_rows(&wanted, row, diagram->first[node + 1], l, true);
    wanted.other_level = l;
    while (row < end) {
        wanted.other = row_value(diagram, row, l);
        if (find_row(&wanted, row, end, &found))
            *index_at(frame, l, wanted.other, indices) = base + (found - first);
        row = bisect_rows(&wanted, row, end, l + 1, true);
    }
}

void diagram_line(const struct diagram *diagram, const struct diagram_frame *frame, const uint16_t *point,
                  size_t level, size_t base, size_t *indices)
{
    uint32_t node = diagram->root;
    size_t edge;
    if (diagram->count == 0)
        return;
    for (size_t l = 0; l < level && l < diagram->tail; l++) {
        if (!find_edge(&diagram->levels[l], node, get(frame, l, point), &edge))
            return;
        base += points_before(&diagram->levels[l], edge);
        node = diagram->levels[l].children[edge];
    }
    if (level < diagram->tail)
        fill_line(diagram, frame, point, level, node, base, indices);
    else
        fill_line_of_rows(diagram, frame, point, level, node, base, indices);
}

static bool fits(const uint16_t *wanted, size_t l, uint16_t value)
{
    return wanted[l] == DIAGRAM_NO_VALUE || wanted[l] == value;
}

/* The first fitting row of a node, or NONE. */
static uint32_t first_row(const struct diagram *diagram, const uint16_t *wanted, size_t node)
{
    for (uint32_t row = diagram->first[node]; row < diagram->first[node + 1]; row++) {
        bool all = true;
        for (size_t l = diagram->tail; l < diagram->level_count && all; l++)
            all = fits(wanted, l, row_value(diagram, row, l));
        if (all)
            return row;
    }
    return NONE;
}

/* The first fitting edge of a node whose child has a fitting point, or NONE. */
static uint32_t first_edge(const struct diagram *diagram, const uint16_t *wanted, size_t l, size_t node,
                           const uint32_t *below)
{
    const struct diagram_level *level = &diagram->levels[l];
    for (uint32_t e = level->first[node]; e < level->first[node + 1]; e++) {
        if (fits(wanted, l, edge_value(level, e)) && below[level->children[e]] != NONE)
            return e;
    }
    return NONE;
}

/* The first row or edge of each node that leads to a fitting point, level by level from the tail up. */
static bool first_choices(const struct diagram *diagram, const uint16_t *wanted, uint32_t **chosen)
{
    for (size_t l = diagram->tail + 1; l-- > 0;) {
        size_t nodes = l == diagram->tail ? diagram->node_count : diagram->levels[l].node_count;
        chosen[l] = malloc((nodes + 1) * sizeof **chosen);
        if (!chosen[l])
            return false;
        for (size_t node = 0; node < nodes; node++)
            chosen[l][node] = l == diagram->tail ? first_row(diagram, wanted, node)
                                                 : first_edge(diagram, wanted, l, node, chosen[l + 1]);
    }
    return true;
}

bool diagram_first_with(const struct diagram *diagram, const uint16_t *wanted, bool *found, size_t *index)
{
    *index = 0;
    *found = diagram->count > 0;
    if (diagram->count == 0 || diagram->level_count == 0)
        return true;
    uint32_t **chosen = calloc(diagram->tail + 1, sizeof *chosen);
    uint32_t node = diagram->root;
    bool done = chosen && first_choices(diagram, wanted, chosen);
    *found = done && chosen[0][node] != NONE;
    for (size_t l = 0; l < diagram->tail && *found; l++) {
        uint32_t edge = chosen[l][node];
        *index += points_before(&diagram->levels[l], edge);
        node = diagram->levels[l].children[edge];
    }
    if (*found)
        *index += chosen[diagram->tail][node] - diagram->first[node];
    for (size_t l = 0; l <= diagram->tail && chosen; l++)
        free(chosen[l]);
    free(chosen);
    return done;
}

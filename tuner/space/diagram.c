/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/space/diagram.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <xxhash.h>

/* Of the edges of node n, those from first[n] to first[n + 1]. */
struct level {
    size_t width;
    size_t node_count, edge_count;
    uint32_t *first;
    uint8_t *narrow; /* values, where a byte holds them */
    uint16_t *wide;  /* or else */
    uint32_t *children;
    uint32_t *before; /* points before an edge, where 32 bits hold them */
    uint64_t *before_many;
    uint8_t *alive; /* a bit for each value */
    size_t offset;  /* from the tail on: of its value in a row */
};

/* From level `tail` on there are no nodes but rows, which hold a value for each of these levels, one behind the
 * other: of a node of that level those from first[n] to first[n + 1], in order. Where little is shared they take less
 * than edges do; the last level is always in the tail. */
struct diagram {
    struct level *levels;
    size_t level_count;
    size_t tail;
    uint32_t *first;
    uint8_t *rows;
    size_t node_count, row_count, row_bytes;
    uint32_t root;
    size_t count;
};

static void level_clear(struct level *level)
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

static size_t value_bytes(size_t width)
{
    return width > 256 ? 2 : 1;
}

static size_t edge_bytes(size_t width, bool many)
{
    return value_bytes(width) + sizeof(uint32_t) + (many ? sizeof(uint64_t) : sizeof(uint32_t));
}

size_t diagram_bytes(const struct diagram *diagram)
{
    size_t bytes = sizeof *diagram;
    for (size_t l = 0; l < diagram->level_count; l++) {
        const struct level *level = &diagram->levels[l];
        bytes += sizeof *level + level->width / 8 + 1;
        if (l < diagram->tail)
            bytes += (level->node_count + 1) * sizeof *level->first +
                     level->edge_count * edge_bytes(level->width, level->before_many);
    }
    return bytes + (diagram->node_count + 1) * sizeof *diagram->first + diagram->row_count * diagram->row_bytes;
}

static inline uint16_t edge_value(const struct level *level, size_t edge)
{
    return level->narrow ? level->narrow[edge] : level->wide[edge];
}

static inline uint64_t points_before(const struct level *level, size_t edge)
{
    return level->before ? level->before[edge] : level->before_many[edge];
}

/* The value of a level of the tail in a row. */
static inline uint16_t row_value(const struct diagram *diagram, size_t row, size_t l)
{
    const struct level *level = &diagram->levels[l];
    const uint8_t *at = diagram->rows + row * diagram->row_bytes + level->offset;
    uint16_t value;
    if (level->width <= 256)
        return *at;
    memcpy(&value, at, sizeof value);
    return value;
}

/* The edge of a node that has the value, or false. */
static bool find_edge(const struct level *level, uint32_t node, uint16_t value, size_t *edge)
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

/* The last edge of a node that has `index` points before it at most. */
static size_t edge_before(const struct level *level, uint32_t node, uint64_t index)
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
        const struct level *level = &diagram->levels[l];
        size_t edge = edge_before(level, node, left);
        left -= points_before(level, edge);
        put(frame, l, edge_value(level, edge), point);
        node = level->children[edge];
    }
    for (size_t l = diagram->tail; l < diagram->level_count; l++)
        put(frame, l, row_value(diagram, diagram->first[node] + left, l), point);
}

/* A point to look for in the tail; on one level with another value, if that is below the number of levels. */
struct wanted {
    const struct diagram *diagram;
    const struct diagram_frame *frame;
    const uint16_t *point;
    size_t other_level;
    uint16_t other;
};

/* Is the row less than, the same as, or greater than the point on the levels before `end`? */
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

/* The first of the rows that is not less than the point, or greater than it, on the levels before `end`. */
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

/* The way down from a node of level `l`; the number of points before it is added to `*index`. */
static bool descend(const struct diagram *diagram, const struct diagram_frame *frame, const uint16_t *point, size_t l,
                    uint32_t node, size_t *index)
{
    struct wanted wanted = {diagram, frame, point, diagram->level_count, 0};
    size_t edge, row;
    for (; l < diagram->tail; l++) {
        const struct level *level = &diagram->levels[l];
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

/* Edges beside each other often lead to one child: what is below it is looked for once. */
static void fill_line(const struct diagram *diagram, const struct diagram_frame *frame, const uint16_t *point,
                      size_t l, uint32_t node, size_t base, size_t *indices)
{
    const struct level *level = &diagram->levels[l];
    uint32_t child = DIAGRAM_DEAD;
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

/* The same on a level of the tail: among the rows with the same values before it those with each value there. */
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

/* The first row of a node that fits, or DIAGRAM_DEAD. */
static uint32_t first_row(const struct diagram *diagram, const uint16_t *wanted, size_t node)
{
    for (uint32_t row = diagram->first[node]; row < diagram->first[node + 1]; row++) {
        bool all = true;
        for (size_t l = diagram->tail; l < diagram->level_count && all; l++)
            all = fits(wanted, l, row_value(diagram, row, l));
        if (all)
            return row;
    }
    return DIAGRAM_DEAD;
}

/* The first edge of a node that fits and leads to where something fits, or DIAGRAM_DEAD. */
static uint32_t first_edge(const struct diagram *diagram, const uint16_t *wanted, size_t l, size_t node,
                           const uint32_t *below)
{
    const struct level *level = &diagram->levels[l];
    for (uint32_t e = level->first[node]; e < level->first[node + 1]; e++) {
        if (fits(wanted, l, edge_value(level, e)) && below[level->children[e]] != DIAGRAM_DEAD)
            return e;
    }
    return DIAGRAM_DEAD;
}

/* The first way on from each node, level by level from the tail: which row or edge, or that there is none. */
static bool first_ways(const struct diagram *diagram, const uint16_t *wanted, uint32_t **chosen)
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

bool diagram_first_with(const struct diagram *diagram, const uint16_t *wanted, size_t *index)
{
    *index = 0;
    if (diagram->count == 0 || diagram->level_count == 0)
        return diagram->count > 0;
    uint32_t **chosen = calloc(diagram->tail + 1, sizeof *chosen);
    uint32_t node = diagram->root;
    bool found = chosen && first_ways(diagram, wanted, chosen) && chosen[0][node] != DIAGRAM_DEAD;
    for (size_t l = 0; l < diagram->tail && found; l++) {
        uint32_t edge = chosen[l][node];
        *index += points_before(&diagram->levels[l], edge);
        node = diagram->levels[l].children[edge];
    }
    if (found)
        *index += chosen[diagram->tail][node] - diagram->first[node];
    for (size_t l = 0; l <= diagram->tail && chosen; l++)
        free(chosen[l]);
    free(chosen);
    return found;
}

/* Building */

struct growing {
    size_t width;
    uint16_t *values;
    uint32_t *children;
    size_t edge_count, edge_capacity;
    uint32_t *first; /* node_count + 1 of them */
    size_t node_count, node_capacity;
    uint32_t *table; /* open hash table of 1 + node */
    size_t table_capacity;
    bool last;
};

struct diagram_builder {
    struct growing *levels;
    size_t level_count;
};

struct diagram_builder *diagram_builder_create(const size_t *widths, size_t levels)
{
    struct diagram_builder *builder = calloc(1, sizeof *builder);
    if (!builder)
        return NULL;
    builder->levels = calloc(levels + 1, sizeof *builder->levels);
    if (!builder->levels) {
        free(builder);
        return NULL;
    }
    builder->level_count = levels;
    for (size_t l = 0; l < levels; l++) {
        builder->levels[l].width = widths[l];
        builder->levels[l].last = l + 1 == levels;
    }
    return builder;
}

static void growing_clear(struct growing *growing)
{
    free(growing->values);
    free(growing->children);
    free(growing->first);
    free(growing->table);
    *growing = (struct growing){.width = growing->width};
}

void diagram_builder_free(struct diagram_builder *builder)
{
    if (!builder)
        return;
    for (size_t l = 0; l < builder->level_count; l++)
        growing_clear(&builder->levels[l]);
    free(builder->levels);
    free(builder);
}

size_t diagram_builder_bytes(const struct diagram_builder *builder)
{
    size_t bytes = 0;
    for (size_t l = 0; l < builder->level_count; l++) {
        const struct growing *growing = &builder->levels[l];
        bytes +=
            growing->edge_capacity * (sizeof *growing->values + (growing->last ? 0 : sizeof *growing->children)) +
            growing->node_capacity * sizeof *growing->first + growing->table_capacity * sizeof *growing->table;
    }
    return bytes;
}

static uint64_t hash_edges(const struct growing *growing, const uint16_t *values, const uint32_t *children,
                           size_t count)
{
    uint64_t hash = XXH3_64bits(values, count * sizeof *values);
    return growing->last ? hash : XXH3_64bits_withSeed(children, count * sizeof *children, hash);
}

static bool same_edges(const struct growing *growing, size_t node, const uint16_t *values, const uint32_t *children,
                       size_t count)
{
    size_t first = growing->first[node];
    return growing->first[node + 1] - first == count &&
           memcmp(growing->values + first, values, count * sizeof *values) == 0 &&
           (growing->last || memcmp(growing->children + first, children, count * sizeof *children) == 0);
}

static bool grow_nodes(struct growing *growing)
{
    size_t capacity = growing->node_capacity ? growing->node_capacity + growing->node_capacity / 2 : 15;
    uint32_t *first = realloc(growing->first, (capacity + 1) * sizeof *first);
    if (!first)
        return false;
    first[0] = 0;
    growing->first = first;
    growing->node_capacity = capacity;
    return true;
}

static bool grow_edges(struct growing *growing, size_t wanted)
{
    size_t capacity = growing->edge_capacity + growing->edge_capacity / 2 + 16;
    if (capacity < wanted)
        capacity = wanted;
    uint16_t *values = realloc(growing->values, capacity * sizeof *values);
    if (!values)
        return false;
    growing->values = values;
    if (!growing->last) {
        uint32_t *children = realloc(growing->children, capacity * sizeof *children);
        if (!children)
            return false;
        growing->children = children;
    }
    growing->edge_capacity = capacity;
    return true;
}

static bool grow_unique(struct growing *growing)
{
    size_t capacity = growing->table_capacity ? 2 * growing->table_capacity : 32;
    uint32_t *table = calloc(capacity, sizeof *table);
    if (!table)
        return false;
    for (size_t node = 0; node < growing->node_count; node++) {
        size_t first = growing->first[node];
        size_t at = hash_edges(growing, growing->values + first, growing->last ? NULL : growing->children + first,
                               growing->first[node + 1] - first) &
                    (capacity - 1);
        while (table[at])
            at = (at + 1) & (capacity - 1);
        table[at] = (uint32_t)node + 1;
    }
    free(growing->table);
    growing->table = table;
    growing->table_capacity = capacity;
    return true;
}

bool diagram_builder_node(struct diagram_builder *builder, size_t level, const uint16_t *values,
                          const uint32_t *children, size_t count, uint32_t *node)
{
    struct growing *growing = &builder->levels[level];
    *node = DIAGRAM_DEAD;
    if (count == 0)
        return true;
    if (4 * growing->node_count >= 3 * growing->table_capacity && !grow_unique(growing))
        return false;
    size_t at = hash_edges(growing, values, children, count) & (growing->table_capacity - 1);
    for (; growing->table[at]; at = (at + 1) & (growing->table_capacity - 1)) {
        if (same_edges(growing, growing->table[at] - 1, values, children, count)) {
            *node = growing->table[at] - 1;
            return true;
        }
    }
    if (growing->edge_count + count >= UINT32_MAX)
        return false;
    if ((growing->node_count == growing->node_capacity && !grow_nodes(growing)) ||
        (growing->edge_count + count > growing->edge_capacity && !grow_edges(growing, growing->edge_count + count)))
        return false;
    memcpy(growing->values + growing->edge_count, values, count * sizeof *values);
    if (!growing->last)
        memcpy(growing->children + growing->edge_count, children, count * sizeof *children);
    growing->edge_count += count;
    *node = (uint32_t)growing->node_count++;
    growing->first[growing->node_count] = (uint32_t)growing->edge_count;
    growing->table[at] = *node + 1;
    return true;
}

double diagram_builder_count(const struct diagram_builder *builder, uint32_t root)
{
    double *below = NULL, count = builder->level_count ? 0 : 1;
    if (root == DIAGRAM_DEAD)
        return 0;
    for (size_t l = builder->level_count; l-- > 0;) {
        const struct growing *growing = &builder->levels[l];
        double *counts = calloc(growing->node_count + 1, sizeof *counts);
        if (!counts) {
            free(below);
            return -1;
        }
        for (size_t node = 0; node < growing->node_count; node++) {
            for (size_t e = growing->first[node]; e < growing->first[node + 1]; e++)
                counts[node] += growing->last ? 1 : below[growing->children[e]];
        }
        free(below);
        below = counts;
    }
    if (below)
        count = below[root];
    free(below);
    return count;
}

/* What finishing a diagram needs to know of a level. */
struct measure {
    double rows; /* of its nodes together, if it were the first of the tail */
    bool many;   /* points below one of its nodes than 32 bits hold */
};

static bool measure_level(const struct growing *growing, struct measure *measure, uint64_t **below)
{
    uint64_t *counts = calloc(growing->node_count + 1, sizeof *counts);
    if (!counts)
        return false;
    *measure = (struct measure){0};
    for (size_t node = 0; node < growing->node_count; node++) {
        for (size_t e = growing->first[node]; e < growing->first[node + 1]; e++)
            counts[node] += growing->last ? 1 : (*below)[growing->children[e]];
        measure->rows += (double)counts[node];
        measure->many = measure->many || counts[node] > UINT32_MAX;
    }
    free(*below);
    *below = counts;
    return true;
}

/* The first level of the tail: where the whole takes the fewest bytes. */
static size_t choose_tail(const struct diagram_builder *builder, const struct measure *measures)
{
    size_t best = builder->level_count - 1;
    double above = 0, least = INFINITY, row_bytes = 0;
    for (size_t l = 0; l < builder->level_count; l++)
        row_bytes += (double)value_bytes(builder->levels[l].width);
    for (size_t l = 0; l < builder->level_count; l++) {
        const struct growing *growing = &builder->levels[l];
        double nodes = (double)(growing->node_count * sizeof *growing->first);
        double bytes = above + nodes + measures[l].rows * row_bytes;
        if (bytes <= least && measures[l].rows < UINT32_MAX) {
            least = bytes;
            best = l;
        }
        above += nodes + (double)(growing->edge_count * edge_bytes(growing->width, measures[l].many));
        row_bytes -= (double)value_bytes(growing->width);
    }
    return best;
}

/* The numbers of points of a level's nodes from those of the next. */
static bool number_edges(const struct growing *growing, struct level *level, bool many, const uint64_t *below,
                         uint64_t *counts)
{
    void *numbers = malloc((growing->edge_count + 1) * (many ? sizeof *level->before_many : sizeof *level->before));
    if (!numbers)
        return false;
    if (many)
        level->before_many = numbers;
    else
        level->before = numbers;
    for (size_t node = 0; node < growing->node_count; node++) {
        for (size_t e = growing->first[node]; e < growing->first[node + 1]; e++) {
            if (many)
                level->before_many[e] = counts[node];
            else
                level->before[e] = (uint32_t)counts[node];
            counts[node] += below[growing->children[e]];
        }
    }
    return true;
}

/* Values in the fewest bytes. */
static bool take_values(struct growing *growing, struct level *level)
{
    if (growing->width > 256) {
        uint16_t *fitting = realloc(growing->values, (growing->edge_count + 1) * sizeof *fitting);
        level->wide = fitting ? fitting : growing->values;
        growing->values = NULL;
        return true;
    }
    level->narrow = malloc(growing->edge_count + 1);
    if (!level->narrow)
        return false;
    for (size_t e = 0; e < growing->edge_count; e++)
        level->narrow[e] = (uint8_t)growing->values[e];
    return true;
}

static bool note_alive(const struct growing *growing, struct level *level)
{
    level->width = growing->width;
    level->alive = calloc(growing->width / 8 + 1, 1);
    for (size_t e = 0; e < growing->edge_count && level->alive; e++)
        level->alive[growing->values[e] / 8] |= (uint8_t)(1 << growing->values[e] % 8);
    return level->alive != NULL;
}

static void fit(uint32_t **items, size_t count)
{
    uint32_t *fitting = realloc(*items, (count + 1) * sizeof *fitting);
    if (fitting)
        *items = fitting;
}

/* A level before the tail; `*below` has the numbers of points of the next level's nodes, and then of its own. */
static bool finish_level(struct growing *growing, struct level *level, bool many, uint64_t **below)
{
    uint64_t *counts = calloc(growing->node_count + 1, sizeof *counts);
    if (!counts)
        return false;
    level->node_count = growing->node_count;
    level->edge_count = growing->edge_count;
    bool done = number_edges(growing, level, many, *below, counts);
    free(*below);
    *below = counts;
    if (!done || !take_values(growing, level))
        return false;
    if (growing->first)
        fit(&growing->first, growing->node_count);
    level->first = growing->first;
    growing->first = NULL;
    fit(&growing->children, growing->edge_count);
    level->children = growing->children;
    growing->children = NULL;
    growing_clear(growing);
    return true;
}

/* The rows of a node of level `l`, whose values before are in `row`. */
static void write_rows(const struct diagram_builder *builder, struct diagram *diagram, size_t l, uint32_t node,
                       uint8_t *row)
{
    const struct growing *growing = &builder->levels[l];
    size_t bytes = value_bytes(growing->width);
    uint8_t *at = row + diagram->levels[l].offset;
    for (size_t e = growing->first[node]; e < growing->first[node + 1]; e++) {
        uint8_t narrow = (uint8_t)growing->values[e];
        memcpy(at, bytes == 1 ? (const void *)&narrow : (const void *)&growing->values[e], bytes);
        if (growing->last)
            memcpy(diagram->rows + diagram->row_count++ * diagram->row_bytes, row, diagram->row_bytes);
        else
            write_rows(builder, diagram, l + 1, growing->children[e], row);
    }
}

static bool finish_tail(struct diagram_builder *builder, struct diagram *diagram, double rows, uint64_t **below)
{
    struct growing *growing = &builder->levels[diagram->tail];
    for (size_t l = diagram->tail; l < diagram->level_count; l++) {
        diagram->levels[l].offset = diagram->row_bytes;
        diagram->row_bytes += value_bytes(builder->levels[l].width);
    }
    uint8_t *row = malloc(diagram->row_bytes);
    diagram->rows = malloc((size_t)rows * diagram->row_bytes + 1);
    diagram->first = malloc((growing->node_count + 1) * sizeof *diagram->first);
    *below = calloc(growing->node_count + 1, sizeof **below);
    bool done = row && diagram->rows && diagram->first && *below;
    for (size_t node = 0; node < growing->node_count && done; node++) {
        diagram->first[node] = (uint32_t)diagram->row_count;
        write_rows(builder, diagram, diagram->tail, (uint32_t)node, row);
        (*below)[node] = diagram->row_count - diagram->first[node];
    }
    if (done)
        diagram->first[growing->node_count] = (uint32_t)diagram->row_count;
    diagram->node_count = growing->node_count;
    free(row);
    for (size_t l = diagram->tail; l < diagram->level_count; l++)
        growing_clear(&builder->levels[l]);
    return done;
}

static bool finish_levels(struct diagram_builder *builder, struct diagram *diagram, struct measure *measures,
                          uint64_t **below)
{
    bool done = true;
    for (size_t l = builder->level_count; l-- > 0 && done;) {
        struct growing *growing = &builder->levels[l];
        free(growing->table); /* before more is allocated */
        growing->table = NULL;
        done = note_alive(growing, &diagram->levels[l]) && measure_level(growing, &measures[l], below);
    }
    free(*below);
    *below = NULL;
    if (!done || builder->level_count == 0)
        return done;
    diagram->tail = choose_tail(builder, measures);
    done = finish_tail(builder, diagram, measures[diagram->tail].rows, below);
    for (size_t l = diagram->tail; l-- > 0 && done;)
        done = finish_level(&builder->levels[l], &diagram->levels[l], measures[l].many, below);
    return done;
}

struct diagram *diagram_builder_finish(struct diagram_builder *builder, uint32_t root)
{
    uint64_t *below = NULL;
    struct diagram *diagram = calloc(1, sizeof *diagram);
    struct measure *measures = calloc(builder->level_count + 1, sizeof *measures);
    bool done = diagram && measures;
    if (done) {
        diagram->level_count = builder->level_count;
        diagram->levels = calloc(builder->level_count + 1, sizeof *diagram->levels);
        done = diagram->levels && finish_levels(builder, diagram, measures, &below);
    }
    if (done) {
        diagram->root = root == DIAGRAM_DEAD ? 0 : root;
        diagram->count = root == DIAGRAM_DEAD ? 0 : below ? (size_t)below[root] : 1;
    }
    free(below);
    free(measures);
    if (!done) {
        if (diagram && !diagram->levels)
            diagram->level_count = 0;
        diagram_free(diagram);
        return NULL;
    }
    return diagram;
}

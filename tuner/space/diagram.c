#include "tuner/space/diagram.h"

#include <stdlib.h>
#include <string.h>

#include <xxhash.h>

/* Of the edges of node n, those from first[n] to first[n + 1]. The last level has neither children nor numbers: each
 * of its edges is one point. */
struct level {
    size_t width;
    size_t node_count, edge_count;
    uint32_t *first;
    uint8_t *narrow; /* values, where a byte holds them */
    uint16_t *wide;  /* or else */
    uint32_t *children;
    uint32_t *before; /* points before an edge, where 32 bits hold them */
    uint64_t *before_many;
    uint8_t *alive; /* by value */
};

struct diagram {
    struct level *levels;
    size_t level_count;
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
    return diagram->levels[level].alive[value];
}

size_t diagram_bytes(const struct diagram *diagram)
{
    size_t bytes = sizeof *diagram;
    for (size_t l = 0; l < diagram->level_count; l++) {
        const struct level *level = &diagram->levels[l];
        size_t edge = level->narrow ? 1 : 2;
        if (level->children)
            edge += sizeof *level->children;
        if (level->before)
            edge += sizeof *level->before;
        if (level->before_many)
            edge += sizeof *level->before_many;
        bytes +=
            sizeof *level + level->width + (level->node_count + 1) * sizeof *level->first + edge * level->edge_count;
    }
    return bytes;
}

static inline uint16_t edge_value(const struct level *level, size_t edge)
{
    return level->narrow ? level->narrow[edge] : level->wide[edge];
}

static inline uint64_t points_before(const struct level *level, size_t edge)
{
    return level->before ? level->before[edge] : level->before_many[edge];
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
    for (size_t l = 0; l < diagram->level_count; l++) {
        const struct level *level = &diagram->levels[l];
        if (!level->children) {
            put(frame, l, edge_value(level, level->first[node] + left), point);
            break;
        }
        size_t edge = edge_before(level, node, left);
        left -= points_before(level, edge);
        put(frame, l, edge_value(level, edge), point);
        node = level->children[edge];
    }
}

/* The way down from a node of level `l`; the number of points before it is added to `*index`. */
static bool descend(const struct diagram *diagram, const struct diagram_frame *frame, const uint16_t *point, size_t l,
                    uint32_t node, size_t *index)
{
    for (; l < diagram->level_count; l++) {
        const struct level *level = &diagram->levels[l];
        size_t edge;
        if (!find_edge(level, node, get(frame, l, point), &edge))
            return false;
        if (!level->children) {
            *index += edge - level->first[node];
            break;
        }
        *index += points_before(level, edge);
        node = level->children[edge];
    }
    return true;
}

bool diagram_find(const struct diagram *diagram, const struct diagram_frame *frame, const uint16_t *point,
                  size_t *index)
{
    *index = 0;
    return diagram->count > 0 && descend(diagram, frame, point, 0, diagram->root, index);
}

/* Edges beside each other often lead to one child: what is below it is looked for once. */
static void fill_line(const struct diagram *diagram, const struct diagram_frame *frame, const uint16_t *point,
                      size_t l, uint32_t node, size_t base, size_t *indices)
{
    const struct level *level = &diagram->levels[l];
    const uint16_t *coordinates = frame->coordinates_of ? frame->coordinates_of[l] : NULL;
    uint32_t child = DIAGRAM_DEAD;
    bool found = true;
    size_t below = 0;
    for (size_t edge = level->first[node]; edge < level->first[node + 1]; edge++) {
        uint16_t value = edge_value(level, edge);
        size_t *index = &indices[coordinates ? coordinates[value] : value];
        if (!level->children) {
            *index = base + (edge - level->first[node]);
            continue;
        }
        if (level->children[edge] != child) {
            child = level->children[edge];
            below = 0;
            found = descend(diagram, frame, point, l + 1, child, &below);
        }
        if (found)
            *index = base + points_before(level, edge) + below;
    }
}

void diagram_line(const struct diagram *diagram, const struct diagram_frame *frame, const uint16_t *point,
                  size_t level, size_t base, size_t *indices)
{
    uint32_t node = diagram->root;
    size_t edge;
    for (size_t l = 0; l < level; l++) {
        if (diagram->count == 0 || !find_edge(&diagram->levels[l], node, get(frame, l, point), &edge))
            return;
        base += points_before(&diagram->levels[l], edge);
        node = diagram->levels[l].children[edge];
    }
    if (diagram->count > 0)
        fill_line(diagram, frame, point, level, node, base, indices);
}

/* The first way on from each node, level by level from the last: which edge, or that there is none. */
static bool first_edges(const struct diagram *diagram, const uint16_t *wanted, uint32_t **chosen)
{
    for (size_t l = diagram->level_count; l-- > 0;) {
        const struct level *level = &diagram->levels[l];
        chosen[l] = malloc((level->node_count + 1) * sizeof **chosen);
        if (!chosen[l])
            return false;
        for (size_t node = 0; node < level->node_count; node++) {
            chosen[l][node] = DIAGRAM_DEAD;
            for (uint32_t e = level->first[node]; e < level->first[node + 1]; e++) {
                bool fits = wanted[l] == DIAGRAM_NO_VALUE || edge_value(level, e) == wanted[l];
                if (fits && (!level->children || chosen[l + 1][level->children[e]] != DIAGRAM_DEAD)) {
                    chosen[l][node] = e;
                    break;
                }
            }
        }
    }
    return true;
}

bool diagram_first_with(const struct diagram *diagram, const uint16_t *wanted, size_t *index)
{
    uint32_t **chosen = calloc(diagram->level_count + 1, sizeof *chosen);
    uint32_t node = diagram->root;
    bool found = chosen && diagram->count > 0 && first_edges(diagram, wanted, chosen);
    *index = 0;
    for (size_t l = 0; l < diagram->level_count && found; l++) {
        const struct level *level = &diagram->levels[l];
        uint32_t edge = chosen[l][node];
        found = edge != DIAGRAM_DEAD;
        if (!found)
            break;
        *index += level->children ? points_before(level, edge) : edge - level->first[node];
        node = level->children ? level->children[edge] : 0;
    }
    for (size_t l = 0; l < diagram->level_count && chosen; l++)
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

/* The numbers of points of a level's nodes, from those of the next; both are freed by the caller. */
static bool number_edges(const struct growing *growing, struct level *level, const uint64_t *below, uint64_t *counts)
{
    bool many = false;
    level->before_many = calloc(growing->edge_count + 1, sizeof *level->before_many);
    if (!level->before_many)
        return false;
    for (size_t node = 0; node < growing->node_count; node++) {
        for (size_t e = growing->first[node]; e < growing->first[node + 1]; e++) {
            level->before_many[e] = counts[node];
            counts[node] += below[growing->children[e]];
        }
        many = many || counts[node] > UINT32_MAX;
    }
    if (many)
        return true;
    level->before = malloc((growing->edge_count + 1) * sizeof *level->before);
    if (!level->before)
        return false;
    for (size_t e = 0; e < growing->edge_count; e++)
        level->before[e] = (uint32_t)level->before_many[e];
    free(level->before_many);
    level->before_many = NULL;
    return true;
}

/* Values in the fewest bytes; notes those that are alive. */
static bool take_values(struct growing *growing, struct level *level)
{
    level->alive = calloc(growing->width + 1, 1);
    if (!level->alive)
        return false;
    for (size_t e = 0; e < growing->edge_count; e++)
        level->alive[growing->values[e]] = 1;
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

static void fit(uint32_t **items, size_t count)
{
    uint32_t *fitting = realloc(*items, (count + 1) * sizeof *fitting);
    if (fitting)
        *items = fitting;
}

static bool finish_level(struct growing *growing, struct level *level, uint64_t **below)
{
    uint64_t *counts = calloc(growing->node_count + 1, sizeof *counts);
    if (!counts)
        return false;
    level->width = growing->width;
    level->node_count = growing->node_count;
    level->edge_count = growing->edge_count;
    bool done = true;
    if (growing->last) {
        for (size_t node = 0; node < growing->node_count; node++)
            counts[node] = growing->first[node + 1] - growing->first[node];
    } else {
        done = number_edges(growing, level, *below, counts);
    }
    free(*below);
    *below = counts;
    if (!done || !take_values(growing, level))
        return false;
    if (growing->first)
        fit(&growing->first, growing->node_count);
    level->first = growing->first;
    growing->first = NULL;
    if (!growing->last) {
        fit(&growing->children, growing->edge_count);
        level->children = growing->children;
        growing->children = NULL;
    }
    growing_clear(growing);
    return true;
}

struct diagram *diagram_builder_finish(struct diagram_builder *builder, uint32_t root)
{
    uint64_t *below = NULL;
    struct diagram *diagram = calloc(1, sizeof *diagram);
    if (diagram)
        diagram->levels = calloc(builder->level_count + 1, sizeof *diagram->levels);
    if (!diagram || !diagram->levels) {
        free(diagram);
        return NULL;
    }
    diagram->level_count = builder->level_count;
    for (size_t l = builder->level_count; l-- > 0;) {
        struct growing *growing = &builder->levels[l];
        free(growing->table); /* before more is allocated */
        growing->table = NULL;
    }
    for (size_t l = builder->level_count; l-- > 0;) {
        if (!finish_level(&builder->levels[l], &diagram->levels[l], &below)) {
            free(below);
            diagram_free(diagram);
            return NULL;
        }
    }
    diagram->root = root == DIAGRAM_DEAD ? 0 : root;
    diagram->count = root == DIAGRAM_DEAD ? 0 : below ? (size_t)below[root] : 1;
    free(below);
    return diagram;
}

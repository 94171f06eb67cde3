/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/space/diagram_pack.h"

#include "tuner/space/diagram_layout.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* What laying out a level depends on. */
struct measure {
    double rows; /* in all, if the tail began here */
    bool many;   /* does a node have more points than 32 bits hold? */
};

static bool measure_level(const struct diagram_growing *growing, struct measure *measure, uint64_t **below)
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

/* The first level of the tail, chosen so that the whole takes the fewest bytes. */
static size_t choose_tail(const struct diagram_builder *builder, const struct measure *measures)
{
    size_t best = builder->level_count - 1;
    double above = 0, least = INFINITY, row_bytes = 0;
    for (size_t l = 0; l < builder->level_count; l++)
        row_bytes += (double)diagram_value_bytes(builder->levels[l].width);
    for (size_t l = 0; l < builder->level_count; l++) {
        const struct diagram_growing *growing = &builder->levels[l];
        double nodes = (double)(growing->node_count * sizeof *growing->first);
        double bytes = above + nodes + measures[l].rows * row_bytes;
        if (bytes <= least && measures[l].rows < UINT32_MAX) {
            least = bytes;
            best = l;
        }
        above += nodes + (double)(growing->edge_count * diagram_edge_bytes(growing->width, measures[l].many));
        row_bytes -= (double)diagram_value_bytes(growing->width);
    }
    return best;
}

/* Number the points before each edge, and count those of each node, from the counts of the next level. */
static bool number_edges(const struct diagram_growing *growing, struct diagram_level *level, bool many,
                         const uint64_t *below, uint64_t *counts)
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

/* Store the values in as few bytes as they need. */
static bool take_values(struct diagram_growing *growing, struct diagram_level *level)
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

static bool note_alive(const struct diagram_growing *growing, struct diagram_level *level)
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

/* A level before the tail. `*below` has the point counts of the next level's nodes, and afterwards those of its own.
 */
static bool finish_level(struct diagram_growing *growing, struct diagram_level *level, bool many, uint64_t **below)
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
    diagram_growing_clear(growing);
    return true;
}

/* Write the rows of a node of level `l`; `row` has the values of the levels before. */
static void write_rows(const struct diagram_builder *builder, struct diagram *diagram, size_t l, uint32_t node,
                       uint8_t *row)
{
    const struct diagram_growing *growing = &builder->levels[l];
    size_t bytes = diagram_value_bytes(growing->width);
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
    struct diagram_growing *growing = &builder->levels[diagram->tail];
    for (size_t l = diagram->tail; l < diagram->level_count; l++) {
        diagram->levels[l].offset = diagram->row_bytes;
        diagram->row_bytes += diagram_value_bytes(builder->levels[l].width);
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
        diagram_growing_clear(&builder->levels[l]);
    return done;
}

static bool finish_levels(struct diagram_builder *builder, struct diagram *diagram, struct measure *measures,
                          uint64_t **below)
{
    bool done = true;
    for (size_t l = builder->level_count; l-- > 0 && done;) {
        struct diagram_growing *growing = &builder->levels[l];
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

struct diagram *diagram_pack(struct diagram_builder *builder, uint32_t root)
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

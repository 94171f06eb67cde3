/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/search/design.h"

#include "tuner/search/cover.h"
#include "tuner/search/radical_inverse.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    CUBES_COMPARED = 8,
    POINTS_COMPARED = 128, /* larger cubes are not compared: it would take longer than an evaluation */
    NEAR_STEPS = 2,        /* from the prior */
};

static const double near_locality = 3; /* of these steps: three in four are to the next value */

struct design {
    enum design_kind kind;
    const struct moves *moves;
    const size_t *priors;
    size_t prior_count, next_prior;
    uint16_t *point;
    /* Latin hypercube: a permutation of 0 .. size - 1 per dimension */
    size_t size, next;
    uint32_t *cube, *best;
    uint64_t number, seed; /* of points so far; of the Halton sequence */
    size_t near;           /* points still to come of which every other is near the prior */
    struct cover *cover;   /* NULL unless representatives are wanted */
};

static void shuffle_cube(struct design *design)
{
    struct generator *generator = design->moves->generator;
    for (size_t d = 0; d < design->moves->dimensions; d++) {
        uint32_t *parts = design->cube + d * design->size;
        for (size_t i = 0; i < design->size; i++) {
            size_t j = generator_below(generator, i + 1);
            parts[i] = parts[j];
            parts[j] = (uint32_t)i;
        }
    }
}

/* The squared distance of the cube's closest two points. */
static double least_distance(const struct design *design)
{
    double least = INFINITY;
    for (size_t i = 1; i < design->size; i++) {
        for (size_t j = 0; j < i; j++) {
            double sum = 0;
            for (size_t d = 0; d < design->moves->dimensions; d++) {
                const uint32_t *parts = design->cube + d * design->size;
                double apart = (double)parts[i] - (double)parts[j];
                sum += design->moves->positions[d] > 1 ? apart * apart : 0;
            }
            least = sum < least ? sum : least;
        }
    }
    return least;
}

static void choose_cube(struct design *design)
{
    double farthest = -1;
    int cubes = design->size > POINTS_COMPARED ? 1 : CUBES_COMPARED;
    size_t bytes = design->moves->dimensions * design->size * sizeof *design->cube;
    for (int i = 0; i < cubes; i++) {
        shuffle_cube(design);
        double apart = cubes > 1 ? least_distance(design) : 0;
        if (apart > farthest) {
            farthest = apart;
            memcpy(design->best, design->cube, bytes);
        }
    }
    memcpy(design->cube, design->best, bytes);
}

struct design *design_create(enum design_kind kind, size_t size, const struct strategy_setup *setup,
                             const struct moves *moves)
{
    struct design *design = calloc(1, sizeof *design);
    if (!design)
        return NULL;
    *design = (struct design){.kind = kind,
                              .moves = moves,
                              .priors = setup->priors,
                              .prior_count = setup->prior_count,
                              .size = size,
                              .seed = generator_next(moves->generator)};
    bool has_cube = kind == DESIGN_LATIN || kind == DESIGN_COVER;
    size_t parts = has_cube ? moves->dimensions * size : 0;
    design->point = calloc(moves->dimensions + 1, sizeof *design->point);
    design->cube = calloc(parts + 1, sizeof *design->cube);
    design->best = calloc(parts + 1, sizeof *design->best);
    if (kind == DESIGN_COVER)
        design->cover = cover_create(moves->space, moves->generator);
    if (!design->point || !design->cube || !design->best || (kind == DESIGN_COVER && !design->cover)) {
        design_free(design);
        return NULL;
    }
    if (has_cube)
        choose_cube(design);
    if (design->cover && setup->prior_count == 1 && !cover_is_union(design->cover))
        design->near = DESIGN_NEAR;
    return design;
}

void design_free(struct design *design)
{
    if (!design)
        return;
    free(design->point);
    free(design->cube);
    free(design->best);
    cover_free(design->cover);
    free(design);
}

/* Maps 0 <= where < 1 to a position. */
static uint16_t position_at(const struct design *design, size_t dimension, double where)
{
    size_t count = design->moves->positions[dimension], position = (size_t)(where * (double)count);
    return (uint16_t)(position < count ? position : count - 1);
}

static void latin_point(struct design *design)
{
    if (design->next == design->size) {
        shuffle_cube(design);
        design->next = 0;
    }
    for (size_t d = 0; d < design->moves->dimensions; d++) {
        double within = generator_real(design->moves->generator);
        double part = design->cube[d * design->size + design->next];
        design->point[d] = position_at(design, d, (part + within) / (double)design->size);
    }
    design->next++;
}

static void halton_point(struct design *design)
{
    uint64_t base = 1;
    for (size_t d = 0; d < design->moves->dimensions; d++) {
        design->point[d] = 0;
        if (design->moves->positions[d] < 2)
            continue;
        base = prime_above(base);
        design->point[d] = position_at(design, d, radical_inverse(design->number, base, design->seed));
    }
    design->number++;
}

static size_t next_prior(struct design *design)
{
    size_t index = design->priors[design->next_prior++];
    if (design->cover)
        cover_take(design->cover, index);
    return index;
}

/* False: there is no such step. */
static bool near_point(struct design *design, size_t *index)
{
    *index = design->priors[0];
    for (int i = 0; i < NEAR_STEPS; i++) {
        if (!moves_step(design->moves, *index, near_locality, index))
            return false;
    }
    cover_take(design->cover, *index);
    return true;
}

static bool is_turn_of_cover(struct design *design)
{
    uint64_t number = design->number++;
    return number < cover_kinds(design->cover) || number % 2 == 0;
}

size_t design_next(struct design *design)
{
    size_t index;
    if (design->next_prior < design->prior_count)
        return next_prior(design);
    if (design->near > 0 && design->near-- % 2 == 0 && near_point(design, &index))
        return index;
    if (design->kind == DESIGN_COVER && is_turn_of_cover(design) && cover_next(design->cover, &index))
        return index;
    if (design->kind == DESIGN_RANDOM)
        return generator_below(design->moves->generator, search_space_count(design->moves->space));
    if (design->kind == DESIGN_HALTON)
        halton_point(design);
    else
        latin_point(design);
    index = moves_repair(design->moves, design->point);
    if (design->cover)
        cover_take(design->cover, index);
    return index;
}

size_t design_kinds(const struct design *design)
{
    return design->cover ? cover_kinds(design->cover) : 0;
}

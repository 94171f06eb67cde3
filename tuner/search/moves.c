/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/search/moves.h"

#include "tuner/search/ordinal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    STEP_TRIES = 64,   /* to find a valid neighbour */
    SINGLE_TRIES = 4,  /* of these before every other try changes two parameters */
    REPAIR_TRIES = 16, /* points next to an invalid one that are looked at */
    REPAIR_STARTS = 4, /* random configurations, the nearest of which moves towards the point if those fail */
    PAIR_TRIES = 32,   /* pairs of parameters changed at once */
};

bool moves_create(struct moves *moves, const struct search_space *space, struct generator *generator)
{
    size_t dimensions = search_space_dimensions(space);
    *moves = (struct moves){.space = space, .generator = generator, .dimensions = dimensions};
    moves->positions = calloc(dimensions + 1, sizeof *moves->positions);
    moves->numbers = calloc(dimensions + 1, sizeof *moves->numbers);
    moves->variable = calloc(dimensions + 1, sizeof *moves->variable);
    moves->order = calloc(dimensions + 1, sizeof *moves->order);
    moves->point = calloc(dimensions + 1, sizeof *moves->point);
    moves->other = calloc(dimensions + 1, sizeof *moves->other);
    if (!moves->positions || !moves->numbers || !moves->variable || !moves->order || !moves->point || !moves->other)
        return false;
    for (size_t d = 0; d < dimensions; d++) {
        moves->order[d] = d;
        moves->positions[d] = search_space_positions(space, d);
        moves->numbers[d] = ordinal_positions(space, d);
        if (moves->positions[d] > 1)
            moves->variable[moves->variable_count++] = d;
    }
    return true;
}

void moves_clear(struct moves *moves)
{
    free(moves->positions);
    free(moves->numbers);
    free(moves->variable);
    free(moves->order);
    free(moves->point);
    free(moves->other);
}

size_t moves_distance(const struct moves *moves, size_t dimension, uint16_t a, uint16_t b)
{
    size_t numbers = moves->numbers[dimension];
    if (a >= numbers || b >= numbers)
        return a != b;
    return a < b ? (size_t)(b - a) : (size_t)(a - b);
}

/* The length of an ordinal step, 1 to `most`: inverse transform sampling of the power law's continuous form. */
static size_t step_length(const struct moves *moves, size_t most, double locality)
{
    double u = generator_real(moves->generator), end = (double)most + 1, length;
    if (fabs(locality - 1) < 1e-6)
        length = pow(end, u);
    else
        length = pow(1 + u * (pow(end, 1 - locality) - 1), 1 / (1 - locality));
    size_t whole = (size_t)length;
    return whole < 1 ? 1 : whole > most ? most : whole;
}

uint16_t moves_other_position(const struct moves *moves, size_t dimension, uint16_t position, double locality)
{
    size_t count = moves->positions[dimension], numbers = moves->numbers[dimension];
    if (position >= numbers || numbers == 1) {
        size_t other = generator_below(moves->generator, count - 1);
        return (uint16_t)(other + (other >= position));
    }
    if (numbers < count && generator_below(moves->generator, count) == 0)
        return (uint16_t)numbers; /* not set */
    size_t below = position, above = numbers - 1 - position;
    size_t length = step_length(moves, below > above ? below : above, locality);
    bool down = length > above || (length <= below && generator_below(moves->generator, 2) == 0);
    return (uint16_t)(down ? position - length : position + length);
}

/* The configuration at a point; *index is left alone if there is none. */
static bool find(const struct moves *moves, const uint16_t *point, size_t *index)
{
    size_t found;
    if (!search_space_find(moves->space, point, &found))
        return false;
    *index = found;
    return true;
}

/* A parameter's position before it was changed. */
struct undo {
    size_t dimension;
    uint16_t position;
};

/* Changes a random parameter of moves->point. */
static struct undo change_one(const struct moves *moves, double locality)
{
    size_t d = moves->variable[generator_below(moves->generator, moves->variable_count)];
    struct undo undo = {d, moves->point[d]};
    moves->point[d] = moves_other_position(moves, d, undo.position, locality);
    return undo;
}

bool moves_step(const struct moves *moves, size_t from, double locality, size_t *to)
{
    search_space_point(moves->space, from, moves->point);
    for (int i = 0; i < STEP_TRIES && moves->variable_count > 0; i++) {
        struct undo first = change_one(moves, locality), second = first;
        if (i >= SINGLE_TRIES && i % 2)
            second = change_one(moves, locality);
        if (find(moves, moves->point, to) && *to != from)
            return true;
        moves->point[second.dimension] = second.position;
        moves->point[first.dimension] = first.position;
    }
    return false;
}

static void shuffle(const struct moves *moves)
{
    for (size_t i = moves->dimensions; i > 1; i--) {
        size_t j = generator_below(moves->generator, i), d = moves->order[i - 1];
        moves->order[i - 1] = moves->order[j];
        moves->order[j] = d;
    }
}

/* Changes every parameter that can be changed alone; `point` is valid, with index *at, before and after. */
static bool change_singles(const struct moves *moves, uint16_t *point, const uint16_t *wanted, size_t *at)
{
    bool changed = false;
    for (size_t i = 0; i < moves->dimensions; i++) {
        size_t d = moves->order[i];
        uint16_t own = point[d];
        if (own == wanted[d])
            continue;
        point[d] = wanted[d];
        if (find(moves, point, at))
            changed = true;
        else
            point[d] = own;
    }
    return changed;
}

/* Changes two parameters at once that cannot be changed alone, such as the factors of a fixed product. */
static bool change_pair(const struct moves *moves, uint16_t *point, const uint16_t *wanted, size_t *at)
{
    int tries = 0;
    for (size_t i = 0; i < moves->dimensions; i++) {
        size_t d = moves->order[i];
        uint16_t first = point[d];
        for (size_t j = 0; j < i && first != wanted[d]; j++) {
            size_t e = moves->order[j];
            uint16_t second = point[e];
            if (second == wanted[e])
                continue;
            if (tries++ == PAIR_TRIES)
                return false;
            point[d] = wanted[d];
            point[e] = wanted[e];
            if (find(moves, point, at))
                return true;
            point[d] = first;
            point[e] = second;
        }
    }
    return false;
}

size_t moves_towards(const struct moves *moves, size_t from, const uint16_t *wanted)
{
    size_t at = from;
    uint16_t *point = moves->point;
    if (find(moves, wanted, &at))
        return at;
    search_space_point(moves->space, from, point);
    shuffle(moves);
    /* terminates: each round sets at least one more parameter to its wanted value */
    while (change_singles(moves, point, wanted, &at) || change_pair(moves, point, wanted, &at)) {
    }
    return at;
}

/* The sum over dimensions, each relative to its extent. */
static double distance(const struct moves *moves, const uint16_t *a, const uint16_t *b)
{
    double sum = 0;
    for (size_t d = 0; d < moves->dimensions; d++) {
        size_t numbers = moves->numbers[d];
        bool ordinal = numbers > 1 && a[d] < numbers && b[d] < numbers;
        sum += (double)moves_distance(moves, d, a[d], b[d]) / (ordinal ? (double)numbers - 1 : 1);
    }
    return sum;
}

/* The nearest to a point of a few random configurations. */
static size_t nearest_start(const struct moves *moves, const uint16_t *point)
{
    size_t nearest = 0;
    double least = INFINITY;
    for (int i = 0; i < REPAIR_STARTS; i++) {
        size_t index = generator_below(moves->generator, search_space_count(moves->space));
        search_space_point(moves->space, index, moves->point);
        double apart = distance(moves, moves->point, point);
        if (apart < least) {
            least = apart;
            nearest = index;
        }
    }
    return nearest;
}

size_t moves_repair(const struct moves *moves, const uint16_t *point)
{
    size_t index;
    if (find(moves, point, &index))
        return index;
    memcpy(moves->other, point, moves->dimensions * sizeof *point);
    for (int i = 0; i < REPAIR_TRIES && moves->variable_count > 0; i++) {
        size_t d = moves->variable[generator_below(moves->generator, moves->variable_count)];
        moves->other[d] = moves_other_position(moves, d, point[d], 2);
        if (find(moves, moves->other, &index))
            return index;
        moves->other[d] = point[d];
    }
    return moves_towards(moves, nearest_start(moves, point), point);
}

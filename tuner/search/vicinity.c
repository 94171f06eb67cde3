/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/search/vicinity.h"

#include <math.h>
#include <stdlib.h>

enum {
    CHANGES_MOST = 32,    /* per dimension; a random choice of them where there are more positions */
    LOCALITY_FARTHER = 1, /* of the steps that may change two parameters */
};

void vicinity_clear(struct vicinity *vicinity)
{
    free(vicinity->point);
    free(vicinity->changes);
    *vicinity = (struct vicinity){0};
}

static size_t changes_of(size_t positions)
{
    return positions - 1 < CHANGES_MOST ? positions - 1 : CHANGES_MOST;
}

static bool allocate(struct vicinity *vicinity, const struct moves *moves)
{
    size_t most = 0;
    for (size_t d = 0; d < moves->dimensions; d++)
        most += changes_of(moves->positions[d]);
    vicinity->point = calloc(moves->dimensions + 1, sizeof *vicinity->point);
    vicinity->changes = calloc(most + 1, sizeof *vicinity->changes);
    if (vicinity->point && vicinity->changes)
        return true;
    vicinity_clear(vicinity);
    return false;
}

static void add_change(struct vicinity *vicinity, struct explorer *explorer, size_t d, uint16_t position,
                       double locality)
{
    double apart = (double)moves_distance(&explorer->moves, d, vicinity->point[d], position);
    double weight = pow(apart, -locality), u = 1 - generator_real(&explorer->generator);
    vicinity->changes[vicinity->count++] =
        (struct vicinity_change){.key = -log(u) / weight, .dimension = (uint16_t)d, .position = position};
}

static int by_key(const void *a, const void *b)
{
    double first = ((const struct vicinity_change *)a)->key, second = ((const struct vicinity_change *)b)->key;
    return (first > second) - (first < second);
}

bool vicinity_around(struct vicinity *vicinity, struct explorer *explorer, size_t center, double locality)
{
    const struct moves *moves = &explorer->moves;
    if (!vicinity->point && !allocate(vicinity, moves))
        return false;
    vicinity->center = center;
    vicinity->count = vicinity->next = vicinity->valid = 0;
    search_space_point(explorer->space, center, vicinity->point);
    for (size_t d = 0; d < moves->dimensions; d++) {
        size_t positions = moves->positions[d], changes = changes_of(positions);
        for (size_t i = 0; i < changes && changes < positions - 1; i++)
            add_change(vicinity, explorer, d, moves_other_position(moves, d, vicinity->point[d], 1), locality);
        for (size_t i = 0; i < positions && changes == positions - 1; i++) {
            if (i != vicinity->point[d])
                add_change(vicinity, explorer, d, (uint16_t)i, locality);
        }
    }
    qsort(vicinity->changes, vicinity->count, sizeof *vicinity->changes, by_key);
    return true;
}

/* A configuration with fewer neighbours than parameters may belong to a small connected component: step out of it. */
static bool next_farther(struct vicinity *vicinity, const struct explorer *explorer, size_t *index)
{
    while (vicinity->valid < explorer->moves.variable_count) {
        vicinity->valid++;
        if (!moves_step(&explorer->moves, vicinity->center, LOCALITY_FARTHER, index))
            return false;
        if (!explorer_knows(explorer, *index))
            return true;
    }
    return false;
}

bool vicinity_next(struct vicinity *vicinity, const struct explorer *explorer, size_t *index)
{
    while (vicinity->next < vicinity->count) {
        const struct vicinity_change *change = &vicinity->changes[vicinity->next++];
        uint16_t own = vicinity->point[change->dimension];
        vicinity->point[change->dimension] = change->position;
        bool valid = search_space_find(explorer->space, vicinity->point, index);
        vicinity->point[change->dimension] = own;
        vicinity->valid += valid;
        if (valid && !explorer_knows(explorer, *index))
            return true;
    }
    return next_farther(vicinity, explorer, index);
}

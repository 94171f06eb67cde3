/* SPDX-License-Identifier: Apache-2.0 */
/*
 * solution_fixture.h - a space as a model, its plan and its diagram's nodes, and brute force to compare them with.
 */
#ifndef TUNE_TESTS_SOLUTION_FIXTURE_H
#define TUNE_TESTS_SOLUTION_FIXTURE_H

#include "tests/unit/space/space_fixture.h"

#include "tuner/space/slots.h"
#include "tuner/space/solution.h"

struct solution_fixture {
    struct space_fixture space;
    struct solution solution;
};

static inline void solution_fixture_create(struct solution_fixture *fixture, const char *text, bool lenient)
{
    space_fixture_create(&fixture->space, text);
    const struct domain *domain = &fixture->space.domain;
    assert_true(solution_start(&fixture->solution, domain, domain->space->constraint_count, NULL, 0, lenient));
}

static inline void solution_fixture_free(struct solution_fixture *fixture)
{
    solution_end(&fixture->solution);
    space_fixture_free(&fixture->space);
}

/* The verdict of the first constraints on a point: one that removes it outweighs one that cannot decide. */
static inline enum verdict judge_point(const struct domain *domain, size_t constraint_count, const uint16_t *point)
{
    enum verdict verdict = VERDICT_PASSED;
    struct value *slots = calloc(domain->slot_count + 1, sizeof *slots);
    domain_slots(domain, point, SIZES_TUNED, slots);
    slots_set_lets(domain->template, domain->space, slots);
    for (size_t i = 0; i < constraint_count && verdict != VERDICT_REMOVED; i++) {
        enum verdict one = domain_judge(domain, i, slots);
        if (one != VERDICT_PASSED)
            verdict = one;
    }
    free(slots);
    return verdict;
}

/* How many points the first constraints do not remove. */
static inline size_t count_points(const struct domain *domain, size_t constraint_count)
{
    uint16_t point[8] = {0};
    size_t count = 0;
    do {
        count += judge_point(domain, constraint_count, point) != VERDICT_REMOVED;
    } while (next_point(domain, point));
    return count;
}

/* Is a point in the diagram below `root`? */
static inline bool has_point(const struct solution *solution, const uint16_t *point)
{
    uint32_t node = solution->root;
    for (size_t l = 0; l < solution->builder->level_count; l++) {
        const struct diagram_growing *level = &solution->builder->levels[l];
        uint16_t wanted = point[solution->order[l]];
        if (node == DIAGRAM_DEAD)
            return false;
        uint32_t edge = level->first[node], end = level->first[node + 1];
        while (edge < end && level->values[edge] != wanted)
            edge++;
        if (edge == end)
            return false;
        node = level->last ? DIAGRAM_END : level->children[edge];
    }
    return node != DIAGRAM_DEAD;
}

#endif

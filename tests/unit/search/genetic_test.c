/* SPDX-License-Identifier: Apache-2.0 */
/* Against a population that is kept by sorting all results. */
#include "tests/unit/search/landscape.h"

enum { DIMENSIONS = 4, MEMBERS = 6, MOST = 200 };
static const size_t sizes[DIMENSIONS] = {8, 8, 8, 8};

struct results {
    size_t indices[MOST];
    double objectives[MOST];
    size_t count;
};

/* The results, best first: a steady-state population is their beginning. */
static void add(struct results *results, size_t index, double objective)
{
    size_t at = results->count++;
    for (; at > 0 && results->objectives[at - 1] > objective; at--) {
        results->indices[at] = results->indices[at - 1];
        results->objectives[at] = results->objectives[at - 1];
    }
    results->indices[at] = index;
    results->objectives[at] = objective;
}

/* Whether each parameter of a child has the value of one of two members. */
static bool is_crossover(const struct search_space *space, const struct results *results, size_t child)
{
    uint16_t points[MEMBERS][DIMENSIONS], point[DIMENSIONS];
    search_space_point(space, child, point);
    for (size_t i = 0; i < MEMBERS; i++) {
        search_space_point(space, results->indices[i], points[i]);
        for (size_t j = 0; j < i; j++) {
            size_t same = 0;
            for (size_t d = 0; d < DIMENSIONS; d++)
                same += point[d] == points[i][d] || point[d] == points[j][d];
            if (same == DIMENSIONS)
                return true;
        }
    }
    return false;
}

/* How many of the first `count` children are crossovers of two of the best MEMBERS results so far. */
static size_t count_crossovers(const struct search_space *space, const char *text, uint64_t seed, size_t count)
{
    struct session session = session_begin(text, space, seed);
    double *objectives = rugged_objectives(search_space_count(space), seed);
    struct results results = {.count = 0};
    size_t crossovers = 0;
    for (size_t i = 0; i < MEMBERS + count; i++) {
        size_t index = session_ask(&session);
        if (i >= MEMBERS)
            crossovers += is_crossover(space, &results, index);
        add(&results, index, objectives[index]);
        session_tell(&session, index, objectives[index]);
    }
    session_end(&session);
    free(objectives);
    return crossovers;
}

/*
 * Without mutation, children are crossovers; where 16 in a row are known already, as where the first members share
 * values, something new is asked for instead. A random configuration is a crossover with probability below 0.06,
 * 15 * (2 / 8)^4.
 */
static void test_crossover(void **state)
{
    (void)state;
    enum { CHILDREN = 25 };
    struct search_space *space = grid_create(sizes, DIMENSIONS);
    size_t with = 0, without = 0;
    for (uint64_t seed = 0; seed < 10; seed++) {
        with += count_crossovers(space, "genetic:population=6,mutation=0,crossover=1", seed, CHILDREN);
        without += count_crossovers(space, "genetic:population=6,mutation=20,crossover=1,locality=0", seed, CHILDREN);
    }
    assert_true(with > 7 * CHILDREN);
    assert_true(without < CHILDREN);
    search_space_free(space);
}

/*
 * Without crossover, children are mutants of one member: at pressure 10, in (1 / 6)^(1 / 10) = 84 % of cases of the
 * best. Each of four parameters is mutated with probability 1/4, so of those that differ 93 % do so in one or two.
 */
static void test_mutation(void **state)
{
    (void)state;
    struct search_space *space = grid_create(sizes, DIMENSIONS);
    int near = 0, single = 0;
    for (uint64_t seed = 0; seed < 10; seed++) {
        struct session session =
            session_begin("genetic:population=6,mutation=1,crossover=0,pressure=10,locality=0", space, seed);
        size_t best = 0;
        for (int i = 0; i < MEMBERS; i++) {
            size_t index = session_ask(&session);
            best = i == 2 ? index : best;
            session_tell(&session, index, i == 2 ? 0 : 1);
        }
        for (int i = 0; i < 20; i++) {
            size_t index = session_ask(&session), apart = hamming(space, best, index);
            near += apart <= 2;
            single += apart == 1;
            session_tell(&session, index, 2);
        }
        session_end(&session);
    }
    assert_in_range(near, 130, 180);                     /* of 200; 156 expected */
    assert_in_range(single, near * 4 / 7, near * 3 / 4); /* 2/3 expected */
    search_space_free(space);
}

/* Within three positions in every parameter. */
static bool is_near(const struct search_space *space, size_t one, size_t other)
{
    uint16_t a[DIMENSIONS], b[DIMENSIONS];
    search_space_point(space, one, a);
    search_space_point(space, other, b);
    for (size_t d = 0; d < DIMENSIONS; d++) {
        if (abs(a[d] - b[d]) > 3)
            return false;
    }
    return true;
}

/*
 * Patience of one population of two: after three fruitless children two new members are asked for. Mutation changes
 * every parameter, by more than three positions with probability 0.016 at locality 4; a new member is that near an
 * old one with probability below 2 * (7 / 30)^4 = 0.006.
 */
static void test_restarts(void **state)
{
    (void)state;
    enum { SEEDS = 10 };
    static const size_t large[] = {30, 30, 30, 30};
    struct search_space *space = grid_create(large, 4);
    size_t members[2], near_children = 0, near_members = 0;
    for (uint64_t seed = 0; seed < SEEDS; seed++) {
        struct session session =
            session_begin("genetic:population=2,mutation=20,crossover=0,patience=1,locality=4", space, seed);
        for (size_t i = 0; i < 2; i++) {
            members[i] = session_ask(&session);
            session_tell(&session, members[i], 1);
        }
        for (size_t i = 0; i < 5; i++) {
            size_t index = session_ask(&session);
            bool near = is_near(space, members[0], index) || is_near(space, members[1], index);
            near_children += i < 3 && near;
            near_members += i >= 3 && near;
            session_tell(&session, index, 2);
        }
        session_end(&session);
    }
    assert_true(near_children >= 3 * SEEDS - 6);
    assert_true(near_members <= 1);
    search_space_free(space);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_crossover),
        cmocka_unit_test(test_mutation),
        cmocka_unit_test(test_restarts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/unit/search/landscape.h"

enum { MEMBERS = 4, SIDE = 60 };
static const size_t sizes[] = {SIDE, SIDE};

/* Without crossover the trial vector is the member itself, so a trial is a step from it: members take turns, and a
 * better trial replaces its own member only. */
static void test_turns(void **state)
{
    (void)state;
    static const size_t cube[] = {24, 24, 24};
    struct search_space *space = grid_create(cube, 3);
    for (uint64_t seed = 0; seed < 10; seed++) {
        double *objectives = rugged_objectives(search_space_count(space), seed);
        struct session session = session_begin("evolution:population=4,crossover=0,mutation=0", space, seed);
        size_t members[MEMBERS];
        for (size_t i = 0; i < MEMBERS; i++) {
            members[i] = session_ask(&session);
            session_tell(&session, members[i], objectives[members[i]]);
        }
        for (size_t i = 0; i < 40; i++) {
            size_t *member = &members[i % MEMBERS], index = session_ask(&session);
            assert_int_equal(hamming(space, *member, index), 1);
            session_tell(&session, index, objectives[index]);
            *member = objectives[index] < objectives[*member] ? index : *member;
        }
        session_end(&session);
        free(objectives);
    }
    search_space_free(space);
}

/* p + weight * (a - b), rounded up or down and clamped, for any members a and b. */
static bool is_mutant(const struct search_space *space, const size_t *members, size_t p, double weight, size_t index)
{
    uint16_t points[MEMBERS][2], best[2], point[2];
    search_space_point(space, index, point);
    search_space_point(space, p, best);
    for (size_t i = 0; i < MEMBERS; i++)
        search_space_point(space, members[i], points[i]);
    for (size_t pair = 0; pair < MEMBERS * MEMBERS; pair++) {
        const uint16_t *a = points[pair / MEMBERS], *b = points[pair % MEMBERS];
        size_t matches = 0;
        for (size_t d = 0; d < 2; d++) {
            double exact = fmin(fmax(best[d] + weight * ((double)a[d] - b[d]), 0), SIDE - 1);
            matches += fabs(point[d] - exact) < 1;
        }
        if (matches == 2)
            return true;
    }
    return false;
}

/* With crossover in every parameter and the best member as p, trials are mutants. Before a random configuration
 * matched one of the 13 different pairs, there would be 3600 / 13 / 4 = 69 questions. */
static void test_differences(void **state)
{
    (void)state;
    struct search_space *space = grid_create(sizes, 2);
    for (int tenths = 5; tenths <= 10; tenths += 5) {
        size_t mutants = 0;
        char text[80];
        snprintf(text, sizeof text, "evolution:population=4,crossover=1,mutation=0,best=0,weight=%g", tenths / 10.0);
        for (uint64_t seed = 0; seed < 50; seed++) {
            struct session session = session_begin(text, space, seed);
            size_t members[MEMBERS], best = seed % MEMBERS;
            for (size_t i = 0; i < MEMBERS; i++) {
                members[i] = session_ask(&session);
                session_tell(&session, members[i], i == best ? 1 : 2);
            }
            mutants += is_mutant(space, members, members[best], tenths / 10.0, session_ask(&session));
            session_end(&session);
        }
        assert_true(mutants >= 42); /* of 50 */
    }
    search_space_free(space);
}

/* A categorical parameter takes the best member's value, or a's: never one that no member has, except by a step where
 * the trial is the member itself. Random configurations would have the word in a third of the cases. */
static void test_categorical(void **state)
{
    (void)state;
    enum { WORD = 3, SEEDS = 20 };
    struct landscape landscape;
    landscape_create(&landscape, 12, 12, 12, 3, SIZE_MAX);
    uint16_t point[LANDSCAPE_DIMENSIONS];
    size_t kept = 0;
    for (uint64_t seed = 0; seed < SEEDS; seed++) {
        struct session session =
            session_begin("evolution:population=4,crossover=1,mutation=0", landscape.space, seed);
        for (size_t i = seed, told = 0; told < MEMBERS; i += 7) {
            search_space_point(landscape.space, i, point);
            if (point[WORD] == 2) {
                session_tell(&session, i, -1 - (double)i); /* unasked: takes the worst member's place */
                told++;
            }
        }
        for (size_t i = 0; i < MEMBERS; i++)
            session_tell(&session, session_ask(&session), 5);
        search_space_point(landscape.space, session_ask(&session), point);
        kept += point[WORD] == 2;
        session_end(&session);
    }
    assert_true(kept >= 17);
    landscape_free(&landscape);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_turns),
        cmocka_unit_test(test_differences),
        cmocka_unit_test(test_categorical),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

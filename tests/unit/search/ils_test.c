/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/unit/search/landscape.h"

enum { SIDE = 8, COUNT = SIDE * SIDE * SIDE * SIDE, PATIENCE = 3 };
static const size_t sizes[] = {SIDE, SIDE, SIDE, SIDE};

/* What a model of the descents says of the questions that begin one. */
struct tally {
    size_t near_best, perturbations; /* starts within two parameters of the best local optimum; all that should be */
    size_t far, restarts;            /* starts after PATIENCE fruitless descents that are not */
};

static void count_starts(const struct search_space *space, uint64_t seed, struct tally *tally)
{
    double *objectives = rugged_objectives(COUNT, seed);
    struct session session = session_begin("ils:starts=1,kicks=1,strength=2,patience=3", space, seed);
    bool unknown[COUNT];
    size_t incumbent = COUNT, best = COUNT, fruitless = 0;
    memset(unknown, true, sizeof unknown);
    for (int i = 0; i < 400; i++) {
        size_t index = session_ask(&session);
        assert_true(unknown[index]);
        bool begins = incumbent == COUNT || count_neighbours(space, incumbent, unknown) == 0;
        if (begins && incumbent != COUNT) {
            bool improved = best == COUNT || objectives[incumbent] < objectives[best];
            fruitless = improved ? 0 : fruitless + 1;
            best = improved ? incumbent : best;
            bool near = hamming(space, best, index) <= 2;
            if (fruitless == PATIENCE) {
                tally->restarts++;
                tally->far += !near;
                best = COUNT;
                fruitless = 0;
            } else {
                tally->perturbations++;
                tally->near_best += near;
            }
        }
        assert_true(begins || hamming(space, incumbent, index) == 1);
        unknown[index] = false;
        if (begins || objectives[index] < objectives[incumbent])
            incumbent = index;
        session_tell(&session, index, objectives[index]);
    }
    session_end(&session);
    free(objectives);
}

/*
 * After a descent, two random steps away from the best local optimum; after PATIENCE descents without a new best,
 * anywhere. A random configuration is within two parameters of another with probability 0.08.
 */
static void test_perturbs_and_restarts(void **state)
{
    (void)state;
    struct search_space *space = grid_create(sizes, 4);
    struct tally tally = {0};
    for (uint64_t seed = 0; seed < 6; seed++)
        count_starts(space, seed, &tally);
    assert_true(tally.perturbations > 20);
    assert_int_equal(tally.near_best, tally.perturbations);
    assert_true(tally.restarts > 5);
    assert_true(tally.far * 10 > tally.restarts * 7);
    search_space_free(space);
}

/* A descent from the best of several perturbations. */
static void test_best_of_several_kicks(void **state)
{
    (void)state;
    enum { KICKS = 4 };
    static const size_t small[] = {3, 3, 3};
    struct search_space *space = grid_create(small, 3);
    struct session session = session_begin("ils:starts=1,kicks=4,strength=2", space, 1);
    size_t optimum = session_ask(&session), kicks[KICKS];
    session_tell(&session, optimum, 1);
    for (int i = 0; i < 6; i++) { /* two other values in each of three parameters, none of them better */
        size_t index = session_ask(&session);
        assert_int_equal(hamming(space, optimum, index), 1);
        session_tell(&session, index, 2);
    }
    for (size_t i = 0; i < KICKS; i++) {
        kicks[i] = session_ask(&session);
        assert_int_equal(hamming(space, optimum, kicks[i]), 2);
    }
    for (size_t i = 0; i < KICKS; i++)
        session_tell(&session, kicks[i], i == 2 ? 1.5 : 3);
    assert_int_equal(hamming(space, kicks[2], session_ask(&session)), 1);
    session_end(&session);
    search_space_free(space);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_perturbs_and_restarts),
        cmocka_unit_test(test_best_of_several_kicks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

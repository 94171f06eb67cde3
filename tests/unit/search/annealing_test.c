/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/unit/search/landscape.h"

static const size_t sizes[] = {8, 8, 8, 8};

/* At temperature 0 only improvements are accepted: questions are neighbours of the best so far. */
static void test_cold(void **state)
{
    (void)state;
    struct search_space *space = grid_create(sizes, 4);
    double *objectives = rugged_objectives(search_space_count(space), 3);
    for (uint64_t seed = 0; seed < 20; seed++) {
        struct session session = session_begin("annealing:starts=1,locality=0,temperature=0,lowest=0", space, seed);
        size_t best = session_ask(&session);
        session_tell(&session, best, objectives[best]);
        for (int i = 0; i < 14; i++) { /* at most half of the 28 neighbours become known: there is always another */
            size_t index = session_ask(&session);
            assert_int_equal(hamming(space, best, index), 1);
            session_tell(&session, index, objectives[index]);
            best = objectives[index] < objectives[best] ? index : best;
        }
        session_end(&session);
    }
    free(objectives);
    search_space_free(space);
}

/*
 * The share of losses of the typical size that are accepted: at temperature 1 half of them. Every other result is a
 * new best by 1, the one after it worse by 1, and the next question shows where the search is. It may be next to both
 * configurations, which does not count, and one in 28 steps from the worse one leads back to the best. 600 losses, so
 * the standard deviation is 0.02.
 */
static double accepted_share(const char *text)
{
    struct search_space *space = grid_create(sizes, 4);
    double accepted = 0, judged = 0;
    for (uint64_t seed = 0; seed < 20; seed++) {
        struct session session = session_begin(text, space, seed);
        size_t best = session_ask(&session);
        session_tell(&session, best, 0);
        for (int i = 1; i <= 30; i++) {
            size_t worse = session_ask(&session);
            session_tell(&session, worse, -i + 2);
            size_t next = session_ask(&session);
            bool from_worse = hamming(space, worse, next) == 1, from_best = hamming(space, best, next) == 1;
            judged += from_worse != from_best;
            accepted += from_worse && !from_best;
            session_tell(&session, next, -i);
            best = next;
        }
        session_end(&session);
    }
    search_space_free(space);
    assert_true(judged > 400);
    return accepted / judged;
}

static void test_acceptance(void **state)
{
    (void)state;
    double at_one = accepted_share("annealing:starts=1,locality=0,temperature=1,cooling=1");
    assert_true(fabs(at_one - 0.5) < 0.1);
    assert_true(accepted_share("annealing:starts=1,locality=0,temperature=100,cooling=1") > 0.9);
    assert_true(accepted_share("annealing:starts=1,locality=0,temperature=0.05,cooling=1") < 0.03);
}

/* From 1 by halves to below 0.3 in two steps: then two new starts, and a step from the better of them. */
static void test_restarts(void **state)
{
    (void)state;
    struct search_space *space = grid_create(sizes, 4);
    struct session session = session_begin("annealing:starts=2,temperature=1,cooling=0.5,lowest=0.3", space, 2);
    for (int round = 0; round < 10; round++) {
        size_t first = session_ask(&session), second = session_ask(&session);
        session_tell(&session, first, round % 2 ? 1 : 2);
        session_tell(&session, second, round % 2 ? 2 : 1);
        size_t better = round % 2 ? first : second, step = session_ask(&session);
        assert_int_equal(hamming(space, better, step), 1);
        session_tell(&session, step, INFINITY);
        step = session_ask(&session);
        assert_int_equal(hamming(space, better, step), 1); /* a failure is never accepted */
        session_tell(&session, step, 0.5);
    }
    session_end(&session);
    search_space_free(space);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_cold),
        cmocka_unit_test(test_acceptance),
        cmocka_unit_test(test_restarts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

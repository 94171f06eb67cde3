/* SPDX-License-Identifier: Apache-2.0 */
/* Against a model of multi-start first improvement that scans all configurations. */
#include "tests/unit/search/landscape.h"

enum { SIDE = 9, COUNT = SIDE * SIDE };
static const size_t sizes[] = {SIDE, SIDE};

/* From one start: neighbours of the incumbent while some are unknown, moving at once to a better one; then a new
 * start. */
static void test_first_improvement(void **state)
{
    (void)state;
    struct search_space *space = grid_create(sizes, 2);
    for (uint64_t seed = 0; seed < 30; seed++) {
        double *objectives = rugged_objectives(COUNT, seed);
        struct session session = session_begin("greedy:starts=1", space, seed);
        bool unknown[COUNT];
        size_t incumbent = COUNT, descents = 0;
        memset(unknown, true, sizeof unknown);
        for (int i = 0; i < COUNT; i++) {
            size_t index = session_ask(&session);
            assert_true(unknown[index]);
            bool begins = incumbent == COUNT || count_neighbours(space, incumbent, unknown) == 0;
            descents += begins;
            assert_true(begins || hamming(space, incumbent, index) == 1);
            unknown[index] = false;
            if (begins || objectives[index] < objectives[incumbent])
                incumbent = index;
            session_tell(&session, index, objectives[index]);
        }
        assert_true(descents > 1);
        session_end(&session);
        free(objectives);
    }
    search_space_free(space);
}

/* A descent starts from the best of the starts. */
static void test_best_start(void **state)
{
    (void)state;
    enum { STARTS = 5 };
    struct search_space *space = grid_create(sizes, 2);
    for (size_t best = 0; best < STARTS; best++) {
        struct session session = session_begin("greedy:starts=5", space, best);
        size_t starts[STARTS];
        for (size_t i = 0; i < STARTS; i++)
            starts[i] = session_ask(&session);
        for (size_t i = 0; i < STARTS; i++)
            session_tell(&session, starts[i], i == best ? 1 : i == (best + 1) % STARTS ? INFINITY : 2);
        for (int i = 0; i < 4; i++)
            assert_int_equal(hamming(space, session_ask(&session), starts[best]), 1);
        session_end(&session);
    }
    search_space_free(space);
}

/* With everything under way there is always another start to ask for. */
static void test_never_waits(void **state)
{
    (void)state;
    struct search_space *space = grid_create(sizes, 2);
    struct session session = session_begin("greedy", space, 4);
    size_t index;
    for (int i = 0; i < COUNT; i++)
        session_ask(&session);
    assert_int_equal(session.driver->ask(session.state, &index), ASK_END);
    session_end(&session);
    search_space_free(space);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_first_improvement),
        cmocka_unit_test(test_best_start),
        cmocka_unit_test(test_never_waits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

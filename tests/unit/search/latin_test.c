/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/unit/search/landscape.h"

enum { SIDE = 24, COUNT = SIDE * SIDE };
static const size_t sizes[] = {SIDE, SIDE};

/* Of n points, one falls in each n-th of every dimension: n is a parameter of the strategy. */
static void test_hypercube(void **state)
{
    (void)state;
    static const size_t points[] = {2, 8, 24};
    struct search_space *space = grid_create(sizes, 2);
    for (size_t i = 0; i < 3; i++) {
        char text[30];
        bool taken[2][SIDE] = {{false}};
        size_t part = SIDE / points[i];
        snprintf(text, sizeof text, "latin:points=%zu", points[i]);
        struct session session = session_begin(text, space, i);
        for (size_t k = 0; k < points[i]; k++) {
            size_t index = session_ask(&session), parts[] = {index / SIDE / part, index % SIDE / part};
            for (size_t d = 0; d < 2; d++) {
                assert_false(taken[d][parts[d]]);
                taken[d][parts[d]] = true;
            }
        }
        session_end(&session);
    }
    search_space_free(space);
}

/* Cube after cube until every configuration was asked for, whatever the results. */
static void test_visits_all(void **state)
{
    (void)state;
    struct search_space *space = grid_create(sizes, 2);
    struct session one = session_begin("latin", space, 3), other = session_begin("latin", space, 3);
    bool seen[COUNT] = {false};
    for (int i = 0; i < COUNT; i++) {
        size_t index = session_ask(&one);
        assert_int_equal(session_ask(&other), index);
        assert_false(seen[index]);
        seen[index] = true;
        session_tell(&one, index, (double)i);
        session_tell(&other, index, i % 2 ? INFINITY : -(double)i);
    }
    size_t index;
    assert_int_equal(one.driver->ask(one.state, &index), ASK_END);
    session_end(&one);
    session_end(&other);
    search_space_free(space);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_hypercube),
        cmocka_unit_test(test_visits_all),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

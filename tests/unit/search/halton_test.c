/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/unit/search/landscape.h"

enum { ROWS = 16, COLUMNS = 9, COUNT = ROWS * COLUMNS };

static void ask_all(const struct search_space *space, uint64_t seed, double objective, size_t order[COUNT])
{
    struct session session = session_begin("halton", space, seed);
    for (size_t i = 0; i < COUNT; i++) {
        order[i] = session_ask(&session);
        session_tell(&session, order[i], objective);
    }
    size_t index;
    assert_int_equal(session.driver->ask(session.state, &index), ASK_END);
    session_end(&session);
}

/* Bases 2 and 3 for 16 rows and 9 columns: each row once in 16 questions, each column once in 9, each configuration
 * once in 144. */
static void test_even(void **state)
{
    (void)state;
    static const size_t sizes[] = {ROWS, COLUMNS};
    struct search_space *space = grid_create(sizes, 2);
    for (uint64_t seed = 0; seed < 20; seed++) {
        size_t order[COUNT];
        int rows[ROWS] = {0}, columns[COLUMNS] = {0};
        ask_all(space, seed, 1, order);
        for (int i = 0; i < COUNT; i++) {
            assert_int_equal(rows[order[i] / COLUMNS]++, i / ROWS);
            assert_int_equal(columns[order[i] % COLUMNS]++, i / COLUMNS);
        }
    }
    search_space_free(space);
}

/* Results don't matter, the seed does. */
static void test_ignores_results(void **state)
{
    (void)state;
    static const size_t sizes[] = {ROWS, COLUMNS};
    struct search_space *space = grid_create(sizes, 2);
    size_t first[COUNT], again[COUNT], other[COUNT];
    ask_all(space, 1, 5, first);
    ask_all(space, 1, INFINITY, again);
    ask_all(space, 2, 5, other);
    assert_memory_equal(first, again, sizeof first);
    assert_memory_not_equal(first, other, sizeof first);
    search_space_free(space);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_even),
        cmocka_unit_test(test_ignores_results),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/unit/search/landscape.h"

enum { ROWS = 50, COLUMNS = 20, COUNT = ROWS * COLUMNS };

/* Ask until nothing is left; every configuration must come once, whatever the results. */
static void ask_all(const char *name, uint64_t seed, size_t order[COUNT])
{
    static const size_t sizes[] = {ROWS, COLUMNS};
    struct search_space *space = grid_create(sizes, 2);
    struct session session = session_begin(name, space, seed);
    bool seen[COUNT] = {false};
    size_t index;
    for (size_t i = 0; i < COUNT; i++) {
        index = order[i] = session_ask(&session);
        assert_true(index < COUNT && !seen[index]);
        seen[index] = true;
        session_tell(&session, index, index % 3 ? (double)index : INFINITY);
    }
    assert_int_equal(session.driver->ask(session.state, &index), ASK_END);
    session_end(&session);
    search_space_free(space);
}

static void test_without_repetition(void **state)
{
    (void)state;
    size_t first[COUNT], again[COUNT], other[COUNT];
    ask_all("random", 1, first);
    ask_all("random", 1, again);
    ask_all("random", 2, other);
    assert_memory_equal(first, again, sizeof first);
    assert_memory_not_equal(first, other, sizeof first);
}

/* Each of the 24 orders of 4 configurations about equally often: chi-squared, 23 degrees of freedom, p = 0.001. */
static void test_fair(void **state)
{
    (void)state;
    enum { ROUNDS = 24000, SIZE = 4 };
    static const size_t size = SIZE;
    struct search_space *space = grid_create(&size, 1);
    int orders[256] = {0}, different = 0;
    double chi_squared = 0;
    for (uint64_t seed = 0; seed < ROUNDS; seed++) {
        struct session session = session_begin("random", space, seed);
        unsigned order = 0;
        for (int i = 0; i < SIZE; i++)
            order = order << 2 | (unsigned)session_ask(&session);
        session_end(&session);
        orders[order]++;
    }
    for (size_t i = 0; i < 256; i++) {
        double excess = orders[i] - ROUNDS / 24.0;
        different += orders[i] > 0;
        if (orders[i] > 0)
            chi_squared += excess * excess / (ROUNDS / 24.0);
    }
    assert_int_equal(different, 24);
    assert_true(chi_squared < 49.73);
    search_space_free(space);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_without_repetition),
        cmocka_unit_test(test_fair),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

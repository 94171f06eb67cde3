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

/*
 * Any beginning of the order is evenly spread: by the three-distance theorem (Sos 1958; Knuth, "The Art of Computer
 * Programming" 3, 6.4, theorem S) gaps have at most three lengths, and with the golden ratio the longest is less than
 * 2.62 times the mean. As the step is an integer near the golden section, and coprime to the count, the test leaves
 * some room. The seed does not matter.
 */
static void test_evenly_spread(void **state)
{
    (void)state;
    size_t order[COUNT], other[COUNT];
    bool taken[COUNT] = {false};
    ask_all("exhaustive", 7, order);
    ask_all("exhaustive", 8, other);
    assert_memory_equal(order, other, sizeof order);
    for (size_t count = 1; count <= 100; count++) {
        size_t first = COUNT, last = 0, gap = 0;
        taken[order[count - 1]] = true;
        for (size_t i = 0; i < COUNT; i++) {
            if (!taken[i])
                continue;
            if (first == COUNT)
                first = i;
            else if (i - last > gap)
                gap = i - last;
            last = i;
        }
        if (first + COUNT - last > gap)
            gap = first + COUNT - last;
        assert_true((double)gap <= 3.0 * COUNT / (double)count);
    }
}

/* Whatever the number of configurations and its divisors. */
static void test_visits_each_once(void **state)
{
    (void)state;
    static const size_t counts[] = {1,  2,  3,  4,   5,   6,   7,   8,   9,    10,   11,   12,   13,   21,
                                    30, 34, 60, 210, 233, 256, 377, 997, 1024, 2310, 2520, 4181, 5040, 6765};
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        struct search_space *space = grid_create(&counts[i], 1);
        struct session session = session_begin("exhaustive", space, i);
        size_t index, visited = 0;
        bool *seen = calloc(counts[i], sizeof *seen);
        assert_non_null(seen);
        for (; session.driver->ask(session.state, &index) == ASK_READY; visited++) {
            assert_true(index < counts[i] && !seen[index]);
            seen[index] = true;
        }
        assert_int_equal(visited, counts[i]);
        free(seen);
        session_end(&session);
        search_space_free(space);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_evenly_spread),
        cmocka_unit_test(test_visits_each_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

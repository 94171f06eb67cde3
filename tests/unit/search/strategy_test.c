/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/unit/fixture.h"

#include "tuner/search/generator.h"
#include "tuner/search/search.h"

#include <stdlib.h>

#define TEMPLATE                                                                                                     \
    "template t\nsize n = 4\nparameter A\nparameter B\nsource \"k.cu\"\nbuffer y : float[n] out\n"                   \
    "launch { k<<<1, 1>>>(y) }\nreference \"r.cu\" { r<<<1, 1>>>(ref(y)) }\ncheck y exact\n"

enum { COUNT = 1000 };

static int set_up(void **state)
{
    struct fixture *fixture = calloc(1, sizeof *fixture);
    fixture_create(fixture, TEMPLATE, "space s of t\nparam A = range(0, 50)\nparam B = range(0, 20)\n");
    *state = fixture;
    return 0;
}

static int tear_down(void **state)
{
    fixture_free(*state);
    free(*state);
    return 0;
}

/* Ask until there is nothing more; every configuration must come once. */
static void ask_all(const struct problem *problem, const char *name, uint64_t seed, size_t order[COUNT])
{
    const struct strategy_driver *driver = strategy_find(name);
    bool seen[COUNT] = {false};
    struct error error;
    void *state;
    size_t index, count = 0;
    const struct strategy_setup setup = {.space = problem_search_space(problem), .seed = seed};
    assert_non_null(driver);
    assert_success(driver->create(&setup, &state, &error), &error);
    while (driver->ask(state, &index) == ASK_READY) {
        assert_true(index < COUNT);
        assert_true(count < COUNT);
        assert_false(seen[index]);
        seen[index] = true;
        order[count++] = index;
        const struct observation observation = {.index = index, .valid = index % 3 != 0, .objective = (double)index};
        driver->tell(state, &observation);
    }
    assert_int_equal(count, COUNT);
    assert_int_equal(driver->ask(state, &index), ASK_END);
    driver->destroy(state);
}

/*
 * Each configuration comes once, and any beginning of the order lies evenly over the space: the three-distance
 * theorem (Sos 1958; Knuth, "The Art of Computer Programming" 3, 6.4, theorem S) allows gaps of three lengths, and by
 * the golden ratio the longest is less than 2.62 times the even distance. The step is a whole number: a gap may be
 * off by the steps times its distance to the golden section, so the bound is tested with room for the nearest step
 * without a divisor.
 */
static void test_exhaustive(void **state)
{
    const struct fixture *fixture = *state;
    size_t order[COUNT], other[COUNT];
    bool taken[COUNT] = {false};
    ask_all(fixture->problem, "exhaustive", 7, order);
    ask_all(fixture->problem, "exhaustive", 8, other);
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
static void test_exhaustive_visits_each_once(void **state)
{
    (void)state;
    static const int counts[] = {1,  2,  3,  4,   5,   6,   7,   8,   9,    10,   11,   12,   13,   21,
                                 30, 34, 60, 210, 233, 256, 377, 997, 1024, 2310, 2520, 4181, 5040, 6765};
    const struct strategy_driver *driver = strategy_find("exhaustive");
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        struct fixture fixture;
        char space[80];
        size_t index, visited = 0, count = (size_t)counts[i];
        void *strategy;
        snprintf(space, sizeof space, "space s of t\nparam A = range(0, %d)\n", counts[i]);
        fixture_create(&fixture, TEMPLATE, space);
        assert_int_equal(problem_configuration_count(fixture.problem), count);
        bool *seen = calloc(count, sizeof *seen);
        assert_non_null(seen);
        const struct strategy_setup setup = {.space = problem_search_space(fixture.problem), .seed = i};
        assert_success(driver->create(&setup, &strategy, &fixture.error), &fixture.error);
        for (; driver->ask(strategy, &index) == ASK_READY; visited++) {
            assert_true(index < count && !seen[index]);
            seen[index] = true;
        }
        assert_int_equal(visited, count);
        driver->destroy(strategy);
        free(seen);
        fixture_free(&fixture);
    }
}

static void test_random_without_repetition(void **state)
{
    const struct fixture *fixture = *state;
    size_t first[COUNT], again[COUNT], other[COUNT];
    ask_all(fixture->problem, "random", 1, first);
    ask_all(fixture->problem, "random", 1, again);
    ask_all(fixture->problem, "random", 2, other);
    assert_memory_equal(first, again, sizeof first);
    assert_memory_not_equal(first, other, sizeof first);
}

/* Each of the 24 orders of 4 configurations about as often as the others: chi-squared, 23 degrees, below 0.001. */
static void test_random_is_fair(void **state)
{
    (void)state;
    enum { ROUNDS = 24000 };
    struct fixture fixture;
    int orders[256] = {0}, different = 0;
    double chi_squared = 0;
    const struct strategy_driver *driver = strategy_find("random");
    fixture_create(&fixture, TEMPLATE, "space s of t\nparam A = range(0, 4)\n");
    for (uint64_t seed = 0; seed < ROUNDS; seed++) {
        unsigned order = 0;
        size_t index;
        void *strategy;
        const struct strategy_setup setup = {.space = problem_search_space(fixture.problem), .seed = seed};
        assert_true(driver->create(&setup, &strategy, &fixture.error));
        while (driver->ask(strategy, &index) == ASK_READY)
            order = order << 2 | (unsigned)index;
        driver->destroy(strategy);
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
    fixture_free(&fixture);
}

static void test_empty_space(void **state)
{
    (void)state;
    struct fixture fixture;
    fixture_create(&fixture, TEMPLATE, "space s of t\nparam A = range(0, 4)\nwhere A > 9\n");
    const struct strategy_setup setup = {.space = problem_search_space(fixture.problem), .seed = 1};
    for (size_t i = 0; i < strategy_driver_count; i++) {
        struct search *search;
        size_t index;
        assert_success(search_create(strategy_drivers[i], &setup, &search, &fixture.error), &fixture.error);
        assert_int_equal(search_ask(search, &index), ASK_END);
        search_free(search);
    }
    fixture_free(&fixture);
}

static void test_table(void **state)
{
    (void)state;
    assert_null(strategy_find("guesswork"));
    for (size_t i = 0; i < strategy_driver_count; i++) {
        assert_ptr_equal(strategy_find(strategy_drivers[i]->name), strategy_drivers[i]);
        assert_true(strlen(strategy_drivers[i]->meaning) > 0);
    }
}

/* The sequence that the authors' Java class gives for the seed 1234567 (also in Rosetta Code's "Pseudo-random
 * numbers/Splitmix64"). */
static void test_generator(void **state)
{
    (void)state;
    static const uint64_t expected[] = {6457827717110365317u, 3203168211198807973u, 9817491932198370423u,
                                        4593380528125082431u, 16408922859458223821u};
    struct generator generator = {.state = 1234567};
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++)
        assert_true(generator_next(&generator) == expected[i]);
    for (uint64_t bound = 1; bound < 100; bound++)
        assert_true(generator_below(&generator, bound) < bound);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_exhaustive),
        cmocka_unit_test(test_exhaustive_visits_each_once),
        cmocka_unit_test(test_random_without_repetition),
        cmocka_unit_test(test_random_is_fair),
        cmocka_unit_test(test_empty_space),
        cmocka_unit_test(test_table),
        cmocka_unit_test(test_generator),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}

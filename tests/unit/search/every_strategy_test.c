/* SPDX-License-Identifier: Apache-2.0 */
/* What holds for every strategy in the table. */
#include "tests/unit/search/landscape.h"

#ifdef TUNE_SANITIZED /* they see the same code in less */
enum { MOST = 80 };
#else
enum { MOST = 700 };
#endif

static const size_t parallels[] = {1, 8, 64};
enum { PARALLEL_COUNT = sizeof parallels / sizeof *parallels };

static void assert_each_once(const struct landscape *landscape, const size_t *order, size_t count)
{
    bool *seen = calloc(landscape->count, sizeof *seen);
    assert_non_null(seen);
    for (size_t i = 0; i < count; i++) {
        assert_true(order[i] < landscape->count);
        assert_false(seen[order[i]]);
        seen[order[i]] = true;
    }
    free(seen);
}

/* In the end every configuration has been visited exactly once. */
static void test_visits_all(void **state)
{
    (void)state;
    struct landscape landscape;
    landscape_create(&landscape, 6, 5, 3, 3, MOST);
    size_t order[MOST];
    for (size_t i = 0; i < strategy_driver_count; i++) {
        for (size_t j = 0; j < PARALLEL_COUNT; j++) {
            const struct strategy_setup setup = {.seed = 5 + j};
            struct outcome outcome = drive_all(&landscape, strategy_drivers[i], setup, parallels[j], MOST, order);
            assert_int_equal(outcome.count, landscape.count);
            assert_each_once(&landscape, order, outcome.count);
        }
    }
    landscape_free(&landscape);
}

static void test_all_fail(void **state)
{
    (void)state;
    struct landscape landscape;
    landscape_create(&landscape, 5, 4, 3, 3, MOST);
    landscape.all_fail = true;
    size_t order[MOST];
    for (size_t i = 0; i < strategy_driver_count; i++) {
        for (size_t j = 0; j < PARALLEL_COUNT; j++) {
            struct outcome outcome = drive_all(&landscape, strategy_drivers[i], (struct strategy_setup){.seed = 3},
                                               parallels[j], MOST, order);
            assert_int_equal(outcome.count, landscape.count);
            assert_each_once(&landscape, order, outcome.count);
        }
    }
    landscape_free(&landscape);
}

static void test_tiny_spaces(void **state)
{
    (void)state;
    static const struct {
        size_t a, b, c, words;
    } shapes[] = {{1, 1, 1, 1}, {2, 1, 1, 1}, {1, 1, 1, 3}, {3, 1, 2, 1}};
    size_t order[MOST];
    for (size_t i = 0; i < strategy_driver_count; i++) {
        for (size_t count = 0; count <= 3; count++) {
            for (size_t k = 0; k < sizeof shapes / sizeof *shapes; k++) {
                struct landscape landscape;
                landscape_create(&landscape, shapes[k].a, shapes[k].b, shapes[k].c, shapes[k].words, count);
                for (size_t fail = 0; fail < 2; fail++) {
                    landscape.all_fail = fail;
                    struct outcome outcome =
                        drive_all(&landscape, strategy_drivers[i], (struct strategy_setup){.seed = 1},
                                  parallels[k % 3], MOST, order);
                    assert_int_equal(outcome.count, landscape.count);
                    assert_each_once(&landscape, order, outcome.count);
                }
                landscape_free(&landscape);
            }
        }
    }
}

/* The same seed and results give the same questions; another seed gives others, except in the exhaustive order. */
static void test_reproducible(void **state)
{
    (void)state;
    enum { QUESTIONS = 60 };
    struct landscape landscape;
    landscape_create(&landscape, 12, 10, 6, 3, MOST);
    size_t first[MOST], again[MOST], other[MOST];
    for (size_t i = 0; i < strategy_driver_count; i++) {
        for (size_t j = 0; j < 2; j++) {
            const struct strategy_setup one = {.seed = 11}, two = {.seed = 12};
            drive_all(&landscape, strategy_drivers[i], one, parallels[j], QUESTIONS, first);
            drive_all(&landscape, strategy_drivers[i], one, parallels[j], QUESTIONS, again);
            drive_all(&landscape, strategy_drivers[i], two, parallels[j], QUESTIONS, other);
            assert_memory_equal(first, again, QUESTIONS * sizeof *first);
            if (strcmp(strategy_drivers[i]->name, "exhaustive") != 0)
                assert_memory_not_equal(first, other, QUESTIONS * sizeof *first);
        }
    }
    landscape_free(&landscape);
}

/* Presets lie within their ranges; names contain no delimiters of --strategy. */
static void test_parameters(void **state)
{
    (void)state;
    for (size_t i = 0; i < strategy_driver_count; i++) {
        const struct strategy_driver *driver = strategy_drivers[i];
        for (size_t j = 0; j < driver->parameter_count; j++) {
            const struct strategy_parameter *parameter = &driver->parameters[j];
            assert_true(parameter->low <= parameter->preset && parameter->preset <= parameter->high);
            assert_int_equal(strcspn(parameter->name, "=,: "), strlen(parameter->name));
            assert_true(strlen(parameter->meaning) > 0);
        }
    }
}

/* One parameter at a time at either end of its range. */
static void test_extreme_parameters(void **state)
{
    (void)state;
    struct landscape landscape;
    landscape_create(&landscape, 5, 4, 3, 3, MOST);
    size_t order[MOST];
    for (size_t i = 0; i < strategy_driver_count; i++) {
        const struct strategy_driver *driver = strategy_drivers[i];
        double values[32];
        assert_true(driver->parameter_count <= 32);
        for (size_t j = 0; j < 2 * driver->parameter_count; j++) {
            for (size_t k = 0; k < driver->parameter_count; k++)
                values[k] = driver->parameters[k].preset;
            values[j / 2] = j % 2 ? driver->parameters[j / 2].high : driver->parameters[j / 2].low;
            const struct strategy_setup setup = {.seed = j, .parameters = values};
            struct outcome outcome = drive_all(&landscape, driver, setup, 4, MOST, order);
            assert_int_equal(outcome.count, landscape.count);
        }
    }
    landscape_free(&landscape);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_visits_all),  cmocka_unit_test(test_all_fail),
        cmocka_unit_test(test_tiny_spaces), cmocka_unit_test(test_reproducible),
        cmocka_unit_test(test_parameters),  cmocka_unit_test(test_extreme_parameters),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

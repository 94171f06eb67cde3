/* SPDX-License-Identifier: Apache-2.0 */
/* Searches with each allocation failing in turn: an error every time, or the same questions as without; and no leak.
 */
#include "tests/unit/search/landscape.h"

#include "tests/unit/failing_allocator.h"

enum { EVALUATIONS = 50, STORED = 30, UNDER_WAY = 4 };

/* Results of an earlier sweep, then questions with some evaluations under way. False when out of memory. */
static bool run(const struct landscape *landscape, const struct strategy_driver *driver, size_t *order)
{
    struct error error = {0};
    struct search *search;
    const size_t prior = 12;
    const struct strategy_setup setup = {.space = landscape->space, .seed = 4, .priors = &prior, .prior_count = 1};
    if (!search_create(driver, &setup, &search, &error)) {
        assert_int_equal(error.code, ERROR_OUT_OF_MEMORY);
        return false;
    }
    bool done = true;
    for (size_t i = 0; done && i < STORED; i++) {
        struct observation stored = landscape_observe(landscape, i * 7);
        done = search_tell(search, &stored);
    }
    for (size_t i = 0; done && i < EVALUATIONS; i++) {
        done = search_ask(search, &order[i]) == ASK_READY;
        if (done && i >= UNDER_WAY) {
            struct observation observation = landscape_observe(landscape, order[i - UNDER_WAY]);
            done = search_tell(search, &observation);
        }
    }
    search_free(search);
    return done;
}

static void fail_each(const struct landscape *landscape, const struct strategy_driver *driver)
{
    size_t expected[EVALUATIONS], order[EVALUATIONS], n = 1;
    assert_true(run(landscape, driver, expected));
    for (bool failed = true; failed; n++) {
        failing_allocator_begin(n);
        bool done = run(landscape, driver, order);
        failed = failing_allocator_end();
        assert_true(done || failed);
        if (done && memcmp(order, expected, sizeof order) != 0)
            fail_msg("%s asks differently after allocation %zu failed", driver->name, n);
    }
    assert_true(n > 5);
}

static void test_every_strategy(void **state)
{
    (void)state;
    struct landscape landscape;
    landscape_create(&landscape, 12, 10, 6, 3, SIZE_MAX);
    for (size_t i = 0; i < strategy_driver_count; i++)
        fail_each(&landscape, strategy_drivers[i]);
    landscape_free(&landscape);
}

static void test_choice(void **state)
{
    (void)state;
    bool failed = true;
    for (size_t n = 1; failed; n++) {
        const struct strategy_driver *driver;
        double *parameters = NULL;
        struct error error = {0};
        failing_allocator_begin(n);
        bool done = strategy_choose("genetic:population=20", &driver, &parameters, &error);
        failed = failing_allocator_end();
        assert_true(done != failed);
        assert_true(done || error.code == ERROR_OUT_OF_MEMORY);
        free(parameters);
        failing_allocator_begin(n);
        assert_false(strategy_choose("genetics", &driver, &parameters, &error)); /* at worst without its hint */
        failing_allocator_end();
        assert_int_equal(error.code, ERROR_INPUT);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_strategy),
        cmocka_unit_test(test_choice),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

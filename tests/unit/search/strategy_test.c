/* SPDX-License-Identifier: Apache-2.0 */
/* The table of strategies. */
#include "tests/unit/search/landscape.h"

static void test_table(void **state)
{
    (void)state;
    assert_null(strategy_find("guesswork"));
    for (size_t i = 0; i < strategy_driver_count; i++) {
        assert_ptr_equal(strategy_find(strategy_drivers[i]->name), strategy_drivers[i]);
        assert_true(strlen(strategy_drivers[i]->meaning) > 0);
    }
}

/* In an empty space there is nothing to ask, for any strategy. */
static void test_empty_space(void **state)
{
    (void)state;
    struct landscape landscape;
    landscape_create(&landscape, 2, 2, 2, 2, 0);
    assert_int_equal(landscape.count, 0);
    const struct strategy_setup setup = {.space = landscape.space, .seed = 1};
    for (size_t i = 0; i < strategy_driver_count; i++) {
        struct search *search;
        struct error error;
        size_t index;
        assert_success(search_create(strategy_drivers[i], &setup, &search, &error), &error);
        assert_int_equal(search_ask(search, &index), ASK_END);
        search_free(search);
    }
    landscape_free(&landscape);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_table),
        cmocka_unit_test(test_empty_space),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

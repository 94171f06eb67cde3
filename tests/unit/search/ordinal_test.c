/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/unit/fixture.h"

#include "tuner/search/ordinal.h"

enum { DIMENSIONS = 5, CONFIGURATIONS = 3 };

/* Numbers, mixed ones, numbers that may be unset, words, and a parameter that is set or not. */
static void test_which_are_numbers(void **state)
{
    (void)state;
    const struct value unset = {.kind = VALUE_UNSET};
    const struct value tiles[] = {value_integer(8), value_integer(2), value_float(4)};
    const struct value mixed[] = {value_integer(1), value_string("auto"), unset};
    const struct value widths[] = {unset, value_integer(16), value_integer(4)};
    const struct value words[] = {value_string("row"), value_string("column"), value_boolean(true)};
    const struct value absent[] = {unset, value_boolean(true), value_boolean(false)};
    const struct dimension dimensions[DIMENSIONS] = {
        {"tiles", tiles, 3}, {"mixed", mixed, 3}, {"widths", widths, 3}, {"words", words, 3}, {"absent", absent, 3}};
    static const size_t expected[DIMENSIONS] = {3, 0, 2, 0, 0};
    uint16_t rows[CONFIGURATIONS][DIMENSIONS];
    struct search_space *space;
    struct error error;
    for (size_t i = 0; i < CONFIGURATIONS; i++) {
        for (size_t d = 0; d < DIMENSIONS; d++)
            rows[i][d] = (uint16_t)i;
    }
    assert_success(search_space_listed(dimensions, DIMENSIONS, rows[0], CONFIGURATIONS, &space, &error), &error);
    for (size_t d = 0; d < DIMENSIONS; d++)
        assert_int_equal(ordinal_positions(space, d), expected[d]);
    assert_true(ordinal_value(space, 0, 0) == 2 && ordinal_value(space, 0, 1) == 4);
    assert_true(ordinal_value(space, 2, 0) == 4 && ordinal_value(space, 2, 1) == 16);
    search_space_free(space);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_which_are_numbers)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

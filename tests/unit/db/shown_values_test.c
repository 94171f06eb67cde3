/* SPDX-License-Identifier: Apache-2.0 */
/* The best row of each value and of each pair of values, against a search of all rows. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "db/shown_values.h"

#include <stdio.h>
#include <string.h>

enum { MOST = 4096 };

static size_t best(const struct shown_values *values, size_t *ranks)
{
    size_t count = shown_values_best(values, ranks, MOST);
    assert_true(count < MOST);
    return count;
}

static bool has(const size_t *ranks, size_t count, size_t rank)
{
    for (size_t i = 0; i < count; i++) {
        if (ranks[i] == rank)
            return true;
    }
    return false;
}

/* Rank r has A = r % 3, B = a text of (r / 3) % 2 with what separates members, and C = 1, always. */
static void add_grid(struct shown_values *values, size_t rows)
{
    for (size_t r = rows; r-- > 0;) {
        char text[96];
        snprintf(text, sizeof text, "{\"A\":%zu,\"B\":\"x,}\\\"%s\",\"C\":1}", r % 3, r / 3 % 2 ? "two" : "one");
        shown_values_add(values, text, r, 100 + (double)r);
    }
}

static void each_value_and_pair_has_its_best(void **state)
{
    (void)state;
    static size_t ranks[MOST];
    struct shown_values *values = shown_values_create();
    assert_non_null(values);
    add_grid(values, 60);
    size_t count = best(values, ranks);
    for (size_t r = 0; r < 6; r++) /* the six pairs of A and B begin with the first six rows */
        assert_true(has(ranks, count, r));
    for (size_t i = 0; i < count; i++)
        assert_true(ranks[i] < 6);
    assert_int_equal(count, 5 + 6); /* C has but one value */
    shown_values_free(values);
}

static void pairs_of_what_matters_come_first(void **state)
{
    (void)state;
    static size_t ranks[MOST];
    struct shown_values *values = shown_values_create();
    assert_non_null(values);
    for (size_t r = 0; r < 64; r++) { /* A doubles the cost, B halves the rest; C hardly matters */
        char text[64];
        snprintf(text, sizeof text, "{\"C\":%zu,\"B\":%zu,\"A\":%zu}", r % 4, r / 4 % 4, r / 16);
        const size_t cost = 1000 * (1 + r / 16) + 100 * (r / 4 % 4) + r % 4;
        shown_values_add(values, text, r, (double)cost);
    }
    assert_int_equal(shown_values_best(values, ranks, 12 + 16), 12 + 16);
    for (size_t i = 12; i < 28; i++) /* the best of each pair of A and B has C = 0 */
        assert_int_equal(ranks[i] % 4, 0);
    assert_int_equal(shown_values_best(values, ranks, 5), 5);
    shown_values_free(values);
}

static void what_is_no_value_is_left_out(void **state)
{
    (void)state;
    static size_t ranks[MOST];
    static const char *const texts[] = {"",        "{",        "[1]",       "{}",          "{\"A",
                                        "{\"A\":", "{\"A\":1", "{\"A\":\"", "{\"A\":\"\\", "null"};
    struct shown_values *values = shown_values_create();
    assert_non_null(values);
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        shown_values_add(values, texts[i], i, 5);
    for (size_t r = 100; r < 3000; r++) { /* N has too many values, and there are too many parameters */
        char text[64];
        snprintf(text, sizeof text, "{\"N\":%zu,\"P%zu\":%zu}", r, r % 100, r % 2);
        shown_values_add(values, text, r, (double)r);
    }
    size_t count = best(values, ranks);
    for (size_t i = 0; i < count; i++)
        assert_true(ranks[i] < 3000);
    shown_values_free(values);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_value_and_pair_has_its_best),
        cmocka_unit_test(pairs_of_what_matters_come_first),
        cmocka_unit_test(what_is_no_value_is_left_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

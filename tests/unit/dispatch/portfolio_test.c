/* SPDX-License-Identifier: Apache-2.0 */
/* Against all portfolios of random tables, and by hand. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tuner/dispatch/portfolio.h"

#include <math.h>
#include <stdlib.h>

/* The specialist of two sizes, that of the third, and one that is never best but good everywhere. */
static void few_members_are_generalists(void **state)
{
    (void)state;
    static const double loss[] = {
        0,    0,    0.9,  //
        0.9,  0.9,  0,    //
        0.25, 0.25, 0.25, //
    };
    static const double weights[] = {1, 1, 1}, heavy_third[] = {1, 1, 100};
    struct portfolio_table table = {.configurations = 3, .sizes = 3, .loss = loss, .weights = weights};
    size_t chosen[3], count;
    assert_true(portfolio_choose(&table, 1, chosen, &count, NULL));
    assert_int_equal(count, 1);
    assert_int_equal(chosen[0], 2);
    table.weights = heavy_third;
    assert_true(portfolio_choose(&table, 1, chosen, &count, NULL));
    assert_int_equal(chosen[0], 1);
}

static void what_gains_nothing_does_not_join(void **state)
{
    (void)state;
    static const double loss[] = {0, 0, 0.5, 0, 0.5, 0, 0, 0.1};
    static const double weights[] = {1, 1};
    const struct portfolio_table table = {.configurations = 4, .sizes = 2, .loss = loss, .weights = weights};
    size_t chosen[4], count;
    assert_true(portfolio_choose(&table, 4, chosen, &count, NULL));
    assert_int_equal(count, 1);
    assert_int_equal(chosen[0], 0);
}

/* Greedy begins with the generalist, which two specialists beat. */
static void exchanges_undo_what_greed_began(void **state)
{
    (void)state;
    static const double loss[] = {
        0.3, 0.3, 0.3, 0.3, //
        0,   0,   0.9, 0.9, //
        0.9, 0.9, 0,   0,   //
    };
    static const double weights[] = {1, 1, 1, 1};
    const struct portfolio_table table = {.configurations = 3, .sizes = 4, .loss = loss, .weights = weights};
    size_t chosen[3], count;
    assert_true(portfolio_choose(&table, 2, chosen, &count, NULL));
    assert_int_equal(count, 2);
    assert_int_equal(chosen[0], 0);
    assert_true(portfolio_exchange(&table, chosen, count, NULL));
    assert_true(portfolio_loss(&table, chosen, count) == 0);
}

static double random_number(uint32_t *state)
{
    *state = *state * 1664525U + 1013904223U;
    return (double)(*state >> 8) / (double)(1U << 24);
}

enum { CONFIGURATIONS = 9, SIZES = 7 };

static double least_of_triples(const struct portfolio_table *table)
{
    double best = INFINITY;
    for (size_t a = 0; a < CONFIGURATIONS; a++) {
        for (size_t b = a + 1; b < CONFIGURATIONS; b++) {
            for (size_t c = b + 1; c < CONFIGURATIONS; c++)
                best = fmin(best, portfolio_loss(table, (size_t[]){a, b, c}, 3));
        }
    }
    return best;
}

/* No single exchange helps at the end, and the result is near the best of all. */
static void results_are_near_the_best(void **state)
{
    (void)state;
    uint32_t seed = 1;
    double ratio = 0;
    int tables = 0;
    while (tables < 50) {
        double loss[CONFIGURATIONS * SIZES], weights[SIZES];
        for (size_t i = 0; i < CONFIGURATIONS * SIZES; i++)
            loss[i] = random_number(&seed);
        for (size_t i = 0; i < SIZES; i++)
            weights[i] = 0.1 + random_number(&seed);
        const struct portfolio_table table = {CONFIGURATIONS, SIZES, loss, weights};
        size_t chosen[3], count;
        assert_true(portfolio_choose(&table, 3, chosen, &count, NULL));
        if (count < 3) /* two are the best everywhere */
            continue;
        tables++;
        double greedy = portfolio_loss(&table, chosen, count);
        assert_true(portfolio_exchange(&table, chosen, count, NULL));
        double own = portfolio_loss(&table, chosen, count), best = least_of_triples(&table);
        assert_true(own <= greedy + 1e-12 && own >= best - 1e-12);
        for (size_t i = 0; i < 3; i++) {
            for (size_t c = 0; c < CONFIGURATIONS; c++) {
                size_t other[3] = {chosen[0], chosen[1], chosen[2]};
                other[i] = c;
                assert_true(portfolio_loss(&table, other, 3) > own - 1e-8);
            }
        }
        ratio += own / best / 50;
    }
    assert_true(ratio < 1.05);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(few_members_are_generalists),
        cmocka_unit_test(what_gains_nothing_does_not_join),
        cmocka_unit_test(exchanges_undo_what_greed_began),
        cmocka_unit_test(results_are_near_the_best),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

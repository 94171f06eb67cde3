/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/unit/search/landscape.h"

#include "tuner/search/population.h"

/* Against all that was offered: the best stay, sorted; failures never join. */
static void test_keeps_the_best(void **state)
{
    (void)state;
    enum { SIZE = 10, OFFERED = 500 };
    struct generator generator = {.state = 2};
    struct population population;
    double objectives[OFFERED];
    assert_true(population_create(&population, SIZE));
    for (size_t i = 0; i < OFFERED; i++) {
        objectives[i] = generator_real(&generator);
        assert_false(population_join(&population, i, INFINITY));
        population_join(&population, i, objectives[i]);
    }
    assert_int_equal(population.count, SIZE);
    for (size_t rank = 0; rank < SIZE; rank++) {
        size_t better = 0;
        const struct member *member = &population.members[rank];
        assert_true(member->objective == objectives[member->index]);
        for (size_t i = 0; i < OFFERED; i++)
            better += objectives[i] < member->objective;
        assert_int_equal(better, rank);
        assert_ptr_equal(population_choose(&population, &generator, 1000), &population.members[0]);
    }
    population_clear(&population);
}

static void test_replaces_the_worst(void **state)
{
    (void)state;
    struct population population;
    assert_true(population_create(&population, 2));
    assert_true(population_join(&population, 10, 5));
    assert_true(population_join(&population, 11, 3));
    assert_false(population_join(&population, 12, 5)); /* a tie with the worst */
    assert_true(population_join(&population, 13, 4));
    assert_int_equal(population.count, 2);
    assert_int_equal(population.members[0].index, 11);
    assert_int_equal(population.members[1].index, 13);
    population_clear(&population);
}

/*
 * Rank floor(4 u^p): P(rank < k) = (k / 4)^(1 / p). For p = 1 the best of four is chosen with probability 1/4, for p
 * = 2 with probability 1/2; the standard deviation in 4000 draws is at most 32.
 */
static void test_pressure(void **state)
{
    (void)state;
    enum { SIZE = 4, DRAWS = 4000 };
    struct population population;
    struct generator generator = {.state = 1};
    assert_true(population_create(&population, SIZE));
    for (size_t i = 0; i < SIZE; i++)
        assert_true(population_join(&population, i, (double)i));
    for (int pressure = 1; pressure <= 2; pressure++) {
        int chosen[SIZE] = {0};
        for (int i = 0; i < DRAWS; i++)
            chosen[population_choose(&population, &generator, pressure)->index]++;
        int below = 0;
        for (int rank = 0; rank < SIZE; rank++) {
            below += chosen[rank];
            assert_true(fabs(below - DRAWS * pow((rank + 1) / 4.0, 1.0 / pressure)) < 5 * 32);
        }
    }
    population_clear(&population);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_keeps_the_best),
        cmocka_unit_test(test_replaces_the_worst),
        cmocka_unit_test(test_pressure),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

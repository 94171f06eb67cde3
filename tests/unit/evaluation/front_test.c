/* SPDX-License-Identifier: Apache-2.0 */
/* Fronts found by hand and by definition; hypervolumes worked out by hand, and by inclusion and exclusion of the
 * boxes that the points dominate. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tuner/evaluation/front.h"

#include <math.h>

enum { POINTS = 12 };

static void dominance(void **state)
{
    (void)state;
    const double a[] = {1, 2, 3}, equal[] = {1, 2, 3}, worse[] = {1, 2, 4}, other[] = {0, 9, 3};
    assert_true(front_dominates(a, worse, 3));
    assert_false(front_dominates(worse, a, 3));
    assert_false(front_dominates(a, equal, 3));
    assert_false(front_dominates(a, other, 3) || front_dominates(other, a, 3));
    assert_false(front_dominates(a, worse, 2)); /* equal in these */
}

static void a_front_is_in_order_and_has_the_first_of_equals(void **state)
{
    (void)state;
    const double costs[][2] = {{5, 1}, {2, 4}, {3, 3}, {3, 5}, {2, 4}, {1, 9}, {6, 1}, {2, 6}};
    const size_t expected[] = {5, 1, 2, 0};
    size_t members[8];
    assert_int_equal(front_find(&costs[0][0], 8, 2, members), 4);
    assert_memory_equal(members, expected, sizeof expected);
    assert_int_equal(front_find(&costs[0][0], 0, 2, members), 0);
    assert_int_equal(front_find(&costs[0][0], 8, 1, members), 1); /* of the numbers 5, 1, 2, 4, 3, 3, 3, 5 */
    assert_int_equal(members[0], 1);
}

/* 0 to 7, so that some coordinates are equal. */
static void scatter(uint64_t seed, double *costs, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        seed = seed * 6364136223846793005u + 1442695040888963407u;
        costs[i] = (double)(seed >> 61);
    }
}

static void a_front_is_all_that_nothing_dominates(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 50; seed++) {
        double costs[POINTS * 3];
        size_t members[POINTS], expected = 0;
        scatter(seed, costs, POINTS * 3);
        for (size_t i = 0; i < POINTS; i++) {
            bool beaten = false;
            for (size_t j = 0; j < POINTS; j++) {
                const double *one = &costs[i * 3], *other = &costs[j * 3];
                bool equal = one[0] == other[0] && one[1] == other[1] && one[2] == other[2];
                beaten = beaten || front_dominates(other, one, 3) || (equal && j < i);
            }
            expected += !beaten;
        }
        size_t found = front_find(costs, POINTS, 3, members);
        assert_int_equal(found, expected);
        for (size_t i = 0; i < found; i++) {
            for (size_t j = 0; j < POINTS; j++)
                assert_false(front_dominates(&costs[j * 3], &costs[members[i] * 3], 3));
        }
    }
}

static void hypervolumes_by_hand(void **state)
{
    (void)state;
    size_t order[2 * POINTS];
    const double line[] = {3, 2, 7}, end[] = {5};
    assert_true(front_hypervolume(line, 3, 1, end, order) == 3);
    /* Steps at 1, 2 and 4 of heights 1, 3 and 4 under 5: 1 * 1 + 2 * 3 + 1 * 4. */
    const double steps[][2] = {{4, 1}, {1, 4}, {2, 2}}, corner[] = {5, 5};
    assert_true(front_hypervolume(&steps[0][0], 3, 2, corner, order) == 11);
    /* One that is dominated, and ones on the border or beyond it, add nothing. */
    const double more[][2] = {{4, 1}, {3, 3}, {1, 4}, {2, 2}, {0.5, 5}, {6, 0}};
    assert_true(front_hypervolume(&more[0][0], 6, 2, corner, order) == 11);
    /* Boxes of 2 * 2 * 1 and 1 * 1 * 3 which share 1 * 1 * 1. */
    const double boxes[][3] = {{1, 1, 2}, {2, 2, 0}}, cube[] = {3, 3, 3};
    assert_true(front_hypervolume(&boxes[0][0], 2, 3, cube, order) == 6);
    assert_true(front_hypervolume(&boxes[0][0], 0, 3, cube, order) == 0);
    assert_true(front_hypervolume(&more[0][0], 0, 2, corner, order) == 0);
}

/* The volume of the union of boxes, as sums of those that they share. */
static double inclusion_exclusion(const double *costs, size_t count, size_t objectives, double reference)
{
    double volume = 0;
    for (unsigned set = 1; set < 1u << count; set++) {
        double shared = -1;
        for (size_t k = 0; k < objectives; k++) {
            double most = 0;
            for (size_t i = 0; i < count; i++)
                most = set >> i & 1 ? fmax(most, costs[i * objectives + k]) : most;
            shared *= fmax(reference - most, 0);
        }
        for (size_t i = 0; i < count; i++)
            shared *= set >> i & 1 ? -1 : 1;
        volume += shared;
    }
    return volume;
}

static void hypervolumes_by_definition(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 60; seed++) {
        const double reference[] = {6, 6, 6}; /* some points are outside */
        size_t order[2 * POINTS], count = 1 + seed % 8, objectives = 2 + seed % 2;
        double costs[POINTS * 3];
        scatter(seed, costs, count * objectives);
        /* All numbers are small integers: exact. */
        assert_true(front_hypervolume(costs, count, objectives, reference, order) ==
                    inclusion_exclusion(costs, count, objectives, 6));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(dominance),
        cmocka_unit_test(a_front_is_in_order_and_has_the_first_of_equals),
        cmocka_unit_test(a_front_is_all_that_nothing_dominates),
        cmocka_unit_test(hypervolumes_by_hand),
        cmocka_unit_test(hypervolumes_by_definition),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

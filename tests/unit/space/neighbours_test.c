/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tuner/space/neighbours.h"

enum { SIDE = 6, ALL = SIDE * SIDE, MOST = 64 };

/* The points of a 6 by 6 grid whose bit 6 y + x is set. */
static struct search_space *grid(uint64_t set)
{
    struct value values[SIDE];
    uint16_t rows[ALL][2];
    struct search_space *space;
    size_t count = 0;
    for (int i = 0; i < SIDE; i++)
        values[i] = value_integer(i);
    for (size_t i = 0; i < ALL; i++) {
        if (!(set >> i & 1))
            continue;
        rows[count][0] = (uint16_t)(i % SIDE);
        rows[count++][1] = (uint16_t)(i / SIDE);
    }
    const struct dimension dimensions[] = {{"X", values, SIDE}, {"Y", values, SIDE}};
    assert_true(search_space_listed(dimensions, 2, rows[0], count, &space, NULL));
    return space;
}

/* Does the neighbour differ in one coordinate, with no valid configuration between them if `adjacent`? */
static bool is_neighbour(const struct search_space *space, const uint16_t *one, const uint16_t *other, bool adjacent)
{
    size_t ignored;
    if ((one[0] == other[0]) == (one[1] == other[1]))
        return false;
    size_t d = one[0] == other[0];
    uint16_t between[] = {one[0], one[1]};
    int step = one[d] < other[d] ? 1 : -1;
    for (between[d] = (uint16_t)(one[d] + step); adjacent && between[d] != other[d];
         between[d] = (uint16_t)(between[d] + step)) {
        if (search_space_find(space, between, &ignored))
            return false;
    }
    return true;
}

/* Brute force over all pairs of points in random grids. */
static void test_by_definition(void **state)
{
    (void)state;
    uint64_t random = 12345;
    for (int trial = 0; trial < 40; trial++) {
        random = random * 6364136223846793005U + 1442695040888963407U;
        struct search_space *space = grid(random >> 20);
        for (int kind = NEIGHBOURS_HAMMING; kind <= NEIGHBOURS_ADJACENT; kind++) {
            assert_true(neighbours_most(space, (enum neighbourhood)kind) <= MOST);
            for (size_t i = 0; i < search_space_count(space); i++) {
                uint16_t point[2], other[2];
                size_t list[MOST], expected = 0;
                size_t count = neighbours_list(space, (enum neighbourhood)kind, i, point, list);
                for (size_t j = 0; j < search_space_count(space); j++) {
                    search_space_point(space, j, other);
                    expected += is_neighbour(space, point, other, kind == NEIGHBOURS_ADJACENT);
                }
                assert_int_equal(count, expected);
                for (size_t k = 0; k < count; k++) {
                    search_space_point(space, list[k], other);
                    assert_true(is_neighbour(space, point, other, kind == NEIGHBOURS_ADJACENT));
                    assert_true(k == 0 || list[k] != list[k - 1]);
                }
            }
        }
        search_space_free(space);
    }
}

/* By dimension, positions ascending; neighbours_most leaves room for a line as well. */
static void test_order(void **state)
{
    (void)state;
    struct search_space *space = grid(((uint64_t)1 << ALL) - 1);
    static const size_t hamming[] = {12, 13, 15, 16, 17, 2, 8, 20, 26, 32}, adjacent[] = {13, 15, 8, 20};
    size_t list[MOST];
    uint16_t point[2];
    assert_int_equal(neighbours_most(space, NEIGHBOURS_HAMMING), 5 + 5 + 6);
    assert_int_equal(neighbours_most(space, NEIGHBOURS_ADJACENT), 2 + 2 + 6);
    assert_int_equal(neighbours_list(space, NEIGHBOURS_HAMMING, 14, point, list), 10);
    assert_memory_equal(list, hamming, sizeof hamming);
    assert_int_equal(neighbours_list(space, NEIGHBOURS_ADJACENT, 14, point, list), 4);
    assert_memory_equal(list, adjacent, sizeof adjacent);
    search_space_free(space);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_by_definition),
        cmocka_unit_test(test_order),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/unit/search/landscape.h"

#include "tuner/search/vicinity.h"

static void create(struct explorer *explorer, const struct search_space *space, uint64_t seed)
{
    const struct strategy_setup setup = {.space = space, .seed = seed};
    assert_true(explorer_create(explorer, &setup, DESIGN_RANDOM, 0));
}

static void make_known(struct explorer *explorer, size_t wanted)
{
    size_t index;
    assert_int_equal(explorer_ask(explorer, wanted, 0, &index), ASK_READY);
}

/* Those that differ in one parameter, among all configurations: each comes once, unless it is known. */
static void test_all_neighbours(void **state)
{
    (void)state;
    struct landscape landscape;
    landscape_create(&landscape, 8, 7, 4, 3, SIZE_MAX);
    struct vicinity vicinity = {0};
    for (size_t center = 0; center < landscape.count; center += 13) {
        struct explorer explorer;
        bool *expected = calloc(landscape.count, sizeof *expected);
        size_t index, count = 0, found = 0;
        assert_non_null(expected);
        create(&explorer, landscape.space, center);
        for (size_t i = 0; i < landscape.count; i++) {
            expected[i] = hamming(landscape.space, center, i) == 1;
            if (expected[i] && i % 5 == 0) {
                make_known(&explorer, i);
                expected[i] = false;
            }
            count += expected[i];
        }
        assert_true(vicinity_around(&vicinity, &explorer, center, 2));
        while (found < count && vicinity_next(&vicinity, &explorer, &index)) {
            assert_true(expected[index]);
            expected[index] = false;
            found++;
        }
        assert_int_equal(found, count);
        free(expected);
        explorer_clear(&explorer);
    }
    vicinity_clear(&vicinity);
    landscape_free(&landscape);
}

/* Where two parameters only change together, neighbours differ in two. */
static void test_fixed_product(void **state)
{
    (void)state;
    enum { SIZE = 6 };
    struct value values[SIZE];
    uint16_t rows[SIZE][2];
    struct search_space *space;
    struct explorer explorer;
    struct vicinity vicinity = {0};
    struct error error;
    size_t index;
    for (int i = 0; i < SIZE; i++) {
        values[i] = value_integer(1 << i);
        rows[i][0] = (uint16_t)i;
        rows[i][1] = (uint16_t)(SIZE - 1 - i);
    }
    const struct dimension dimensions[] = {{"x", values, SIZE}, {"y", values, SIZE}};
    assert_success(search_space_listed(dimensions, 2, rows[0], SIZE, &space, &error), &error);
    create(&explorer, space, 1);
    assert_true(vicinity_around(&vicinity, &explorer, 2, 2));
    assert_true(vicinity_next(&vicinity, &explorer, &index));
    assert_int_equal(hamming(space, 2, index), 2);
    vicinity_clear(&vicinity);
    explorer_clear(&explorer);
    search_space_free(space);
}

/*
 * Nine positions, the center in the middle, locality 2: weights 1, 1/4, 1/9, 1/16 on either side. The first neighbour
 * is adjacent with probability 1 / 1.4236 = 0.702; the standard deviation in 2000 draws is 20.5.
 */
static void test_near_ones_first(void **state)
{
    (void)state;
    enum { CENTER = 4, DRAWS = 2000 };
    static const size_t size = 9;
    struct search_space *space = grid_create(&size, 1);
    struct explorer explorer;
    struct vicinity vicinity = {0};
    int adjacent = 0;
    create(&explorer, space, 3);
    for (int i = 0; i < DRAWS; i++) {
        size_t index;
        assert_true(vicinity_around(&vicinity, &explorer, CENTER, 2));
        assert_true(vicinity_next(&vicinity, &explorer, &index));
        adjacent += index == CENTER - 1 || index == CENTER + 1;
    }
    assert_true(fabs(adjacent - DRAWS / (1 + 1 / 4.0 + 1 / 9.0 + 1 / 16.0)) < 5 * 20.5);
    vicinity_clear(&vicinity);
    explorer_clear(&explorer);
    search_space_free(space);
}

/* Of a dimension of very many values only some are drawn; they are neighbours still, and there is an end. */
static void test_long_dimension(void **state)
{
    (void)state;
    static const size_t size = 1000;
    struct search_space *space = grid_create(&size, 1);
    struct explorer explorer;
    struct vicinity vicinity = {0};
    size_t index, count = 0;
    create(&explorer, space, 3);
    make_known(&explorer, 500);
    assert_true(vicinity_around(&vicinity, &explorer, 500, 1));
    for (; vicinity_next(&vicinity, &explorer, &index); count++)
        make_known(&explorer, index);
    assert_in_range(count, 5, 33);
    vicinity_clear(&vicinity);
    explorer_clear(&explorer);
    search_space_free(space);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_all_neighbours),
        cmocka_unit_test(test_fixed_product),
        cmocka_unit_test(test_near_ones_first),
        cmocka_unit_test(test_long_dimension),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

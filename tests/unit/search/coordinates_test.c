/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/unit/search/landscape.h"

#include "tuner/search/coordinates.h"

enum { DIMENSIONS = 7, CONFIGURATIONS = 5 };

/* Configuration i has value i of each dimension, or its last. */
static struct search_space *create(void)
{
    const struct value words[] = {value_string("row"), value_string("column"), value_string("tiled")};
    const struct value one[] = {value_integer(32)};
    const struct value tiles[] = {value_integer(1), value_integer(2), value_integer(4), value_integer(8),
                                  value_integer(16)};
    const struct value unrolls[] = {value_integer(0), value_integer(1), value_integer(3)};
    const struct value offsets[] = {value_integer(-2), value_integer(0), value_integer(6)};
    const struct value mixed[] = {value_integer(1), value_string("auto")};
    const struct value shares[] = {value_float(0.5), value_float(2), value_float(8)};
    const struct dimension dimensions[DIMENSIONS] = {
        {"words", words, 3},     {"one", one, 1},     {"tiles", tiles, 5},   {"unrolls", unrolls, 3},
        {"offsets", offsets, 3}, {"mixed", mixed, 2}, {"shares", shares, 3},
    };
    uint16_t rows[CONFIGURATIONS][DIMENSIONS];
    struct search_space *space;
    struct error error;
    for (size_t i = 0; i < CONFIGURATIONS; i++) {
        for (size_t d = 0; d < DIMENSIONS; d++)
            rows[i][d] = (uint16_t)(i < dimensions[d].count ? i : dimensions[d].count - 1);
    }
    assert_success(search_space_listed(dimensions, DIMENSIONS, rows[0], CONFIGURATIONS, &space, &error), &error);
    return space;
}

/*
 * Ordinal first, in the order declared: tiles by their logarithms (0 .. 4), unrolls by log2(v + 1) as 0 is among them
 * (0, 1, 2), offsets as they are because one is negative (-2, 0, 6), shares by their logarithms (-1, 1, 3), each
 * scaled to 0 .. 1; then the positions of words and mixed. The single value is left out.
 */
static void test_coordinates(void **state)
{
    (void)state;
    static const double expected[CONFIGURATIONS][DIMENSIONS - 1] = {
        {0, 0, 0, 0, 0, 0},    {0.25, 0.5, 0.25, 0.5, 1, 1}, {0.5, 1, 1, 1, 2, 1},
        {0.75, 1, 1, 1, 2, 1}, {1, 1, 1, 1, 2, 1},
    };
    struct search_space *space = create();
    struct coordinates coordinates;
    assert_true(coordinates_create(&coordinates, space));
    assert_int_equal(coordinates.count, DIMENSIONS - 1);
    assert_int_equal(coordinates.ordinal, 4);
    for (size_t i = 0; i < CONFIGURATIONS; i++) {
        double numbers[DIMENSIONS - 1];
        coordinates_of(&coordinates, i, numbers);
        for (size_t c = 0; c < DIMENSIONS - 1; c++)
            assert_true(fabs(numbers[c] - expected[i][c]) < 1e-12);
    }
    coordinates_clear(&coordinates);
    search_space_free(space);
}

enum { MEMBERS = 5, PARAMETERS = 4 };

/* A union: of the first member `tile` is 1, 4 or 16 and `width` is not set, of the second `width` is 2 or 8 and
 * `tile` is 4; `fixed` is 7 in the first alone. */
static struct search_space *create_union(void)
{
    const struct value variants[] = {value_string("tiled"), value_string("wide")};
    const struct value tiles[] = {value_integer(1), value_integer(4), value_integer(16)};
    const struct value widths[] = {value_integer(2), value_integer(8), {.kind = VALUE_UNSET}};
    const struct value fixed[] = {value_integer(7), {.kind = VALUE_UNSET}};
    const struct dimension dimensions[PARAMETERS] = {
        {"variant", variants, 2}, {"tile", tiles, 3}, {"width", widths, 3}, {"fixed", fixed, 2}};
    static const uint16_t rows[MEMBERS][PARAMETERS] = {
        {0, 0, 2, 0}, {0, 1, 2, 0}, {0, 2, 2, 0}, {1, 1, 0, 1}, {1, 1, 1, 1}};
    struct search_space *space;
    struct error error;
    assert_success(search_space_listed(dimensions, PARAMETERS, rows[0], MEMBERS, &space, &error), &error);
    return space;
}

/* tile and width are ordinal, where it is not set the latter is in the middle; then the variant; the last coordinate
 * is of the members alone. */
static void test_union(void **state)
{
    (void)state;
    static const double expected[MEMBERS][3] = {{0, 0.5, 0}, {0.5, 0.5, 0}, {1, 0.5, 0}, {0.5, 0, 1}, {0.5, 1, 1}};
    struct search_space *space = create_union();
    struct coordinates coordinates;
    double numbers[MEMBERS][4];
    assert_true(coordinates_create(&coordinates, space));
    assert_int_equal(coordinates.count, 4);
    assert_int_equal(coordinates.ordinal, 2);
    for (size_t i = 0; i < MEMBERS; i++) {
        coordinates_of(&coordinates, i, numbers[i]);
        for (size_t c = 0; c < 3; c++)
            assert_true(fabs(numbers[i][c] - expected[i][c]) < 1e-12);
        assert_true((numbers[i][3] == numbers[0][3]) == (i < 3));
        assert_true(i < 3 || numbers[i][3] == numbers[3][3]);
    }
    assert_true(fabs(coordinates_distance(&coordinates, numbers[0], numbers[2]) - 1) < 1e-12);
    assert_true(fabs(coordinates_distance(&coordinates, numbers[1], numbers[4]) - 2.25) < 1e-12);
    coordinates_clear(&coordinates);
    search_space_free(space);
}

/* Where nothing varies there are no coordinates. */
static void test_no_coordinates(void **state)
{
    (void)state;
    static const size_t sizes[] = {1, 1};
    struct search_space *space = grid_create(sizes, 2);
    struct coordinates coordinates;
    assert_true(coordinates_create(&coordinates, space));
    assert_int_equal(coordinates.count, 0);
    assert_int_equal(coordinates.ordinal, 0);
    coordinates_clear(&coordinates);
    search_space_free(space);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_coordinates),
        cmocka_unit_test(test_union),
        cmocka_unit_test(test_no_coordinates),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

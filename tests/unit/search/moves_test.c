/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/unit/search/landscape.h"

#include "tuner/search/moves.h"

/* Moves end at valid configurations. A step changes one or two parameters; the way to a valid point arrives there,
 * and the way to an invalid one takes each parameter from either end. */
static void try_moves(const struct search_space *space, size_t dimensions)
{
    struct generator generator = {.state = 4};
    struct moves moves;
    size_t count = search_space_count(space);
    assert_int_equal(search_space_dimensions(space), dimensions);
    assert_true(moves_create(&moves, space, &generator));
    for (int i = 0; i < 2000; i++) {
        size_t from = generator_below(&generator, count), to = count, found;
        uint16_t start[LANDSCAPE_DIMENSIONS], end[LANDSCAPE_DIMENSIONS], wanted[LANDSCAPE_DIMENSIONS];
        search_space_point(space, from, start);
        assert_true(moves_step(&moves, from, 1.5, &to));
        assert_true(to < count);
        search_space_point(space, to, end);
        size_t changed = 0;
        for (size_t d = 0; d < dimensions; d++) {
            changed += start[d] != end[d];
            wanted[d] = (uint16_t)generator_below(&generator, search_space_positions(space, d));
        }
        assert_true(changed == 1 || changed == 2);
        size_t reached = moves_towards(&moves, from, wanted), settled = moves_repair(&moves, wanted);
        assert_true(reached < count && settled < count);
        if (search_space_find(space, wanted, &found))
            assert_true(reached == found && settled == found);
        search_space_point(space, reached, end);
        for (size_t d = 0; d < dimensions; d++)
            assert_true(end[d] == start[d] || end[d] == wanted[d]);
    }
    moves_clear(&moves);
}

static void test_moves(void **state)
{
    (void)state;
    struct landscape landscape;
    landscape_create(&landscape, 12, 10, 6, 3, SIZE_MAX);
    try_moves(landscape.space, LANDSCAPE_DIMENSIONS);
    landscape_free(&landscape);
}

/* The same in a space that is not listed but a decision diagram. */
static void test_moves_in_a_diagram(void **state)
{
    (void)state;
    struct fixture fixture;
    fixture_create(&fixture,
                   "template t\nsize n = 4\nparameter A\nparameter B\nparameter C\nsource \"k.cu\"\n"
                   "buffer y : float[n] out\nlaunch { k<<<1, 1>>>(y) }\nreference \"r.cu\" { r<<<1, 1>>>(ref(y)) }\n"
                   "check y exact\n",
                   "space s of t\nparam A = range(1, 30)\nparam B = range(1, 30)\nparam C = range(0, 9)\n"
                   "where A % B == 0 or B > 20\nwhere A + C < 32\n");
    try_moves(problem_search_space(fixture.problem), 3);
    fixture_free(&fixture);
}

/* Two parameters with a fixed product: every valid point is reached. */
static void test_way_along_a_fixed_product(void **state)
{
    (void)state;
    struct value values[6];
    uint16_t rows[6][2];
    struct search_space *space;
    struct generator generator = {.state = 1};
    struct moves moves;
    struct error error;
    for (uint16_t i = 0; i < 6; i++) {
        values[i] = value_integer(1 << i);
        rows[i][0] = i;
        rows[i][1] = (uint16_t)(5 - i);
    }
    const struct dimension dimensions[] = {{"x", values, 6}, {"y", values, 6}};
    assert_success(search_space_listed(dimensions, 2, rows[0], 6, &space, &error), &error);
    assert_true(moves_create(&moves, space, &generator));
    for (size_t to = 0; to < 6; to++)
        assert_int_equal(moves_towards(&moves, 2, rows[to]), to);
    const uint16_t invalid[] = {4, 4};
    assert_true(moves_repair(&moves, invalid) < 6);
    moves_clear(&moves);
    search_space_free(space);
}

/* x * y is fixed and z = 1 valid at one point only. The way to an invalid point changes x and y at once, and not z.
 */
static void test_way_by_pairs(void **state)
{
    (void)state;
    enum { SIZE = 6 };
    struct value values[SIZE];
    uint16_t rows[SIZE + 1][3];
    struct search_space *space;
    struct generator generator = {.state = 1};
    struct moves moves;
    struct error error;
    for (int i = 0; i <= SIZE; i++) {
        uint16_t x = (uint16_t)(i % SIZE);
        memcpy(rows[i], (uint16_t[]){x, (uint16_t)(SIZE - 1 - x), i == SIZE}, sizeof rows[i]);
        values[x] = value_integer(1 << x);
    }
    const struct dimension dimensions[] = {{"x", values, SIZE}, {"y", values, SIZE}, {"z", values, 2}};
    assert_success(search_space_listed(dimensions, 3, rows[0], SIZE + 1, &space, &error), &error);
    assert_true(moves_create(&moves, space, &generator));
    for (int x = 1; x < SIZE; x++) {
        const uint16_t wanted[] = {(uint16_t)x, (uint16_t)(SIZE - 1 - x), 1};
        for (size_t from = 1; from < SIZE; from++)
            assert_int_equal(moves_towards(&moves, from, wanted), x);
    }
    moves_clear(&moves);
    search_space_free(space);
}

/*
 * A change by k positions has probability proportional to 1 / k^locality, in its continuous form: with locality 1 and
 * six positions above the end of a dimension, lengths 1 .. 6 are the parts of [0, 1] up to log(k + 1) / log(7).
 */
static void test_step_lengths(void **state)
{
    (void)state;
    enum { POSITIONS = 7, DRAWS = 7000 };
    static const size_t size = POSITIONS;
    struct search_space *space = grid_create(&size, 1);
    struct generator generator = {.state = 3};
    struct moves moves;
    int drawn[POSITIONS] = {0}, below = 0;
    assert_true(moves_create(&moves, space, &generator));
    for (int i = 0; i < DRAWS; i++)
        drawn[moves_other_position(&moves, 0, 0, 1)]++;
    assert_int_equal(drawn[0], 0);
    for (int k = 1; k < POSITIONS; k++) {
        below += drawn[k];
        assert_true(fabs(below - DRAWS * log(k + 1) / log(POSITIONS)) < 5 * 42); /* the standard deviation is 42 */
    }
    assert_int_equal(moves_distance(&moves, 0, 5, 2), 3);
    moves_clear(&moves);
    search_space_free(space);
}

/* Categorical values are equally far apart and equally likely: 3000 draws of two others, standard deviation 27. */
static void test_categorical(void **state)
{
    (void)state;
    enum { WORD = 3 };
    struct landscape landscape;
    struct generator generator = {.state = 3};
    struct moves moves;
    int drawn[3] = {0};
    landscape_create(&landscape, 2, 2, 2, 3, SIZE_MAX);
    assert_true(moves_create(&moves, landscape.space, &generator));
    assert_int_equal(moves_distance(&moves, WORD, 0, 2), 1);
    assert_int_equal(moves_distance(&moves, WORD, 2, 2), 0);
    for (int i = 0; i < 3000; i++)
        drawn[moves_other_position(&moves, WORD, 1, 4)]++;
    assert_int_equal(drawn[1], 0);
    assert_in_range(drawn[0], 1500 - 5 * 27, 1500 + 5 * 27);
    moves_clear(&moves);
    landscape_free(&landscape);
}

/* A number that may be unset: of four positions a fourth of the moves unset it, the others go to near numbers, and
 * from there to any of the three. 4000 draws, standard deviation 27 and 30. */
static void test_unset(void **state)
{
    (void)state;
    enum { UNSET = 3 };
    const struct value widths[] = {value_integer(1), value_integer(2), value_integer(8), {.kind = VALUE_UNSET}};
    const struct dimension dimension = {"width", widths, 4};
    static const uint16_t rows[] = {0, 1, 2, 3};
    struct search_space *space;
    struct generator generator = {.state = 3};
    struct moves moves;
    struct error error;
    int from_least[4] = {0}, from_unset[4] = {0};
    assert_success(search_space_listed(&dimension, 1, rows, 4, &space, &error), &error);
    assert_true(moves_create(&moves, space, &generator));
    assert_int_equal(moves_distance(&moves, 0, 0, 2), 2);
    assert_int_equal(moves_distance(&moves, 0, 0, UNSET), 1);
    assert_int_equal(moves_distance(&moves, 0, UNSET, UNSET), 0);
    for (int i = 0; i < 4000; i++) {
        from_least[moves_other_position(&moves, 0, 0, 4)]++;
        from_unset[moves_other_position(&moves, 0, UNSET, 4)]++;
    }
    assert_int_equal(from_least[0], 0);
    assert_in_range(from_least[UNSET], 1000 - 5 * 27, 1000 + 5 * 27);
    assert_true(from_least[1] > 4 * from_least[2]);
    assert_int_equal(from_unset[UNSET], 0);
    for (int i = 0; i < UNSET; i++)
        assert_in_range(from_unset[i], 1333 - 5 * 30, 1333 + 5 * 30);
    moves_clear(&moves);
    search_space_free(space);
}

/* Nothing to change in a space of one configuration. */
static void test_single_configuration(void **state)
{
    (void)state;
    static const size_t sizes[] = {1, 1};
    static const uint16_t point[] = {0, 0};
    struct search_space *space = grid_create(sizes, 2);
    struct generator generator = {.state = 3};
    struct moves moves;
    size_t to;
    assert_true(moves_create(&moves, space, &generator));
    assert_false(moves_step(&moves, 0, 2, &to));
    assert_int_equal(moves_towards(&moves, 0, point), 0);
    assert_int_equal(moves_repair(&moves, point), 0);
    moves_clear(&moves);
    search_space_free(space);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_moves),
        cmocka_unit_test(test_moves_in_a_diagram),
        cmocka_unit_test(test_way_along_a_fixed_product),
        cmocka_unit_test(test_way_by_pairs),
        cmocka_unit_test(test_step_lengths),
        cmocka_unit_test(test_categorical),
        cmocka_unit_test(test_unset),
        cmocka_unit_test(test_single_configuration),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

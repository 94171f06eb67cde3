/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/unit/search/landscape.h"

#include "tuner/search/design.h"
#include "tuner/search/moves.h"

static const size_t square[] = {LANDSCAPE_POSITIONS, LANDSCAPE_POSITIONS};

/* A design and what it needs. */
struct drawing {
    struct search_space *space;
    struct generator generator;
    struct moves moves;
    struct design *design;
};

static void drawing_create(struct drawing *drawing, const size_t *sizes, enum design_kind kind, size_t size)
{
    static const struct strategy_setup setup = {0};
    *drawing = (struct drawing){.generator.state = 9, .space = grid_create(sizes, 2)};
    assert_true(moves_create(&drawing->moves, drawing->space, &drawing->generator));
    drawing->design = design_create(kind, size, &setup, &drawing->moves);
    assert_non_null(drawing->design);
}

static void drawing_free(struct drawing *drawing)
{
    design_free(drawing->design);
    moves_clear(&drawing->moves);
    search_space_free(drawing->space);
}

/* Of n points of a Latin hypercube, each n-th part of each dimension has one. */
static void test_latin_hypercube(void **state)
{
    (void)state;
    enum { POINTS = 16, PART = LANDSCAPE_POSITIONS / POINTS };
    struct drawing drawing;
    drawing_create(&drawing, square, DESIGN_LATIN, POINTS);
    for (int cube = 0; cube < 5; cube++) {
        bool taken[2][POINTS] = {{false}};
        for (size_t i = 0; i < POINTS; i++) {
            uint16_t point[2];
            search_space_point(drawing.space, design_next(drawing.design), point);
            for (size_t d = 0; d < 2; d++) {
                assert_false(taken[d][point[d] / PART]);
                taken[d][point[d] / PART] = true;
            }
        }
    }
    drawing_free(&drawing);
}

/* The discrepancy over all boxes at the origin, in positions; of random points it is about 0.8 / sqrt(n), here twice
 * the bound. */
static void test_halton_is_even(void **state)
{
    (void)state;
    enum { POINTS = 256 };
    struct drawing drawing;
    size_t below[LANDSCAPE_POSITIONS + 1][LANDSCAPE_POSITIONS + 1] = {{0}};
    double discrepancy = 0;
    drawing_create(&drawing, square, DESIGN_HALTON, 0);
    for (size_t i = 0; i < POINTS; i++) {
        uint16_t point[2];
        search_space_point(drawing.space, design_next(drawing.design), point);
        for (size_t x = point[0] + 1u; x <= LANDSCAPE_POSITIONS; x++) {
            for (size_t y = point[1] + 1u; y <= LANDSCAPE_POSITIONS; y++)
                below[x][y]++;
        }
    }
    for (size_t x = 0; x <= LANDSCAPE_POSITIONS; x++) {
        for (size_t y = 0; y <= LANDSCAPE_POSITIONS; y++) {
            double area = (double)(x * y) / (LANDSCAPE_POSITIONS * LANDSCAPE_POSITIONS);
            discrepancy = fmax(discrepancy, fabs((double)below[x][y] / POINTS - area));
        }
    }
    assert_true(discrepancy < 0.025);
    drawing_free(&drawing);
}

/* In base b, any b^k points in a row from a multiple of b^k fill each of b^k intervals once, however digits are
 * shifted: 16 points in the first dimension (base 2), 9 in the second (base 3). */
static void test_halton_fills_intervals(void **state)
{
    (void)state;
    static const size_t sizes[] = {16, 9};
    struct drawing drawing;
    drawing_create(&drawing, sizes, DESIGN_HALTON, 0);
    int times[2][16] = {{0}};
    for (int i = 0; i < 16 * 9; i++) {
        uint16_t point[2];
        search_space_point(drawing.space, design_next(drawing.design), point);
        assert_int_equal(times[0][point[0]]++, i / 16);
        assert_int_equal(times[1][point[1]]++, i / 9);
    }
    drawing_free(&drawing);
}

/* The distance of the closest two points: greater in the first cube, chosen among several, than in the next, a random
 * one. */
static double closest(const struct search_space *space, const size_t *points, size_t count)
{
    double least = INFINITY;
    for (size_t i = 0; i < count; i++) {
        for (size_t j = 0; j < i; j++) {
            uint16_t a[2], b[2];
            search_space_point(space, points[i], a);
            search_space_point(space, points[j], b);
            least = fmin(least, hypot((double)a[0] - b[0], (double)a[1] - b[1]));
        }
    }
    return least;
}

static void test_first_cube_is_spread(void **state)
{
    (void)state;
    enum { POINTS = 8, DESIGNS = 40 };
    static const struct strategy_setup setup = {0};
    double sums[2] = {0};
    struct drawing drawing;
    drawing_create(&drawing, square, DESIGN_RANDOM, 0);
    for (int i = 0; i < DESIGNS; i++) {
        struct design *design = design_create(DESIGN_LATIN, POINTS, &setup, &drawing.moves);
        assert_non_null(design);
        for (size_t cube = 0; cube < 2; cube++) {
            size_t points[POINTS];
            for (size_t k = 0; k < POINTS; k++)
                points[k] = design_next(design);
            sums[cube] += closest(drawing.space, points, POINTS);
        }
        design_free(design);
    }
    assert_true(sums[0] > 1.2 * sums[1]);
    drawing_free(&drawing);
}

/* Priors come first, in their order, also twice; then the design starts. */
static void test_priors(void **state)
{
    (void)state;
    static const size_t priors[] = {5, 99, 5};
    struct drawing drawing;
    const struct strategy_setup setup = {.priors = priors, .prior_count = 3};
    drawing_create(&drawing, square, DESIGN_RANDOM, 0);
    struct design *design = design_create(DESIGN_RANDOM, 0, &setup, &drawing.moves);
    assert_non_null(design);
    for (size_t i = 0; i < 3; i++)
        assert_int_equal(design_next(design), priors[i]);
    struct generator expected = drawing.generator; /* the next number decides */
    assert_int_equal(design_next(design), generator_below(&expected, LANDSCAPE_POSITIONS * LANDSCAPE_POSITIONS));
    design_free(design);
    drawing_free(&drawing);
}

/* Every other one is two steps, of one parameter each, from the only prior; then none is meant to be: of those that
 * are spread, few are so near. */
static void test_near_the_prior(void **state)
{
    (void)state;
    struct landscape landscape;
    landscape_create(&landscape, 12, 10, 6, 3, SIZE_MAX);
    const size_t priors[] = {77, 78};
    for (size_t count = 1; count <= 2; count++) {
        const struct strategy_setup setup = {.priors = priors, .prior_count = count};
        struct generator generator = {.state = 5};
        struct moves moves;
        uint16_t point[LANDSCAPE_DIMENSIONS], center[LANDSCAPE_DIMENSIONS];
        search_space_point(landscape.space, priors[0], center);
        assert_true(moves_create(&moves, landscape.space, &generator));
        struct design *design = design_create(DESIGN_COVER, 4, &setup, &moves);
        assert_non_null(design);
        for (size_t i = 0; i < count; i++)
            assert_int_equal(design_next(design), priors[i]);
        for (int part = 0; part < 2; part++) {
            size_t near = 0;
            for (int i = 0; i < DESIGN_NEAR; i++) {
                size_t changed = 0;
                search_space_point(landscape.space, design_next(design), point);
                for (size_t d = 0; d < LANDSCAPE_DIMENSIONS; d++)
                    changed += point[d] != center[d];
                near += changed <= 2;
                assert_true(count > 1 || part > 0 || i % 2 == 1 || changed <= 2);
            }
            assert_true((near >= DESIGN_NEAR / 2) == (count == 1 && part == 0));
        }
        design_free(design);
        moves_clear(&moves);
    }
    landscape_free(&landscape);
}

/* One of each word first, the priors' included. */
static void test_representatives(void **state)
{
    (void)state;
    struct landscape landscape;
    landscape_create(&landscape, 12, 10, 6, 3, SIZE_MAX);
    for (uint64_t seed = 0; seed < 5; seed++) {
        static const size_t priors[] = {7, 7}; /* several: else what follows is near the only one */
        const struct strategy_setup setup = {.priors = priors, .prior_count = 2};
        struct generator generator = {.state = seed};
        struct moves moves;
        bool seen[3] = {false};
        assert_true(moves_create(&moves, landscape.space, &generator));
        struct design *design = design_create(DESIGN_COVER, 4, &setup, &moves);
        assert_non_null(design);
        assert_int_equal(design_kinds(design), 3);
        assert_int_equal(design_next(design), priors[0]);
        for (size_t i = 0; i < 3; i++) {
            uint16_t point[LANDSCAPE_DIMENSIONS];
            size_t index = design_next(design);
            assert_true(i > 0 || index == priors[1]);
            search_space_point(landscape.space, index, point);
            seen[point[3]] = true;
        }
        assert_true(seen[0] && seen[1] && seen[2]);
        design_free(design);
        moves_clear(&moves);
    }
    landscape_free(&landscape);
}

/* With constraints, every point is repaired to a valid configuration. */
static void test_valid(void **state)
{
    (void)state;
    static const enum design_kind kinds[] = {DESIGN_LATIN, DESIGN_HALTON, DESIGN_COVER, DESIGN_RANDOM};
    struct landscape landscape;
    landscape_create(&landscape, 12, 10, 6, 3, SIZE_MAX);
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        static const struct strategy_setup setup = {0};
        struct generator generator = {.state = i};
        struct moves moves;
        assert_true(moves_create(&moves, landscape.space, &generator));
        struct design *design = design_create(kinds[i], 16, &setup, &moves);
        assert_non_null(design);
        for (int j = 0; j < 500; j++)
            assert_true(design_next(design) < landscape.count);
        design_free(design);
        moves_clear(&moves);
    }
    landscape_free(&landscape);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_latin_hypercube), cmocka_unit_test(test_first_cube_is_spread),
        cmocka_unit_test(test_halton_is_even),  cmocka_unit_test(test_halton_fills_intervals),
        cmocka_unit_test(test_priors),          cmocka_unit_test(test_valid),
        cmocka_unit_test(test_representatives), cmocka_unit_test(test_near_the_prior),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

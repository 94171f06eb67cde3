/* SPDX-License-Identifier: Apache-2.0 */
/* What the strategies that learn from answers share, and what the designs promise. */
#include "tests/unit/search/landscape.h"

#include "tuner/search/design.h"
#include "tuner/search/moves.h"
#include "tuner/search/population.h"

static const char *const learners[] = {"greedy", "ils", "tabu", "annealing", "genetic", "evolution", "swarm"};
enum { LEARNER_COUNT = sizeof learners / sizeof *learners };

/* A sign test: with BETTER of SEEDS seeds or more the best of EVALUATIONS is better than what random search finds. Of
 * a strategy that is not better than random one in 6000 would seem to be. */
static void test_better_than_random(void **state)
{
    (void)state;
    enum { SEEDS = 50, BETTER = 38, EVALUATIONS = 80 };
    static const size_t parallels[] = {1, 8};
    struct landscape landscape;
    landscape_create(&landscape, 24, 20, 12, 3, SIZE_MAX);
    size_t order[EVALUATIONS];
    for (size_t i = 0; i < 2 * LEARNER_COUNT; i++) {
        const struct strategy_driver *learner = strategy_find(learners[i / 2]), *random = strategy_find("random");
        int better = 0;
        assert_non_null(learner);
        for (uint64_t seed = 1; seed <= SEEDS; seed++) {
            const struct strategy_setup setup = {.seed = 1000 * seed};
            struct outcome learned = drive_all(&landscape, learner, setup, parallels[i % 2], EVALUATIONS, order);
            struct outcome drawn = drive_all(&landscape, random, setup, parallels[i % 2], EVALUATIONS, order);
            better += learned.best < drawn.best;
        }
        if (better < BETTER)
            fail_msg("%s with %zu under way: better with %d of %d seeds", learners[i / 2], parallels[i % 2], better,
                     SEEDS);
    }
    landscape_free(&landscape);
}

/* There is always something useful to ask. */
static void test_never_idle(void **state)
{
    (void)state;
    enum { EVALUATIONS = 400 };
    struct landscape landscape;
    landscape_create(&landscape, 24, 20, 12, 3, SIZE_MAX);
    size_t order[EVALUATIONS];
    for (size_t i = 0; i < LEARNER_COUNT; i++) {
        const struct strategy_setup setup = {.seed = i};
        struct outcome outcome = drive_all(&landscape, strategy_find(learners[i]), setup, 64, EVALUATIONS, order);
        assert_int_equal(outcome.count, EVALUATIONS);
        assert_int_equal(outcome.idle, 0);
    }
    landscape_free(&landscape);
}

/* What did well elsewhere is tried before all else, the most promising first. */
static void test_priors_first(void **state)
{
    (void)state;
    static const char *const others[] = {"latin", "halton"};
    const size_t priors[] = {77, 3, 500, 3, 12};
    const size_t expected[] = {77, 3, 500, 12};
    struct landscape landscape;
    landscape_create(&landscape, 12, 10, 6, 3, SIZE_MAX);
    size_t order[10];
    for (size_t i = 0; i < LEARNER_COUNT + 2; i++) {
        const struct strategy_driver *driver =
            strategy_find(i < LEARNER_COUNT ? learners[i] : others[i - LEARNER_COUNT]);
        for (size_t parallel = 1; parallel <= 8; parallel += 7) {
            const struct strategy_setup setup = {.seed = i, .priors = priors, .prior_count = 5};
            drive_all(&landscape, driver, setup, parallel, 10, order);
            assert_memory_equal(order, expected, sizeof expected);
        }
    }
    landscape_free(&landscape);
}

/* From a prior halfway up the bowl, and whatever else a strategy begins with, to its bottom or nearly so. */
static void test_descends_from_a_prior(void **state)
{
    (void)state;
    enum { EVALUATIONS = 400 };
    struct landscape landscape;
    landscape_create(&landscape, 24, 20, 12, 3, SIZE_MAX);
    double bottom = INFINITY;
    size_t order[EVALUATIONS], prior = 0;
    double nearest = INFINITY;
    for (size_t i = 0; i < landscape.count; i++) {
        struct observation observation = landscape_observe(&landscape, i);
        if (observation.valid && observation.objective < bottom)
            bottom = observation.objective;
        if (observation.valid && fabs(observation.objective - 1.1) < nearest) {
            nearest = fabs(observation.objective - 1.1);
            prior = i;
        }
    }
    for (size_t i = 0; i < LEARNER_COUNT; i++) {
        const struct strategy_setup setup = {.seed = i, .priors = &prior, .prior_count = 1};
        struct outcome outcome = drive_all(&landscape, strategy_find(learners[i]), setup, 1, EVALUATIONS, order);
        if (outcome.best > bottom + 0.005)
            fail_msg("%s: %g, the best is %g", learners[i], outcome.best, bottom);
    }
    landscape_free(&landscape);
}

/* Told unasked of a good configuration and then of a thousand poor ones, as where a sweep goes on, strategies begin
 * near the good one. Random search would have three of 30 that differ from it in two parameters at most. */
static void test_learns_from_what_it_did_not_ask_for(void **state)
{
    (void)state;
    enum { STORED = 1000, EVALUATIONS = 30 };
    struct landscape landscape;
    landscape_create(&landscape, 24, 20, 12, 3, SIZE_MAX);
    size_t order[EVALUATIONS], good = 0, idle;
    while (landscape_observe(&landscape, good).objective < 1 || landscape_observe(&landscape, good).objective > 1.01)
        good++;
    for (size_t i = 0; i < LEARNER_COUNT; i++) {
        struct error error;
        const struct strategy_setup setup = {.seed = i, .space = landscape.space};
        struct drive drive = {.landscape = &landscape, .parallel = 1, .generator.state = 7, .best = INFINITY};
        assert_success(search_create(strategy_find(learners[i]), &setup, &drive.search, &error), &error);
        struct observation told = landscape_observe(&landscape, good);
        assert_true(search_tell(drive.search, &told));
        for (size_t stored = 0; stored < STORED;) {
            struct observation poor =
                landscape_observe(&landscape, generator_below(&drive.generator, landscape.count));
            stored += poor.objective > 1.3;
            assert_true(poor.objective <= 1.3 || search_tell(drive.search, &poor));
        }
        size_t count = 0, near = 0;
        uint16_t point[LANDSCAPE_DIMENSIONS], asked[LANDSCAPE_DIMENSIONS];
        search_space_point(landscape.space, good, point);
        while (drive_on(&drive, order, &count, EVALUATIONS, &idle)) {
        }
        for (size_t k = 0; k < count; k++) {
            int apart = 0;
            search_space_point(landscape.space, order[k], asked);
            for (size_t d = 0; d < LANDSCAPE_DIMENSIONS; d++)
                apart += asked[d] != point[d];
            near += apart <= 2;
        }
        search_free(drive.search);
        if (near < 6)
            fail_msg("%s: %zu of %zu questions near the good one", learners[i], near, count);
    }
    landscape_free(&landscape);
}

/* A design and what it needs. */
struct drawing {
    struct landscape landscape;
    struct generator generator;
    struct moves moves;
    struct design *design;
};

static void drawing_create(struct drawing *drawing, enum design_kind kind, size_t size)
{
    static const struct strategy_setup setup = {0};
    struct value values[LANDSCAPE_POSITIONS];
    uint16_t rows[LANDSCAPE_POSITIONS * LANDSCAPE_POSITIONS][2];
    struct error error;
    for (size_t i = 0; i < LANDSCAPE_POSITIONS; i++)
        values[i] = value_integer((int64_t)i);
    const struct dimension dimensions[] = {{"x", values, LANDSCAPE_POSITIONS}, {"y", values, LANDSCAPE_POSITIONS}};
    for (size_t i = 0; i < LANDSCAPE_POSITIONS * LANDSCAPE_POSITIONS; i++) {
        rows[i][0] = (uint16_t)(i / LANDSCAPE_POSITIONS);
        rows[i][1] = (uint16_t)(i % LANDSCAPE_POSITIONS);
    }
    *drawing = (struct drawing){.generator.state = 9};
    assert_success(search_space_listed(dimensions, 2, rows[0], LANDSCAPE_POSITIONS * LANDSCAPE_POSITIONS,
                                       &drawing->landscape.space, &error),
                   &error);
    assert_true(moves_create(&drawing->moves, drawing->landscape.space, &drawing->generator));
    drawing->design = design_create(kind, size, &setup, &drawing->moves);
    assert_non_null(drawing->design);
}

static void drawing_free(struct drawing *drawing)
{
    design_free(drawing->design);
    moves_clear(&drawing->moves);
    landscape_free(&drawing->landscape);
}

/* Of n points of a Latin hypercube, each n-th part of each dimension has one. */
static void test_latin_hypercube(void **state)
{
    (void)state;
    enum { POINTS = 16, PART = LANDSCAPE_POSITIONS / POINTS };
    struct drawing drawing;
    drawing_create(&drawing, DESIGN_LATIN, POINTS);
    for (int cube = 0; cube < 5; cube++) {
        bool taken[2][POINTS] = {{false}};
        for (size_t i = 0; i < POINTS; i++) {
            uint16_t point[2];
            search_space_point(drawing.landscape.space, design_next(drawing.design), point);
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
    drawing_create(&drawing, DESIGN_HALTON, 0);
    for (size_t i = 0; i < POINTS; i++) {
        uint16_t point[2];
        search_space_point(drawing.landscape.space, design_next(drawing.design), point);
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

/* Moves end at valid configurations: a step changes one parameter or two, the way to a valid point arrives there, the
 * way to another takes from either end in each parameter. */
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

/* The same on a space that is not listed. */
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

/* Two parameters whose product is fixed cannot be changed alone: the way goes by changing both. */
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

/* The best stay, in order; failures never join. */
static void test_population(void **state)
{
    (void)state;
    enum { SIZE = 10, CANDIDATES = 500 };
    struct generator generator = {.state = 2};
    struct population population;
    double objectives[CANDIDATES];
    assert_true(population_create(&population, SIZE));
    for (size_t i = 0; i < CANDIDATES; i++) {
        objectives[i] = generator_real(&generator);
        assert_false(population_join(&population, i, INFINITY));
        population_join(&population, i, objectives[i]);
    }
    assert_int_equal(population.count, SIZE);
    for (size_t rank = 0; rank < SIZE; rank++) {
        size_t better = 0;
        const struct member *member = &population.members[rank];
        assert_true(member->objective == objectives[member->index]);
        for (size_t i = 0; i < CANDIDATES; i++)
            better += objectives[i] < member->objective;
        assert_int_equal(better, rank);
        assert_ptr_equal(population_choose(&population, &generator, 1000), &population.members[0]);
    }
    population_clear(&population);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_better_than_random),
        cmocka_unit_test(test_never_idle),
        cmocka_unit_test(test_priors_first),
        cmocka_unit_test(test_descends_from_a_prior),
        cmocka_unit_test(test_learns_from_what_it_did_not_ask_for),
        cmocka_unit_test(test_latin_hypercube),
        cmocka_unit_test(test_halton_is_even),
        cmocka_unit_test(test_moves),
        cmocka_unit_test(test_moves_in_a_diagram),
        cmocka_unit_test(test_way_along_a_fixed_product),
        cmocka_unit_test(test_population),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

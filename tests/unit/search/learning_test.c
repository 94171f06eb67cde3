/* SPDX-License-Identifier: Apache-2.0 */
/* What holds for all strategies that learn from results. */
#include "tests/unit/search/landscape.h"

static const char *const learners[] = {"greedy", "ils", "tabu", "annealing", "genetic", "evolution", "swarm"};
enum { LEARNER_COUNT = sizeof learners / sizeof *learners };

/* A sign test: with at least BETTER of SEEDS seeds, the best of EVALUATIONS beats that of random search. A strategy
 * no better than random would pass with probability 1/6000. */
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

/* Priors are tried before anything else, the most promising first. */
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

/* From a prior halfway up the bowl (and the strategy's own starts) to its bottom, or nearly. */
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

/* Told unasked of a good configuration and a thousand poor ones, as when a sweep resumes, strategies start near the
 * good one. Of 30 random configurations, three would differ from it in at most two parameters. */
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_better_than_random),
        cmocka_unit_test(test_never_idle),
        cmocka_unit_test(test_priors_first),
        cmocka_unit_test(test_descends_from_a_prior),
        cmocka_unit_test(test_learns_from_what_it_did_not_ask_for),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

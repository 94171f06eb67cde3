/* SPDX-License-Identifier: Apache-2.0 */
/* What the surrogate learns: objectives, failures, durations. */
#include "tests/unit/search/landscape.h"

enum { MOST = 3000 };

/* The rank (0 is the optimum) of the best configuration after `evaluations`, averaged over seeds. */
static double mean_rank(const struct landscape *landscape, const char *name, size_t parallel, size_t evaluations)
{
    enum { SEEDS = 10 };
    size_t order[MOST], ranks = 0;
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        const struct strategy_setup setup = {.seed = seed};
        struct outcome outcome = drive_all(landscape, strategy_find(name), setup, parallel, evaluations, order);
        for (size_t i = 0; i < landscape->count; i++) {
            struct observation observation = landscape_observe(landscape, i);
            ranks += observation.valid && observation.objective < outcome.best;
        }
    }
    return (double)ranks / SEEDS;
}

/* The expected rank of random search is count / 41. */
static void test_finds_the_best(void **state)
{
    (void)state;
    struct landscape landscape;
    landscape_create(&landscape, 20, 16, 8, 3, MOST);
    double expected = (double)landscape.count / 41;
    assert_true(mean_rank(&landscape, "surrogate", 1, 40) < expected / 10);
    assert_true(mean_rank(&landscape, "auto", 1, 40) < expected / 10);
    assert_true(mean_rank(&landscape, "surrogate", 8, 40) < expected / 4);
    assert_true(mean_rank(&landscape, "bandit", 1, 40) < expected / 2);
    landscape_free(&landscape);
}

/* Two numbers. The objective falls with the second, but the third of the space where it is greatest fails. */
enum { SIDE = 24, LAST_VALID = 2 * SIDE / 3 - 1 };

static struct observation observe_failing(const struct search_space *space, size_t index)
{
    uint16_t point[2];
    search_space_point(space, index, point);
    bool valid = point[1] < SIDE * 2 / 3;
    return (struct observation){.index = index,
                                .valid = valid,
                                .objective = valid ? 100 - 2.0 * point[1] + fabs(point[0] - 7.0) : 0,
                                .seconds = 1};
}

static void create_failing(struct search_space **space)
{
    struct value values[SIDE];
    uint16_t rows[SIDE * SIDE * 2];
    struct error error;
    for (size_t i = 0; i < SIDE; i++)
        values[i] = value_integer((int64_t)i);
    const struct dimension dimensions[] = {{"a", values, SIDE}, {"b", values, SIDE}};
    for (size_t i = 0; i < SIDE * SIDE; i++) {
        rows[2 * i] = (uint16_t)(i % SIDE);
        rows[2 * i + 1] = (uint16_t)(i / SIDE);
    }
    assert_success(search_space_listed(dimensions, 2, rows, SIDE * SIDE, space, &error), &error);
}

static void test_learns_what_fails(void **state)
{
    (void)state;
    struct search_space *space;
    create_failing(&space);
    size_t failures = 0, later = 0;
    for (uint64_t seed = 0; seed < 5; seed++) {
        struct error error;
        struct search *search;
        const struct strategy_setup setup = {.space = space, .seed = seed};
        assert_success(search_create(strategy_find("surrogate"), &setup, &search, &error), &error);
        for (int i = 0; i < 50; i++) {
            size_t index;
            assert_int_equal(search_ask(search, &index), ASK_READY);
            struct observation observation = observe_failing(space, index);
            failures += i >= 10 && !observation.valid;
            later += i >= 10;
            assert_true(search_tell(search, &observation));
        }
        struct observation best;
        assert_true(search_best(search, &best));
        assert_true(best.objective == 100 - 2.0 * LAST_VALID);
        search_free(search);
    }
    assert_true(failures * 5 < later);
    search_space_free(space);
}

/* Negative objectives, such as a throughput to be maximised. */
static void test_negative_objectives(void **state)
{
    (void)state;
    struct search_space *space;
    create_failing(&space);
    struct error error;
    struct search *search;
    struct observation best;
    const struct strategy_setup setup = {.space = space, .seed = 4};
    assert_success(search_create(strategy_find("surrogate"), &setup, &search, &error), &error);
    for (int i = 0; i < 60; i++) {
        size_t index;
        assert_int_equal(search_ask(search, &index), ASK_READY);
        struct observation observation = observe_failing(space, index);
        observation.objective -= observation.valid ? 90 : 0;
        assert_true(search_tell(search, &observation));
    }
    assert_true(search_best(search, &best));
    assert_true(best.objective == 10 - 2.0 * LAST_VALID);
    search_free(search);
    search_space_free(space);
}

/* The questions after results that took `seconds` (0: unknown); later evaluations take one second. */
static void ask_after(const struct landscape *landscape, double seconds, size_t count, size_t *order)
{
    struct error error;
    struct generator generator = {.state = 9};
    const struct strategy_setup setup = {.space = landscape->space, .seed = 2};
    struct drive drive = {.landscape = landscape, .parallel = 1, .generator.state = 1, .best = INFINITY};
    size_t asked = 0, idle = 0;
    assert_success(search_create(strategy_find("surrogate"), &setup, &drive.search, &error), &error);
    for (int i = 0; i < 30; i++) {
        struct observation told = landscape_observe(landscape, generator_below(&generator, landscape->count));
        told.seconds = seconds;
        assert_true(search_tell(drive.search, &told));
    }
    while (drive_on(&drive, order, &asked, count, &idle)) {
    }
    assert_int_equal(asked, count);
    search_free(drive.search);
}

/* An unknown duration does not count as a short one: it gets the mean of the known ones. */
static void test_unknown_seconds(void **state)
{
    (void)state;
    enum { QUESTIONS = 15 };
    struct landscape landscape;
    landscape_create(&landscape, 12, 10, 6, 3, MOST);
    size_t known[QUESTIONS], unknown[QUESTIONS];
    ask_after(&landscape, 1, QUESTIONS, known);
    ask_after(&landscape, 0, QUESTIONS, unknown);
    assert_memory_equal(known, unknown, sizeof known);
    landscape_free(&landscape);
}

/*
 * The clamped model answers the first question, the other the second, which therefore does not depend on `cut`: given
 * the same results, sessions that differ in it alone ask differently first and alike then. Both use as many random
 * numbers.
 */
static void test_models_take_turns(void **state)
{
    (void)state;
    enum { SEEDS = 8, STORED = 40 };
    struct landscape landscape;
    landscape_create(&landscape, 12, 10, 6, 3, MOST);
    int different = 0;
    for (uint64_t seed = 0; seed < SEEDS; seed++) {
        struct session sessions[] = {session_begin("surrogate:cut=0.1", landscape.space, seed),
                                     session_begin("surrogate:cut=1", landscape.space, seed)};
        struct generator generator = {.state = seed};
        size_t asked[2];
        for (int i = 0; i < STORED; i++) {
            struct observation stored = landscape_observe(&landscape, generator_below(&generator, landscape.count));
            for (size_t k = 0; k < 2; k++)
                sessions[k].driver->tell(sessions[k].state, &stored);
        }
        for (size_t k = 0; k < 2; k++)
            asked[k] = session_ask(&sessions[k]);
        different += asked[0] != asked[1];
        for (size_t k = 0; k < 2; k++) {
            struct observation own = landscape_observe(&landscape, asked[k]);
            struct observation other = landscape_observe(&landscape, asked[1 - k]);
            sessions[k].driver->tell(sessions[k].state, &own);
            sessions[k].driver->tell(sessions[k].state, &other);
        }
        assert_int_equal(session_ask(&sessions[0]), session_ask(&sessions[1]));
        for (size_t k = 0; k < 2; k++)
            session_end(&sessions[k]);
    }
    assert_true(different > SEEDS / 2);
    landscape_free(&landscape);
}

/* The first questions are the priors. */
static void test_priors(void **state)
{
    (void)state;
    static const char *const names[] = {"surrogate", "auto", "bandit"};
    struct landscape landscape;
    landscape_create(&landscape, 12, 10, 6, 3, MOST);
    const size_t priors[] = {17, 4, 230};
    size_t order[3];
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const struct strategy_setup setup = {.seed = 1, .priors = priors, .prior_count = 3};
        drive_all(&landscape, strategy_find(names[i]), setup, 1, 3, order);
        assert_memory_equal(order, priors, sizeof priors);
    }
    landscape_free(&landscape);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_finds_the_best),      cmocka_unit_test(test_learns_what_fails),
        cmocka_unit_test(test_negative_objectives), cmocka_unit_test(test_unknown_seconds),
        cmocka_unit_test(test_models_take_turns),   cmocka_unit_test(test_priors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Two strategies whose scores are known: random search has 0, an oracle 1. */
#include "tests/unit/simulate/by_hand.h"

#include "tuner/search/generator.h"
#include "tuner/simulate/simulation.h"

enum { LARGE = 3000 };

/* A large recording: times from 1 to 10 us, costs that differ by 20 %, a tenth fails. */
static void make_large(struct by_hand *made)
{
    static double objectives[LARGE], costs[LARGE];
    struct generator generator = {12345};
    for (size_t i = 0; i < LARGE; i++) {
        double u = (double)generator_below(&generator, 1 << 30) / (1 << 30);
        objectives[i] = generator_below(&generator, 10) ? 1e3 * (1 + 9 * u) : 0;
        costs[i] = 0.9 + (double)generator_below(&generator, 200) / 1000;
    }
    make(made, objectives, costs, LARGE);
}

static struct score *simulate(const struct simulated_space *space, const struct strategy_driver *driver,
                              size_t repeats, uint64_t seed, unsigned jobs)
{
    struct error error;
    struct score *score = malloc(sizeof *score);
    assert_non_null(score);
    struct replay_plan plan = {.driver = driver};
    struct simulation simulation = {
        .spaces = &space,
        .space_count = 1,
        .plans = &plan,
        .plan_count = 1,
        .repeats = repeats,
        .seed = seed,
        .jobs = jobs,
    };
    if (!simulation_run(&simulation, score, &error))
        fail_msg("%s", error.text);
    return score;
}

static void test_random_search_scores_0(void **state)
{
    (void)state;
    struct by_hand made;
    make_large(&made);
    struct simulated_space *space = simulated(&made, 0);
    struct score *score = simulate(space, strategy_find("random"), 1000, 1, 2);
    assert_true(score->low <= 0 && 0 <= score->high);
    assert_true(score->high - score->low < 0.1);
    free(score);
    simulated_space_free(space);
    unmake(&made);
}

static void test_oracle_scores_1(void **state)
{
    (void)state;
    struct by_hand made;
    make_large(&made);
    struct simulated_space *space = simulated(&made, 0);
    size_t best;
    assert_true(recording_best(&made.recording, &best));
    script = (struct script){.questions = &best, .length = 1};
    struct score *score = simulate(space, &scripted, 20, 1, 1);
    assert_near(score->p, 1, 1e-12);
    assert_near(score->low, 1, 1e-12);
    free(score);
    simulated_space_free(space);
    unmake(&made);
}

/* About 95 % of the intervals of simulations with other seeds hold the true score, estimated from many repeats. Of
 * 40, fewer than 32 do with a probability below 1 in 10,000. */
static void test_interval_covers(void **state)
{
    (void)state;
    enum { SIMULATIONS = 40, FEWEST = 32, MANY = 2000 };
    struct by_hand made;
    make_large(&made);
    struct simulated_space *space = simulated(&made, 0);
    struct score *true_score = simulate(space, strategy_find("random"), MANY, 99, 2);
    int covered = 0;
    for (uint64_t seed = 1; seed <= SIMULATIONS; seed++) {
        struct score *score = simulate(space, strategy_find("random"), 40, seed, 2);
        covered += score->low <= true_score->p && true_score->p <= score->high;
        free(score);
    }
    assert_true(covered >= FEWEST);
    free(true_score);
    simulated_space_free(space);
    unmake(&made);
}

static void test_any_number_of_threads(void **state)
{
    (void)state;
    struct by_hand made;
    make_large(&made);
    struct simulated_space *space = simulated(&made, 3);
    struct score *one = simulate(space, strategy_find("random"), 50, 5, 1);
    struct score *four = simulate(space, strategy_find("random"), 50, 5, 4);
    struct score *other = simulate(space, strategy_find("random"), 50, 6, 4);
    assert_memory_equal(one, four, sizeof *one);
    assert_true(one->p != other->p);
    free(one);
    free(four);
    free(other);
    simulated_space_free(space);
    unmake(&made);
}

struct progress {
    size_t calls, last, total;
};

static void observe(size_t done, size_t total, void *context)
{
    struct progress *progress = context;
    assert_true(done == progress->last + 1);
    progress->calls++;
    progress->last = done;
    progress->total = total;
}

/* Scores are ordered by plan, then by space; each equals that of a simulation of its own; every replay is reported.
 */
static void test_cells(void **state)
{
    (void)state;
    enum { SPACES = 2, PLANS = 2, REPEATS = 6 };
    struct by_hand made;
    make_large(&made);
    struct simulated_space *spaces[SPACES] = {simulated(&made, 0), simulated(&made, 4)};
    struct score *scores = calloc(SPACES * PLANS, sizeof *scores);
    struct error error;
    struct progress progress = {0};
    const struct replay_plan plans[PLANS] = {{.driver = strategy_find("random")}, {.driver = strategy_find("latin")}};
    struct simulation simulation = {
        .spaces = (const struct simulated_space *const *)spaces,
        .space_count = SPACES,
        .plans = plans,
        .plan_count = PLANS,
        .repeats = REPEATS,
        .seed = 3,
        .jobs = 2,
        .observe = observe,
        .context = &progress,
    };
    assert_non_null(scores);
    assert_true(simulation_run(&simulation, scores, &error));
    assert_int_equal(progress.calls, SPACES * PLANS * REPEATS);
    assert_int_equal(progress.total, SPACES * PLANS * REPEATS);
    for (size_t plan = 0; plan < PLANS; plan++) {
        struct score *alone = simulate(spaces[0], plans[plan].driver, REPEATS, 3, 1);
        assert_memory_equal(alone, &scores[plan * SPACES], sizeof *alone);
        free(alone);
    }
    for (size_t i = 1; i < SPACES * PLANS; i++)
        assert_true(scores[i].p != scores[i - 1].p);
    free(scores);
    for (size_t i = 0; i < SPACES; i++)
        simulated_space_free(spaces[i]);
    unmake(&made);
}

static bool fail_to_create(const struct strategy_setup *setup, void **state, struct error *error)
{
    (void)setup, (void)state;
    return error_set(error, ERROR_INPUT, "this strategy always fails");
}

/* A strategy's error is the simulation's. */
static void test_error(void **state)
{
    (void)state;
    struct by_hand made;
    make_large(&made);
    struct simulated_space *space = simulated(&made, 0);
    const struct simulated_space *spaces = space;
    struct strategy_driver failing = scripted;
    failing.create = fail_to_create;
    const struct replay_plan plan = {.driver = &failing};
    struct score *score = malloc(sizeof *score);
    struct error error;
    const struct simulation simulation = {
        .spaces = &spaces, .space_count = 1, .plans = &plan, .plan_count = 1, .repeats = 10, .jobs = 3};
    assert_non_null(score);
    assert_false(simulation_run(&simulation, score, &error));
    assert_int_equal(error.code, ERROR_INPUT);
    assert_string_equal(error.text, "this strategy always fails");
    free(score);
    simulated_space_free(space);
    unmake(&made);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random_search_scores_0),
        cmocka_unit_test(test_oracle_scores_1),
        cmocka_unit_test(test_interval_covers),
        cmocka_unit_test(test_any_number_of_threads),
        cmocka_unit_test(test_cells),
        cmocka_unit_test(test_error),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

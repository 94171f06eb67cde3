/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The baseline against enumeration, P on recordings small enough to compute it by hand, and the two strategies whose
 * scores are known: random search has 0, an oracle 1.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tuner/search/generator.h"
#include "tuner/simulate/baseline.h"
#include "tuner/simulate/simulation.h"
#include "tuner/simulate/traces.h"

#define assert_near(a, b, tolerance) assert_true(fabs((a) - (b)) <= (tolerance))

/* --- The expected best place, by going through all sets of draws -------------------------------------------------
 */

static double enumerated(unsigned count, unsigned valid, unsigned draws)
{
    double sum = 0, sets = 0;
    for (unsigned set = 0; set < 1U << count; set++) {
        if ((unsigned)__builtin_popcount(set) != draws)
            continue;
        unsigned best = set ? (unsigned)__builtin_ctz(set) : count;
        sum += best < valid ? best : valid - 1;
        sets++;
    }
    return sum / sets;
}

static void test_baseline_is_the_expectation(void **state)
{
    (void)state;
    for (unsigned count = 1; count <= 10; count++) {
        for (unsigned valid = 1; valid <= count; valid++) {
            for (unsigned draws = 0; draws <= count; draws++)
                assert_near(baseline_rank(count, valid, draws), enumerated(count, valid, draws), 1e-9);
        }
    }
}

static void test_baseline_falls(void **state)
{
    (void)state;
    double last = baseline_rank(11130, 9000, 0);
    assert_near(last, 8999, 1e-6);
    for (double draws = 0.25; draws <= 11130; draws += 0.25) {
        double place = baseline_rank(11130, 9000, draws);
        assert_true(place <= last && place >= 0);
        last = place;
    }
    assert_near(last, 0, 1e-9);
}

/* --- Recordings by hand: one parameter, its value the number of the configuration ---------------------------------
 */

struct by_hand {
    struct recording recording;
    struct dimension parameter;
    struct value *values;
    uint16_t *rows;
    struct recorded_result *results;
};

/* An objective of 0 is a failure. */
static void make(struct by_hand *made, const double *objectives, const double *costs, size_t count)
{
    made->values = calloc(count, sizeof *made->values);
    made->rows = calloc(count, sizeof *made->rows);
    made->results = calloc(count, sizeof *made->results);
    assert_true(made->values && made->rows && made->results);
    for (size_t i = 0; i < count; i++) {
        made->values[i] = value_integer((int64_t)i);
        made->rows[i] = (uint16_t)i;
        made->results[i] = (struct recorded_result){
            .outcome = objectives[i] > 0 ? OUTCOME_OK : OUTCOME_FAULT,
            .time_ns = objectives[i],
            .compile_seconds = costs[i],
        };
    }
    made->parameter = (struct dimension){"x", made->values, count};
    made->recording = (struct recording){
        .name = "made",
        .parameters = &made->parameter,
        .parameter_count = 1,
        .rows = made->rows,
        .results = made->results,
        .count = count,
    };
}

static void unmake(struct by_hand *made)
{
    free(made->values);
    free(made->rows);
    free(made->results);
}

static struct simulated_space *simulated(const struct by_hand *made, unsigned parallel)
{
    struct simulated_space *space;
    struct error error;
    if (!simulated_space_create(&made->recording, parallel, &space, &error))
        fail_msg("%s", error.text);
    return space;
}

/* --- Strategies of this test: given questions in order ------------------------------------------------------------
 */

static const size_t *script;
static size_t script_length;
static size_t told_valid, told_failed;

struct scripted {
    size_t next;
};

static bool scripted_create(const struct strategy_setup *setup, void **state, struct error *error)
{
    (void)setup;
    (void)error;
    *state = calloc(1, sizeof(struct scripted));
    return *state != NULL;
}

static enum answer scripted_ask(void *state, size_t *index)
{
    struct scripted *scripted = state;
    if (scripted->next == script_length)
        return ASK_WAIT; /* more than there is to be told: nothing else is asked while any is under way */
    *index = script[scripted->next++];
    return ASK_READY;
}

static void scripted_tell(void *state, const struct observation *observation)
{
    (void)state;
    told_valid += observation->valid;
    told_failed += !observation->valid;
}

static const struct strategy_driver scripted = {
    "scripted", "for tests", NULL, 0, scripted_create, scripted_ask, scripted_tell, free,
};

/* --- Tests -------------------------------------------------------------------------------------------------------
 */

/*
 * Five valid configurations (10 .. 50 ns) at one second each. The expected best place after k draws is (5 - k) /
 * (k + 1), and objectives are 10 + 10 * place, the median 30. Random search is 1 % of the way from 30 to 10 when
 * place = 1.98, k = (5 - 1.98) / 2.98; 95 % when place = 0.1, k = 4.9 / 1.1. By time t it has made as many draws as
 * whole seconds have passed. The deviation of a place is 1.42 at most, that of the mean of 20000 a hundredth.
 */
static void test_window_and_baseline_by_hand(void **state)
{
    (void)state;
    static const double objectives[] = {30, 10, 50, 20, 40}, costs[] = {1, 1, 1, 1, 1};
    struct by_hand made;
    make(&made, objectives, costs, 5);
    struct simulated_space *space = simulated(&made, 1);
    assert_near(space->median, 30, 1e-9);
    assert_near(space->begin, 3.02 / 2.98, 1e-9);
    assert_near(space->end, 4.9 / 1.1, 1e-9);
    static const uint32_t places[] = {2, 0, 4, 1, 3};
    assert_memory_equal(space->ranks, places, sizeof places);
    for (size_t i = 0; i < SCORE_TIMES; i++) {
        double k = floor(simulated_space_time(space, i));
        assert_near(space->baseline[i], 10 + 10 * (5 - k) / (k + 1), 10 * 0.04);
    }
    simulated_space_free(space);

    space = simulated(&made, 4); /* four at once: four times as fast */
    assert_near(space->begin, 3.02 / 2.98 / 4, 1e-9);
    assert_near(space->end, 4.9 / 1.1 / 4, 1e-9);
    for (size_t i = 0; i < SCORE_TIMES; i++) {
        double k = simulated_space_time(space, i) < 1 ? 0 : 4; /* the worst until then */
        assert_near(space->baseline[i], k > 0 ? 10 + 10 * (5 - k) / (k + 1) : 50, 10 * 0.04);
    }
    simulated_space_free(space);
    unmake(&made);
}

/*
 * Costs that go with places, and a failure: by all orders of four configurations. The places 0 to 2 cost 1, 2 and 4
 * seconds, a failure 3.
 */
static void test_baseline_by_all_orders(void **state)
{
    (void)state;
    enum { COUNT = 4, TIMES = 21 };
    static const double costs[COUNT] = {4, 1, 3, 2};
    static const uint32_t places[COUNT] = {2, 0, 3, 1};
    double expected[TIMES] = {0}, found[TIMES];
    for (unsigned code = 0; code < 256; code++) { /* of the numbers with four digits the 24 orders */
        unsigned order[COUNT], seen = 0;
        for (unsigned i = 0; i < COUNT; i++)
            seen |= 1U << (order[i] = code >> 2 * i & 3);
        for (int time = 0; seen == 15 && time < TIMES; time++) {
            double now = 0.5 + time * 0.5, end = 0;
            uint32_t best = 2;
            for (unsigned i = 0; i < COUNT && (end += costs[order[i]]) <= now; i++)
                best = places[order[i]] < best ? places[order[i]] : best;
            expected[time] += best / 24.0;
        }
    }
    const struct random_searches searches = {costs, places, COUNT, 3, 1, 0.5, 10.5, TIMES, 4};
    assert_true(baseline_ranks(&searches, found));
    for (int time = 0; time < TIMES; time++) /* five deviations of the mean */
        assert_near(found[time], expected[time], 5 * 0.9 / sqrt(20000));
}

/* Of the same recording: 50 first, then the optimum after two seconds. */
static void test_score_by_hand(void **state)
{
    (void)state;
    static const double objectives[] = {30, 10, 50, 20, 40}, costs[] = {1, 1, 1, 1, 1};
    static const size_t order[] = {2, 1, 0};
    struct by_hand made;
    struct error error;
    make(&made, objectives, costs, 5);
    struct simulated_space *space = simulated(&made, 1);
    script = order;
    script_length = 3;
    struct replay_trace trace;
    assert_true(replay_run(space, &(struct replay_plan){.driver = &scripted}, 1, &trace, &error));
    double expected = 0;
    for (size_t i = 0; i < SCORE_TIMES; i++) {
        double t = space->begin + (space->end - space->begin) * (double)i / 999;
        double found = t < 2 ? 50 : 10, base = space->baseline[i];
        assert_near((double)trace.ranks[i], t < 2 ? 4 : 0, 0);
        expected += (found - base) / (10 - base) / 1000;
    }
    struct score score;
    assert_true(score_traces(space, &trace, 1, 7, &score, &error));
    assert_near(score.p, expected, 1e-6);
    assert_near(score.low, expected, 1e-6); /* of one repeat every resample is the same */
    assert_near(score.high, expected, 1e-6);
    assert_near(score.evaluations, 2, 0);

    /* Two repeats, the other finds the optimum at once: places are averaged, then objectives looked up. */
    struct replay_trace two[2] = {trace, trace};
    memset(two[1].ranks, 0, sizeof two[1].ranks);
    assert_true(score_traces(space, two, 2, 7, &score, &error));
    double base = space->baseline[0];
    assert_near(score.curve[0], (30 - base) / (10 - base), 1e-6); /* places 4 and 0: 2, which is 30 ns */
    assert_near(score.high, 1, 1e-9);                             /* a quarter of the resamples are the other twice */
    assert_near(score.low, expected, 1e-6);
    simulated_space_free(space);
    unmake(&made);
}

/* Failures cost their time and find nothing; before anything valid the place is the worst. */
static void test_failures_cost(void **state)
{
    (void)state;
    static const double objectives[] = {0, 10, 20, 30, 0, 40}, costs[] = {3, 1, 1, 1, 2, 1};
    static const size_t order[] = {0, 4, 1};
    struct by_hand made;
    struct error error;
    make(&made, objectives, costs, 6);
    struct simulated_space *space = simulated(&made, 1);
    assert_near(space->mean_cost, 1.5, 1e-12);
    assert_int_equal(space->valid, 4);
    script = order;
    script_length = 3;
    told_valid = told_failed = 0;
    struct replay_trace trace;
    assert_true(replay_run(space, &(struct replay_plan){.driver = &scripted}, 1, &trace, &error));
    for (size_t i = 0; i < SCORE_TIMES; i++)
        assert_near((double)trace.ranks[i], simulated_space_time(space, i) < 6 ? 3 : 0, 0);
    assert_int_equal(told_failed, 2);
    assert_int_equal(told_valid, 1);
    simulated_space_free(space);
    unmake(&made);
}

/* Two at once: 2 s and 5 s begin together, 1 s begins after the first; answers come as they end. */
static void test_parallel_clock(void **state)
{
    (void)state;
    static const double objectives[] = {30, 10, 20, 40, 50, 60, 70, 80}, costs[] = {2, 5, 1, 1, 1, 1, 1, 1};
    static const size_t order[] = {0, 1, 2, 3, 4, 5, 6, 7};
    struct by_hand made;
    struct error error;
    make(&made, objectives, costs, 8);
    struct simulated_space *space = simulated(&made, 2);
    script = order;
    script_length = 8;
    struct replay_trace trace;
    assert_true(replay_run(space, &(struct replay_plan){.driver = &scripted}, 1, &trace, &error));
    assert_true(space->begin < 2 && space->end > 5);
    for (size_t i = 0; i < SCORE_TIMES; i++) {
        double t = simulated_space_time(space, i);
        assert_near((double)trace.ranks[i], t < 2 ? 7 : t < 3 ? 2 : t < 5 ? 1 : 0, 0);
    }
    simulated_space_free(space);
    unmake(&made);
}

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
    struct simulated_space *space = simulated(&made, 1);
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
    struct simulated_space *space = simulated(&made, 1);
    size_t best;
    assert_true(recording_best(&made.recording, &best));
    script = &best;
    script_length = 1;
    struct score *score = simulate(space, &scripted, 20, 1, 1);
    assert_near(score->p, 1, 1e-12);
    assert_near(score->low, 1, 1e-12);
    free(score);
    simulated_space_free(space);
    unmake(&made);
}

/* The interval has its name from this: of simulations with other seeds, about 95 % hold the true score, which many
 * repeats give. 40 simulations: fewer than 32 is less likely than 1 in 10,000. */
static void test_interval_covers(void **state)
{
    (void)state;
    enum { SIMULATIONS = 40, FEWEST = 32, MANY = 2000 };
    struct by_hand made;
    make_large(&made);
    struct simulated_space *space = simulated(&made, 1);
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

static void test_same_with_any_number_of_threads(void **state)
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

/* A trace that another program wrote counts like a replay that went the same way. */
static void test_traces_of_others(void **state)
{
    (void)state;
    static const double objectives[] = {30, 10, 50, 20, 40}, costs[] = {1, 1, 1, 1, 1};
    static const size_t order[] = {2, 3, 1};
    struct by_hand made;
    struct error error;
    make(&made, objectives, costs, 5);
    struct simulated_space *space = simulated(&made, 1);
    script = order;
    script_length = 3;
    struct replay_trace ours;
    assert_true(replay_run(space, &(struct replay_plan){.driver = &scripted}, 1, &ours, &error));

    char path[] = "/tmp/tune-traces-XXXXXX";
    int descriptor = mkstemp(path);
    assert_true(descriptor >= 0);
    FILE *file = fdopen(descriptor, "w");
    fputs("{\"traces\":[{\"strategy\":\"theirs\",\"recording\":\"made\",\"repeats\":"
          "[{\"seconds\":[1,2,3],\"best_ms\":[5e-5,2e-5,1e-5]}]},"
          "{\"strategy\":\"theirs\",\"recording\":\"elsewhere\",\"repeats\":[]}]}",
          file);
    assert_int_equal(fclose(file), 0);
    struct traced_strategies traced = {0};
    const struct simulated_space *spaces = space;
    if (!traces_score(path, &spaces, 1, 1, &traced, &error))
        fail_msg("%s", error.text);
    assert_int_equal(traced.count, 1);
    assert_string_equal(traced.items[0].name, "theirs");
    struct score score;
    assert_true(score_traces(space, &ours, 1, 1, &score, &error));
    assert_near(traced.items[0].scores[0].p, score.p, 0);
    traced_strategies_clear(&traced);
    remove(path);
    simulated_space_free(space);
    unmake(&made);
}

static void test_what_is_no_search(void **state)
{
    (void)state;
    static const struct {
        double objectives[3], costs[3];
        const char *says;
    } cases[] = {
        {{5, 0, 0}, {1, 1, 1}, "1 valid configuration, but a replay needs at least two"},
        {{5, 5, 5}, {1, 1, 1}, "half of the configurations equal the best"},
        {{5, 6, 7}, {0, 0, 0}, "no compile, validation or measurement times"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct by_hand made;
        struct simulated_space *space;
        struct error error;
        make(&made, cases[i].objectives, cases[i].costs, 3);
        assert_false(simulated_space_create(&made.recording, 1, &space, &error));
        if (!strstr(error.text, cases[i].says))
            fail_msg("\"%s\" does not say \"%s\"", error.text, cases[i].says);
        unmake(&made);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_baseline_is_the_expectation),
        cmocka_unit_test(test_baseline_falls),
        cmocka_unit_test(test_window_and_baseline_by_hand),
        cmocka_unit_test(test_baseline_by_all_orders),
        cmocka_unit_test(test_score_by_hand),
        cmocka_unit_test(test_failures_cost),
        cmocka_unit_test(test_parallel_clock),
        cmocka_unit_test(test_random_search_scores_0),
        cmocka_unit_test(test_oracle_scores_1),
        cmocka_unit_test(test_interval_covers),
        cmocka_unit_test(test_same_with_any_number_of_threads),
        cmocka_unit_test(test_traces_of_others),
        cmocka_unit_test(test_what_is_no_search),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

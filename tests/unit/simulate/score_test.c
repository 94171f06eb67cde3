/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/unit/simulate/by_hand.h"

#include "tuner/search/generator.h"
#include "tuner/simulate/score.h"

/* Five configurations at one second each: the worst first, then the optimum after two seconds. */
static void test_score_by_hand(void **state)
{
    (void)state;
    static const double objectives[] = {30, 10, 50, 20, 40}, costs[] = {1, 1, 1, 1, 1};
    static const size_t order[] = {2, 1, 0};
    struct by_hand made;
    struct error error;
    make(&made, objectives, costs, 5);
    struct simulated_space *space = simulated(&made, 0);
    struct replay_trace trace;
    run_script(space, order, 3, &trace);
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
    assert_near(score.low, expected, 1e-6); /* every resample of one repeat is that repeat */
    assert_near(score.high, expected, 1e-6);
    assert_near(score.evaluations, 2, 0);

    /* A second repeat finds the optimum at once: ranks are averaged, then objectives looked up. */
    struct replay_trace two[2] = {trace, trace};
    memset(two[1].ranks, 0, sizeof two[1].ranks);
    assert_true(score_traces(space, two, 2, 7, &score, &error));
    double base = space->baseline[0];
    assert_near(score.curve[0], (30 - base) / (10 - base), 1e-6); /* ranks 4 and 0: 2, which is 30 ns */
    assert_near(score.high, 1, 1e-9); /* a quarter of the resamples draw the second twice */
    assert_near(score.low, expected, 1e-6);
    simulated_space_free(space);
    unmake(&made);
}

/* A bootstrap by the book, with P computed from the ranks themselves. */
static void test_resamples(void **state)
{
    (void)state;
    enum { REPEATS = 4 };
    static const double objectives[] = {30, 10, 50, 20, 40}, costs[] = {1, 1, 1, 1, 1};
    static const size_t orders[REPEATS][3] = {{2, 1, 0}, {0, 3, 1}, {4, 3, 2}, {1, 2, 3}};
    struct by_hand made;
    struct error error;
    make(&made, objectives, costs, 5);
    struct simulated_space *space = simulated(&made, 0);
    struct replay_trace *traces = calloc(REPEATS, sizeof *traces);
    struct score *score = malloc(sizeof *score);
    struct generator generator = {7};
    assert_true(traces && score);
    for (size_t i = 0; i < REPEATS; i++)
        run_script(space, orders[i], 3, &traces[i]);
    assert_true(score_traces(space, traces, REPEATS, 7, score, &error));
    size_t below = 0, above = 0;
    for (size_t resample = 0; resample < SCORE_RESAMPLES; resample++) {
        size_t drawn[REPEATS];
        double p = 0;
        for (size_t i = 0; i < REPEATS; i++)
            drawn[i] = generator_below(&generator, REPEATS);
        for (size_t time = 0; time < SCORE_TIMES; time++) {
            double rank = 0, base = space->baseline[time];
            for (size_t i = 0; i < REPEATS; i++)
                rank += (double)traces[drawn[i]].ranks[time] / REPEATS;
            p += (10 + 10 * rank - base) / (10 - base) / SCORE_TIMES; /* rank r has objective 10 + 10 r */
        }
        assert_near(score->resamples[resample], p, 1e-9);
        below += score->resamples[resample] < score->low;
        above += score->resamples[resample] > score->high;
    }
    assert_true(below <= SCORE_RESAMPLES / 40 && above <= SCORE_RESAMPLES / 40);
    assert_true(score->low < score->p && score->p < score->high);
    free(score);
    free(traces);
    simulated_space_free(space);
    unmake(&made);
}

/* Over spaces everything is the mean, and the interval is that of the resamples' means. */
static void test_mean(void **state)
{
    (void)state;
    struct score *scores = calloc(2, sizeof *scores), *mean = malloc(sizeof *mean);
    assert_true(scores && mean);
    for (size_t i = 0; i < SCORE_RESAMPLES; i++) {
        scores[0].resamples[i] = (double)i / 1000;
        scores[1].resamples[i] = 1 - (double)i / 1000; /* the mean is 1/2 of each */
    }
    scores[0].p = 0.25;
    scores[1].p = 0.5;
    scores[0].evaluations = 10;
    scores[1].evaluations = 30;
    scores[1].curve[3] = 0.5;
    score_mean(scores, 2, mean);
    assert_near(mean->p, 0.375, 1e-12);
    assert_near(mean->evaluations, 20, 1e-12);
    assert_near(mean->curve[3], 0.25, 1e-12);
    assert_near(mean->low, 0.5, 1e-12);
    assert_near(mean->high, 0.5, 1e-12);
    score_mean(scores, 1, mean);
    assert_near(mean->low, 0.025, 1e-12); /* 25 of 1000 below */
    assert_near(mean->high, 0.974, 1e-12);
    free(scores);
    free(mean);
}

/* Evaluations until searches were near the optimum; nothing is said if one of them never was. */
static void test_within(void **state)
{
    (void)state;
    enum { REPEATS = 4 };
    static const double objectives[] = {30, 10, 50, 20, 40}, costs[] = {1, 1, 1, 1, 1};
    static const size_t order[] = {2, 1, 0}, after[REPEATS] = {40, 15, 1, 16};
    struct by_hand made;
    struct error error;
    make(&made, objectives, costs, 5);
    struct simulated_space *space = simulated(&made, 0);
    struct replay_trace *traces = calloc(REPEATS, sizeof *traces);
    struct score *score = malloc(sizeof *score);
    assert_true(traces && score);
    for (size_t i = 0; i < REPEATS; i++) {
        run_script(space, order, 3, &traces[i]);
        traces[i].within_after = after[i];
    }
    assert_true(score_traces(space, traces, REPEATS, 1, score, &error));
    assert_near(score->within.median, 15.5, 1e-12);
    assert_near(score->within.most, 16 + 0.7 * (40 - 16), 1e-12);
    assert_near(score->within.early, 0.5, 1e-12);
    traces[1].within_after = 0;
    assert_true(score_traces(space, traces, REPEATS, 1, score, &error));
    assert_true(score->within.median == 0 && score->within.most == 0 && score->within.early == 0);
    free(score);
    free(traces);
    simulated_space_free(space);
    unmake(&made);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_score_by_hand),
        cmocka_unit_test(test_resamples),
        cmocka_unit_test(test_mean),
        cmocka_unit_test(test_within),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

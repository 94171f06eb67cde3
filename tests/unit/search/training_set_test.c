/* SPDX-License-Identifier: Apache-2.0 */
/* Against a selection that sorts everything anew. */
#include "tests/unit/search/landscape.h"

#include "tuner/search/training_set.h"

enum { SIZE = 400, LIMIT = 20 };

struct training {
    struct search_space *space;
    struct explorer explorer;
    struct training_set set;
};

static void create(struct training *training, double elite_share)
{
    static const size_t size = SIZE;
    training->space = grid_create(&size, 1);
    const struct strategy_setup setup = {.space = training->space, .seed = 1};
    assert_true(explorer_create(&training->explorer, &setup, DESIGN_RANDOM, 0));
    training_set_init(&training->set, &training->explorer, LIMIT, elite_share);
}

static void destroy(struct training *training)
{
    training_set_clear(&training->set);
    explorer_clear(&training->explorer);
    search_space_free(training->space);
}

static size_t ask(struct training *training)
{
    size_t index;
    assert_int_equal(explorer_begin(&training->explorer, NO_ORIGIN, &index), ASK_READY);
    return index;
}

static void tell(struct training *training, size_t index, double objective, double seconds)
{
    bool valid = isfinite(objective);
    const struct observation observation = {
        .index = index, .valid = valid, .objective = valid ? objective : 0, .seconds = seconds};
    const struct trial *trial = explorer_tell(&training->explorer, &observation);
    assert_non_null(trial);
    assert_true(training_set_add(&training->set, trial, &observation));
}

static bool before(const struct trial *trials, size_t a, size_t b)
{
    return trials[a].objective < trials[b].objective || (trials[a].objective == trials[b].objective && a < b);
}

/* How many told trials come before one; ties by age. */
static size_t rank_of(const struct explorer *explorer, size_t trial)
{
    size_t rank = 0;
    for (size_t i = 0; i < explorer->trial_count; i++)
        rank += explorer->trials[i].told && i != trial && before(explorer->trials, i, trial);
    return rank;
}

/* Every told trial if there are few enough; else the elite, and the latest of the others that are worse. */
static void assert_chosen(const struct training *training, double elite_share)
{
    const struct explorer *explorer = &training->explorer;
    const struct training_set *set = &training->set;
    size_t told = 0, valid = 0, expected = 0, pending = 0;
    bool in[SIZE] = {false}, chosen[SIZE] = {false};
    for (size_t i = 0; i < explorer->trial_count; i++) {
        told += explorer->trials[i].told;
        valid += explorer->trials[i].told && isfinite(explorer->trials[i].objective);
        pending += !explorer->trials[i].told;
    }
    size_t elite = (size_t)(elite_share * LIMIT);
    elite = told <= LIMIT ? told : elite < valid ? elite : valid;
    double worst = -INFINITY;
    for (size_t i = 0; i < explorer->trial_count; i++) {
        in[i] = explorer->trials[i].told && rank_of(explorer, i) < elite;
        expected += in[i];
        if (in[i])
            worst = fmax(worst, explorer->trials[i].objective);
    }
    for (size_t i = explorer->trial_count; told > LIMIT && i-- > 0 && expected < LIMIT;) {
        if (!in[i] && explorer->trials[i].told && explorer->trials[i].objective > worst)
            expected += in[i] = true;
    }
    assert_int_equal(set->known_count, expected);
    for (size_t i = 0; i < set->row_count; i++) {
        assert_false(chosen[set->rows[i]]);
        chosen[set->rows[i]] = true;
        assert_int_equal(explorer->trials[set->rows[i]].told, i < set->known_count);
        assert_true(i >= set->known_count || in[set->rows[i]]);
    }
    assert_int_equal(set->row_count - set->known_count,
                     pending < TRAINING_PENDING_MOST ? pending : TRAINING_PENDING_MOST);
    for (size_t rank = 0; rank < valid; rank++)
        assert_int_equal(rank_of(explorer, (size_t)(training_set_ranked(set, rank) - explorer->trials)), rank);
}

/* Some results at a time, a quarter of them failures and many equal, while more and more is under way. */
static void test_choice(void **state)
{
    (void)state;
    static const double shares[] = {0, 0.5, 1};
    for (size_t i = 0; i < 3; i++) {
        struct training training;
        struct generator generator = {.state = i};
        size_t open[SIZE], count = 0;
        create(&training, shares[i]);
        while (training.explorer.trial_count < 300) {
            for (size_t asked = generator_below(&generator, 9); asked > 0; asked--)
                open[count++] = ask(&training);
            for (size_t told = generator_below(&generator, 7); told > 0 && count > 0; told--) {
                size_t at = generator_below(&generator, count);
                bool fails = generator_below(&generator, 4) == 0;
                tell(&training, open[at], fails ? INFINITY : 1 + (double)generator_below(&generator, 30), 1);
                open[at] = open[--count];
            }
            training_set_choose(&training.set);
            assert_chosen(&training, shares[i]);
        }
        assert_true(count > TRAINING_PENDING_MOST);
        destroy(&training);
    }
}

/* Of 1, 2, 4, 8 and 16 the median is 4: worse ones and failures are clamped to it. */
static void test_objectives(void **state)
{
    (void)state;
    static const double objectives[] = {8, 1, INFINITY, 16, 4, 2}, clamped[] = {0, 1, 2, 2, 2, 2};
    struct training training;
    double values[LIMIT];
    create(&training, 0.5);
    for (size_t i = 0; i < 6; i++)
        tell(&training, i, objectives[i], 1);
    training_set_choose(&training.set);
    assert_true(training_set_objectives(&training.set, 0.5, values) == 0);
    for (size_t i = 0; i < 6; i++) /* rows are sorted, the failure last */
        assert_true(fabs(values[i] - clamped[i] * log(2)) < 1e-12);
    assert_true(training_set_objectives(&training.set, 1, values) == 0);
    assert_true(fabs(values[4] - log(16)) < 1e-12 && fabs(values[5] - log(16)) < 1e-12);
    training_set_successes(&training.set, values);
    for (size_t i = 0; i < 6; i++)
        assert_true(values[i] == (i < 5));
    destroy(&training);
}

/* One objective that is not positive, and none is taken by its logarithm. */
static void test_negative_objectives(void **state)
{
    (void)state;
    struct training training;
    double values[LIMIT];
    create(&training, 0.5);
    tell(&training, 3, 5, 1);
    tell(&training, 4, -2, 1);
    training_set_choose(&training.set);
    assert_true(training_set_objectives(&training.set, 1, values) == -2);
    assert_true(values[0] == -2 && values[1] == 5);
    destroy(&training);
}

/* Unknown seconds get the mean of the logarithms that are known: of 1 and e^2, that is 1. */
static void test_durations(void **state)
{
    (void)state;
    struct training training;
    double values[LIMIT];
    create(&training, 0.5);
    tell(&training, 0, 1, 0);
    training_set_choose(&training.set);
    assert_false(training_set_durations(&training.set, values));
    tell(&training, 1, 2, 1);
    tell(&training, 2, 3, exp(2));
    training_set_choose(&training.set);
    assert_true(training_set_durations(&training.set, values));
    for (size_t i = 0; i < 3; i++)
        assert_true(fabs(values[i] - (i == 0 ? 1 : i == 1 ? 0 : 2)) < 1e-12);
    destroy(&training);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_choice),
        cmocka_unit_test(test_objectives),
        cmocka_unit_test(test_negative_objectives),
        cmocka_unit_test(test_durations),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

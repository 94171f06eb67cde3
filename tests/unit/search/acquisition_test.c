/* SPDX-License-Identifier: Apache-2.0 */
/* Against the acquisition of every proposal by its definition, without bounds, sorting or blocks. */
#include "tests/unit/search/landscape.h"

#include "tuner/search/acquisition.h"
#include "tuner/search/improvement.h"

enum { POINTS = 12, PROPOSALS = 300 };

struct model {
    struct acquisition acquisition;
    struct proposal proposals[PROPOSALS];
    double correlations[PROPOSALS][POINTS];
};

/* Points on a line: the objective falls to the right, where evaluations fail and take longer. */
static struct model *create(void)
{
    static const double lengths[] = {0.2};
    double objectives[POINTS], successes[POINTS], durations[POINTS];
    struct model *model = calloc(1, sizeof *model);
    struct generator generator = {.state = 8};
    assert_non_null(model);
    struct acquisition *acquisition = &model->acquisition;
    assert_true(acquisition_create(acquisition, POINTS));
    acquisition->process = gaussian_process_create(1, 1, POINTS);
    assert_non_null(acquisition->process);
    gaussian_process_set_scales(acquisition->process, lengths, 0.01);
    for (size_t i = 0; i < POINTS; i++) {
        double place = (double)i / (POINTS - 1);
        gaussian_process_set_point(acquisition->process, i, &place);
        objectives[i] = 2 - place + 0.2 * sin(20 * place);
        successes[i] = place < 0.7;
        durations[i] = log(1 + 9 * place);
    }
    gaussian_process_factor(acquisition->process, POINTS);
    gaussian_process_condition(acquisition->process, objectives, POINTS, &acquisition->objective);
    gaussian_process_condition(acquisition->process, successes, POINTS, &acquisition->success);
    gaussian_process_condition(acquisition->process, durations, POINTS, &acquisition->duration);
    acquisition->incumbent = 1.1;
    acquisition->reliability = 1.5;
    acquisition->haste = 0.3;
    for (size_t i = 0; i < PROPOSALS; i++) {
        double place = generator_real(&generator);
        model->proposals[i] = (struct proposal){.index = i, .correlations = model->correlations[i]};
        gaussian_process_correlate(acquisition->process, &place, model->correlations[i]);
    }
    return model;
}

static void destroy(struct model *model)
{
    gaussian_process_free(model->acquisition.process);
    acquisition_clear(&model->acquisition);
    free(model);
}

/* log(EI * P(success)^reliability / seconds^haste). */
static double defined(const struct model *model, const struct proposal *proposal)
{
    const struct acquisition *acquisition = &model->acquisition;
    const double *correlations = proposal->correlations;
    double variance;
    gaussian_process_variances(acquisition->process, &correlations, 1, &variance);
    double deviation = sqrt(acquisition->objective.variance * fmax(variance, 1e-9));
    double value = log_expected_improvement(acquisition->incumbent,
                                            posterior_mean(&acquisition->objective, correlations), deviation);
    if (acquisition->predicts_failures) {
        double spread = sqrt(2 * acquisition->success.variance * fmax(variance, 1e-9));
        double succeeds = 0.5 + 0.5 * erf((posterior_mean(&acquisition->success, correlations) - 0.5) / spread);
        value += acquisition->reliability * log(fmax(succeeds, 1e-9));
    }
    if (acquisition->predicts_durations)
        value -= acquisition->haste * posterior_mean(&acquisition->duration, correlations);
    return value;
}

/* The reference for proposals from `first` on. */
static size_t best_of(const struct model *model, size_t first, size_t count, double *best)
{
    size_t index = PROPOSALS;
    *best = -INFINITY;
    for (size_t i = first; i < first + count; i++) {
        double exact = defined(model, &model->proposals[i]);
        assert_true(model->proposals[i].bound > exact - 1e-6);
        if (exact > *best) {
            *best = exact;
            index = model->proposals[i].index;
        }
    }
    return index;
}

/* Of groups of 1 to 24 proposals, and of all. */
static void test_finds_the_maximum(void **state)
{
    (void)state;
    for (int predicts = 0; predicts < 4; predicts++) {
        struct model *model = create();
        model->acquisition.predicts_failures = predicts & 1;
        model->acquisition.predicts_durations = predicts & 2;
        for (size_t i = 0; i < PROPOSALS; i++)
            acquisition_bound(&model->acquisition, &model->proposals[i]);
        for (size_t count = 1, first = 0; first + count <= PROPOSALS; first += count, count++) {
            double best, value = -INFINITY;
            size_t index = PROPOSALS, expected = best_of(model, first, count, &best);
            struct proposal *group = model->proposals + first;
            assert_true(acquisition_maximise(&model->acquisition, group, count, &value, &index));
            assert_int_equal(index, expected);
            assert_true(fabs(value - best) < 1e-6);
            assert_false(acquisition_maximise(&model->acquisition, group, count, &value, &index));
            assert_int_equal(index, expected);
            value = best - 1e-3; /* just beaten */
            assert_true(acquisition_maximise(&model->acquisition, group, count, &value, &index));
            assert_int_equal(index, expected);
        }
        double best, value = -INFINITY;
        size_t index = PROPOSALS, expected = best_of(model, 0, PROPOSALS, &best);
        assert_true(acquisition_maximise(&model->acquisition, model->proposals, PROPOSALS, &value, &index));
        assert_int_equal(index, expected);
        destroy(model);
    }
}

/* What fails and what takes long is asked for less. */
static void test_factors_matter(void **state)
{
    (void)state;
    size_t found[4];
    for (int predicts = 0; predicts < 4; predicts++) {
        struct model *model = create();
        double value = -INFINITY;
        model->acquisition.predicts_failures = predicts & 1;
        model->acquisition.predicts_durations = predicts & 2;
        model->acquisition.haste = 2;
        for (size_t i = 0; i < PROPOSALS; i++)
            acquisition_bound(&model->acquisition, &model->proposals[i]);
        assert_true(acquisition_maximise(&model->acquisition, model->proposals, PROPOSALS, &value, &found[predicts]));
        destroy(model);
    }
    assert_int_not_equal(found[0], found[1]);
    assert_int_not_equal(found[0], found[2]);
}

static void test_no_proposals(void **state)
{
    (void)state;
    struct model *model = create();
    double value = -INFINITY;
    size_t index;
    assert_false(acquisition_maximise(&model->acquisition, model->proposals, 0, &value, &index));
    destroy(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_finds_the_maximum),
        cmocka_unit_test(test_factors_matter),
        cmocka_unit_test(test_no_proposals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

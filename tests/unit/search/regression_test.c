/* SPDX-License-Identifier: Apache-2.0 */
/* A process fitted to half of a bowl knows the other half, and a failure for as bad as the worst. */
#include "tests/unit/search/landscape.h"
#include "tuner/search/regression.h"

enum { SIDE = 12, COUNT = SIDE * SIDE, FAILED = 11 * SIDE + 1 /* a corner, where it is worst */ };

static double objective(size_t index)
{
    const size_t row = index / SIDE, column = index % SIDE;
    return exp((pow((double)row - 4, 2) + pow((double)column - 7, 2)) / 40);
}

/* Tell every other configuration, twice. Returns the best. */
static double tell_half(struct regression *regression)
{
    double best = INFINITY;
    for (size_t i = 1; i < COUNT; i += 2) {
        const struct observation observation = {i, i != FAILED, objective(i), 1};
        const struct trial *trial = regression_tell(regression, &observation);
        assert_non_null(trial);
        assert_int_equal(trial->index, i);
        assert_null(regression_tell(regression, &observation));
        best = observation.valid ? fmin(best, observation.objective) : best;
    }
    return best;
}

static double predict(struct regression *regression, struct gaussian_process *process,
                      const struct posterior *posterior, size_t index)
{
    double correlations[COUNT];
    coordinates_of(&regression->coordinates, index, regression->place);
    gaussian_process_correlate(process, regression->place, correlations);
    return posterior_mean(posterior, correlations);
}

static void test_fit(void **state)
{
    (void)state;
    static const size_t sizes[] = {SIDE, SIDE};
    struct search_space *space = grid_create(sizes, 2);
    const struct strategy_setup setup = {.space = space, .seed = 3};
    struct regression regression;
    double weights[COUNT + TRAINING_PENDING_MOST];
    struct posterior posterior = {.weights = weights};
    assert_true(regression_create(&regression, &setup, DESIGN_RANDOM, 0, COUNT, 0.5));
    assert_int_equal(regression.points, COUNT + TRAINING_PENDING_MOST);
    struct gaussian_process *process = regression_process(&regression);
    assert_non_null(process);
    double best = tell_half(&regression), apart = 0;
    for (int i = 0; i < 5; i++) /* a few steps of learning each */
        assert_true(regression_fit(&regression, process, 1, &posterior) == log(best));
    for (size_t i = 0; i < COUNT; i += 2) {
        if (log(objective(i)) < 1) /* the worst lie at the corners, beside the failure */
            apart = fmax(apart, fabs(predict(&regression, process, &posterior, i) - log(objective(i))));
    }
    assert_true(apart < 0.1);
    assert_true(predict(&regression, process, &posterior, FAILED) > 1.5);

    /* clamped to the median, nothing is expected to be much worse than that */
    assert_true(regression_fit(&regression, process, 0.5, &posterior) == log(best));
    assert_true(predict(&regression, process, &posterior, COUNT - 1) < 1.5);
    gaussian_process_free(process);
    regression_clear(&regression);
    search_space_free(space);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_fit)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Expected values: the book's formulas in Python, solved by Gaussian elimination rather than Cholesky's factor. */
#include "tests/unit/fixture.h"

#include "tuner/search/gaussian_process.h"

#include <math.h>
#include <stdlib.h>

enum { COORDINATES = 2, POINTS = 5, PLACES = 3 };

/* The second coordinate is categorical. */
static const double points[POINTS][COORDINATES] = {{0, 0}, {0.3, 1}, {0.55, 0}, {1, 1}, {0.8, 2}};
static const double values[POINTS] = {1.5, -0.25, 0.75, 2, 0.1};
static const double places[PLACES][COORDINATES] = {{0.2, 0}, {0.9, 1}, {0.6, 2}};
static const double lengths[COORDINATES] = {0.4, 0.9};

static void assert_near(double actual, double expected)
{
    assert_true(fabs(actual - expected) < 1e-6);
}

static struct gaussian_process *create(void)
{
    struct gaussian_process *process = gaussian_process_create(COORDINATES, 1, POINTS);
    assert_non_null(process);
    for (size_t i = 0; i < POINTS; i++)
        gaussian_process_set_point(process, i, points[i]);
    gaussian_process_set_scales(process, lengths, 0.01);
    return process;
}

struct prediction {
    double mean, variance, at[PLACES], left[PLACES];
};

/* Correlations from the distances of another place equal those computed directly. */
static void assert_same_from(const struct gaussian_process *process, const double *other, const double *place,
                             const double *expected, size_t factored)
{
    double distances[POINTS], correlations[POINTS];
    gaussian_process_distances(process, other, distances);
    gaussian_process_correlate_near(process, place, other, distances, correlations);
    for (size_t i = 0; i < factored; i++)
        assert_near(correlations[i], expected[i]);
}

/* From the first `factored` points, of which the first `known` have values. */
static void assert_predicts(size_t factored, size_t known, const struct prediction *expected)
{
    double weights[POINTS], correlations[PLACES][POINTS], variances[PLACES];
    const double *rows[PLACES];
    struct posterior posterior = {.weights = weights};
    struct gaussian_process *process = create();
    gaussian_process_factor(process, factored);
    gaussian_process_condition(process, values, known, &posterior);
    assert_near(posterior.mean, expected->mean);
    assert_near(posterior.variance, expected->variance);
    for (size_t i = 0; i < PLACES; i++) {
        gaussian_process_correlate(process, places[i], correlations[i]);
        assert_same_from(process, places[(i + 1) % PLACES], places[i], correlations[i], factored);
        assert_near(posterior_mean(&posterior, correlations[i]), expected->at[i]);
        rows[i] = correlations[i];
    }
    gaussian_process_variances(process, rows, PLACES, variances);
    for (size_t i = 0; i < PLACES; i++)
        assert_near(variances[i], expected->left[i]);
    for (size_t i = 0; i < PLACES; i++)
        assert_true(gaussian_process_variance_bound(process, correlations[i]) > expected->left[i] - 1e-9);
    double nearest = fmax(correlations[0][0], correlations[0][2]);
    assert_near(gaussian_process_variance_bound(process, correlations[0]), 1 - nearest * nearest / 1.01);
    gaussian_process_free(process);
}

static void test_posterior(void **state)
{
    (void)state;
    assert_predicts(5, 5,
                    &(struct prediction){0.9679227734,
                                         1.1408750714,
                                         {1.1322666458, 1.7240878417, 0.0088471048},
                                         {0.1952361761, 0.0903936095, 0.2725878593}});
    assert_predicts(4, 4,
                    &(struct prediction){1.1880864493,
                                         1.0473138377,
                                         {1.0850010795, 1.7672949360, 0.8830383008},
                                         {0.1959934605, 0.0921784027, 0.7319548756}});
}

/* A point whose value is pending: means as without it, variances as with it. */
static void test_points_under_way(void **state)
{
    (void)state;
    assert_predicts(5, 4,
                    &(struct prediction){1.1880864493,
                                         1.0473138377,
                                         {1.0850010795, 1.7672949360, 0.8830383008},
                                         {0.1952361761, 0.0903936095, 0.2725878593}});
}

/* A function that varies along one of two coordinates only is predicted better after learning than with equal scales.
 */
static double error_of(struct gaussian_process *process, const double *known, size_t count)
{
    double correlations[36], weights[36], sum = 0;
    struct posterior posterior = {.weights = weights};
    gaussian_process_factor(process, count);
    gaussian_process_condition(process, known, count, &posterior);
    for (int i = 0; i < 200; i++) {
        const int row = i / 20;
        const double place[] = {i % 20 / 20.0 + 0.013, row / 10.0 + 0.017};
        gaussian_process_correlate(process, place, correlations);
        sum += pow(posterior_mean(&posterior, correlations) - sin(9 * place[0]), 2);
    }
    return sqrt(sum / 200);
}

static void test_learning(void **state)
{
    (void)state;
    enum { KNOWN = 36 };
    double known[KNOWN];
    struct generator generator = {.state = 3};
    struct gaussian_process *process = gaussian_process_create(2, 2, KNOWN);
    assert_non_null(process);
    for (size_t i = 0; i < KNOWN; i++) {
        const double place[] = {(double)generator_below(&generator, 1000) / 1000,
                                (double)generator_below(&generator, 1000) / 1000};
        gaussian_process_set_point(process, i, place);
        known[i] = sin(9 * place[0]);
    }
    double before = error_of(process, known, KNOWN);
    gaussian_process_learn(process, known, KNOWN, 200, &generator);
    double after = error_of(process, known, KNOWN);
    assert_true(after < 0.05);
    assert_true(after < 0.5 * before);
    struct gaussian_process *untaught =
        gaussian_process_create_with(2, 2, KNOWN, 10, 3, 1); /* which has learnt nothing */
    assert_non_null(untaught);
    generator.state = 3;
    for (size_t i = 0; i < KNOWN; i++) {
        const double place[] = {(double)generator_below(&generator, 1000) / 1000,
                                (double)generator_below(&generator, 1000) / 1000};
        gaussian_process_set_point(untaught, i, place);
    }
    assert_true(error_of(untaught, known, KNOWN) != after);
    gaussian_process_copy_scales(untaught, process);
    assert_true(error_of(untaught, known, KNOWN) == after);
    gaussian_process_free(process);
    gaussian_process_free(untaught);
}

/* Equal points, equal values, no coordinates: no division by zero. */
static void test_degenerate(void **state)
{
    (void)state;
    for (size_t coordinates = 0; coordinates < 2; coordinates++) {
        double weights[3], correlations[3], variance;
        const double *row = correlations;
        const double place = 0.5, same[] = {2, 2, 2};
        struct posterior posterior = {.weights = weights};
        struct generator generator = {.state = 1};
        struct gaussian_process *process = gaussian_process_create(coordinates, coordinates, 3);
        assert_non_null(process);
        for (size_t i = 0; i < 3; i++)
            gaussian_process_set_point(process, i, &place);
        gaussian_process_learn(process, same, 3, 50, &generator);
        gaussian_process_factor(process, 3);
        gaussian_process_condition(process, same, 3, &posterior);
        gaussian_process_correlate(process, &place, correlations);
        gaussian_process_variances(process, &row, 1, &variance);
        assert_near(posterior_mean(&posterior, correlations), 2);
        assert_true(variance >= 0 && variance < 0.5);
        gaussian_process_free(process);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_posterior),
        cmocka_unit_test(test_points_under_way),
        cmocka_unit_test(test_learning),
        cmocka_unit_test(test_degenerate),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

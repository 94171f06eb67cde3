/* SPDX-License-Identifier: Apache-2.0 */
/* Against the dense matrix by the kernel's formula, solved by Gaussian elimination. */
#include "tests/unit/search/landscape.h"

#include "tuner/search/covariance.h"

enum { COORDINATES = 3, ORDINAL = 2, POINTS = 9, CAPACITY = 11 };
static const double lengths[COORDINATES] = {0.4, 1.3, 0.7};
static const double noise = 0.02;

/* The last coordinate is categorical: 0, 1 or 2. */
static void draw_place(struct generator *generator, double *place)
{
    place[0] = generator_real(generator);
    place[1] = generator_real(generator);
    place[2] = (double)generator_below(generator, 3);
}

static double kernel(const double *a, const double *b)
{
    double squared = 0;
    for (size_t c = 0; c < COORDINATES; c++) {
        double apart = c < ORDINAL ? a[c] - b[c] : a[c] != b[c];
        squared += apart * apart / (lengths[c] * lengths[c]);
    }
    double r = sqrt(5 * squared);
    return (1 + r + r * r / 3) * exp(-r);
}

struct dense {
    double points[POINTS][COORDINATES], matrix[POINTS][POINTS];
    struct covariance covariance;
};

static void create(struct dense *dense, size_t count)
{
    struct generator generator = {.state = 17};
    double logarithms[COORDINATES];
    for (size_t c = 0; c < COORDINATES; c++)
        logarithms[c] = log(lengths[c]);
    assert_true(covariance_create(&dense->covariance, COORDINATES, ORDINAL, CAPACITY));
    for (size_t i = 0; i < POINTS; i++) {
        draw_place(&generator, dense->points[i]);
        covariance_set_point(&dense->covariance, i, dense->points[i]);
        for (size_t j = 0; j <= i; j++)
            dense->matrix[i][j] = dense->matrix[j][i] =
                kernel(dense->points[i], dense->points[j]) + (i == j ? noise : 0);
    }
    covariance_factor(&dense->covariance, count, logarithms, noise);
}

/* x := K^-1 x for the leading `count` rows and columns; returns log |K|. The matrix is positive definite, so pivots
 * need no search. */
static double solve(const struct dense *dense, size_t count, double *x)
{
    double a[POINTS][POINTS], logarithm = 0;
    memcpy(a, dense->matrix, sizeof a);
    for (size_t k = 0; k < count; k++) {
        logarithm += log(a[k][k]);
        for (size_t i = k + 1; i < count; i++) {
            double by = a[i][k] / a[k][k];
            for (size_t j = k; j < count; j++)
                a[i][j] -= by * a[k][j];
            x[i] -= by * x[k];
        }
    }
    for (size_t k = count; k-- > 0;) {
        for (size_t j = k + 1; j < count; j++)
            x[k] -= a[k][j] * x[j];
        x[k] /= a[k][k];
    }
    return logarithm;
}

/* `count` points, of which those after the first `factored` are appended to the factor. */
static void check_solution(size_t factored, size_t count)
{
    struct dense dense;
    double x[POINTS], expected[POINTS];
    create(&dense, factored);
    for (size_t i = factored; i < count; i++)
        covariance_append(&dense.covariance);
    for (size_t i = 0; i < count; i++)
        x[i] = expected[i] = sin((double)i + 1);
    double logarithm = solve(&dense, count, expected);
    assert_true(fabs(2 * covariance_half_log_determinant(&dense.covariance) - logarithm) < 1e-7);
    covariance_solve_forward(&dense.covariance, count, x);
    covariance_solve_backward(&dense.covariance, count, x);
    for (size_t i = 0; i < count; i++)
        assert_true(fabs(x[i] - expected[i]) < 1e-6);
    covariance_clear(&dense.covariance);
}

/* For every number of points: columns are reduced four at a time and singly, places solved two columns at a time. */
static void test_solves(void **state)
{
    (void)state;
    for (size_t count = 1; count <= POINTS; count++) {
        for (size_t factored = 1; factored <= count; factored++)
            check_solution(factored, count);
    }
}

static void test_correlations(void **state)
{
    (void)state;
    struct dense dense;
    struct generator generator = {.state = 3};
    create(&dense, POINTS);
    for (int i = 0; i < 50; i++) {
        double place[COORDINATES], other[COORDINATES], distances[POINTS], direct[POINTS], near[POINTS];
        draw_place(&generator, place);
        draw_place(&generator, other);
        if (i % 2)
            other[i % COORDINATES] = place[i % COORDINATES];
        covariance_correlate(&dense.covariance, place, direct);
        covariance_distances(&dense.covariance, other, distances);
        covariance_correlate_near(&dense.covariance, place, other, distances, near);
        for (size_t k = 0; k < POINTS; k++) {
            assert_true(fabs(direct[k] - kernel(place, dense.points[k])) < 1e-7); /* exp() is approximated */
            assert_true(fabs(near[k] - direct[k]) < 1e-8);
        }
    }
    covariance_clear(&dense.covariance);
}

/* 1 - k^T K^-1 k, for one place up to a full block, and odd and even numbers of points. */
static void test_conditional_variances(void **state)
{
    (void)state;
    struct generator generator = {.state = 5};
    for (size_t count = POINTS - 1; count <= POINTS; count++) {
        struct dense dense;
        create(&dense, count);
        for (size_t places = 1; places <= COVARIANCE_BLOCK; places++) {
            double correlations[COVARIANCE_BLOCK][POINTS], work[POINTS * COVARIANCE_BLOCK];
            double variances[COVARIANCE_BLOCK];
            const double *rows[COVARIANCE_BLOCK];
            for (size_t i = 0; i < places; i++) {
                double place[COORDINATES];
                draw_place(&generator, place);
                covariance_correlate(&dense.covariance, place, correlations[i]);
                rows[i] = correlations[i];
            }
            covariance_conditional_variances(&dense.covariance, rows, places, work, variances);
            for (size_t i = 0; i < places; i++) {
                double x[POINTS], left = 1;
                memcpy(x, correlations[i], count * sizeof *x);
                solve(&dense, count, x);
                for (size_t k = 0; k < count; k++)
                    left -= x[k] * correlations[i][k];
                assert_true(fabs(variances[i] - left) < 1e-6);
            }
        }
        covariance_clear(&dense.covariance);
    }
}

/* Equal points without noise make the matrix singular: the factor stays finite. */
static void test_singular(void **state)
{
    (void)state;
    static const double point[COORDINATES] = {0.5, 0.5, 1}, logarithms[COORDINATES] = {0, 0, 0};
    struct covariance covariance;
    double x[3] = {1, 1, 1};
    assert_true(covariance_create(&covariance, COORDINATES, ORDINAL, 3));
    for (size_t i = 0; i < 3; i++)
        covariance_set_point(&covariance, i, point);
    covariance_factor(&covariance, 2, logarithms, 0);
    covariance_append(&covariance);
    covariance_solve_forward(&covariance, 3, x);
    for (size_t i = 0; i < 3; i++)
        assert_true(isfinite(x[i]));
    covariance_clear(&covariance);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_solves),
        cmocka_unit_test(test_correlations),
        cmocka_unit_test(test_conditional_variances),
        cmocka_unit_test(test_singular),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

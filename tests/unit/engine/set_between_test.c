/* SPDX-License-Identifier: Apache-2.0 */
/* Sizes between those swept, and what configurations lose at both. */
#include "tests/unit/engine/set_fixture.h"
#include "tuner/engine/set_between.h"

static void make(struct set_fixture *fixture, const bool *left_out, struct set_between *between)
{
    const struct set_between_request request = {.known = &fixture->known, .left_out = left_out};
    assert_success(set_between_make(&request, between, &fixture->f.error), &fixture->f.error);
}

static void sizes_lie_around_those_swept(void **state)
{
    (void)state;
    struct set_fixture fixture;
    struct set_between between;
    double sum[SET_SIZES] = {0};
    set_fixture_open(&fixture);
    fixture.set.weights[3] = 2;
    for (size_t s = 0; s < SET_SIZES; s++)
        set_fixture_sweep(&fixture, s, 512, 0);
    make(&fixture, NULL, &between);
    const struct tree_cases *cases = &between.cases;
    assert_int_equal(cases->measured, SET_SIZES);
    assert_int_equal(cases->count, 13 * SET_SIZES);
    for (size_t i = 0; i < cases->count; i++) {
        size_t around = cases->around[i];
        int64_t size = cases->sizes[2 * i], from = problem_size(fixture.problems[around], 0);
        assert_int_equal(cases->sizes[2 * i + 1], 3);            /* the same everywhere: it stays */
        assert_int_equal(size % (from < 1024 ? from : 1024), 0); /* units are kept */
        assert_in_range(size, from / 2, 2 * from);
        if (i < SET_SIZES)
            assert_int_equal(around, i);
        else
            sum[around] += cases->weights[i];
    }
    for (size_t i = 0; i < SET_SIZES; i++)
        assert_true(fabs(sum[i] - fixture.set.weights[i]) < 1e-9);
    set_between_clear(&between);
    set_fixture_close(&fixture);
}

/* The least that any A loses, which is a power of two. */
static double least_loss(int64_t n)
{
    double least = INFINITY;
    for (int a = 1; a <= 512 && a <= n; a *= 2)
        least = fmin(least, set_fixture_loss(a, 0, n));
    return least;
}

static void losses_are_known_or_forecast(void **state)
{
    (void)state;
    struct set_fixture fixture;
    struct set_between between;
    set_fixture_open(&fixture);
    for (size_t s = 0; s < SET_SIZES; s++)
        set_fixture_sweep(&fixture, s, s == 5 ? 16 : 512, 0); /* A = 32, the best, was not measured at n = 256 */
    make(&fixture, NULL, &between);
    const struct tree_cases *cases = &between.cases;
    for (size_t row = 0; row < cases->configurations; row++) {
        const char *text = fixture.table.configurations[between.places[row]];
        int a = atoi(text + strlen("{\"A\":"));
        for (size_t i = 0; i < cases->count; i++) {
            int64_t n = cases->sizes[2 * i];
            double loss = cases->loss[row * cases->count + i], expected = set_fixture_loss(a, 0, n) - least_loss(n);
            if (a > n)
                assert_true(loss == cost_table_loss_most);
            else if (i < cases->measured && i != 5)
                assert_true(fabs(loss - fmin(expected, cost_table_loss_most)) < 1e-9);
            else if (i == 5 && a == 32)
                assert_true(loss < 0.05);
            else if (n >= 64 && n <= 1024 && n != 256 && expected < 1)
                assert_true(fabs(loss - expected) < 0.25);
        }
    }
    set_between_clear(&between);
    set_fixture_close(&fixture);
}

static void sizes_left_out_are_no_cases(void **state)
{
    (void)state;
    struct set_fixture fixture;
    struct set_between between;
    bool left_out[SET_SIZES] = {[2] = true};
    set_fixture_open(&fixture);
    for (size_t s = 0; s + 1 < SET_SIZES; s++)
        set_fixture_sweep(&fixture, s, 512, 0);
    make(&fixture, left_out, &between);
    assert_int_equal(between.cases.measured, SET_SIZES - 2); /* nor is one at which nothing is known */
    for (size_t i = 0; i < between.cases.measured; i++)
        assert_int_equal(between.swept[i], i < 2 ? i : i + 1);
    set_between_clear(&between);
    set_fixture_close(&fixture);
}

static void little_knowledge_makes_nothing_up(void **state)
{
    (void)state;
    struct set_fixture fixture;
    struct set_between between;
    set_fixture_open(&fixture);
    make(&fixture, NULL, &between);
    assert_int_equal(between.cases.count, 0);
    set_between_clear(&between);
    set_fixture_put(&fixture, 1, 0, 0);
    set_fixture_put(&fixture, 2, 0, 1);
    make(&fixture, NULL, &between);
    assert_int_equal(between.cases.count, 2);
    assert_int_equal(between.cases.configurations, 2);
    set_between_clear(&between);
    set_fixture_close(&fixture);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sizes_lie_around_those_swept),
        cmocka_unit_test(losses_are_known_or_forecast),
        cmocka_unit_test(sizes_left_out_are_no_cases),
        cmocka_unit_test(little_knowledge_makes_nothing_up),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

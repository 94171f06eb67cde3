/* SPDX-License-Identifier: Apache-2.0 */
/* When a search may stop: on a smooth landscape soon after the best is found; while it improves, or nothing is known,
 * never; and by history alone where no model can say anything. */
#include "tests/unit/search/landscape.h"
#include "tuner/search/stopping.h"

static const double gain = 0.01;

static struct stopping *create(const struct landscape *landscape)
{
    struct stopping *stopping;
    struct error error;
    assert_success(stopping_create(landscape->space, 7, gain, &stopping, &error), &error);
    return stopping;
}

static double optimum_of(const struct landscape *landscape)
{
    double least = INFINITY;
    for (size_t i = 0; i < landscape->count; i++) {
        const struct observation observation = landscape_observe(landscape, i);
        least = observation.valid ? fmin(least, observation.objective) : least;
    }
    return least;
}

/* Told results in a random order until it says stop, or all were; how many, and the best of them. */
static size_t run(const struct landscape *landscape, struct stopping *stopping,
                  double (*objective)(const struct landscape *, size_t, size_t), double *best)
{
    struct generator generator = {3};
    size_t *order = calloc(landscape->count, sizeof *order), told = 0;
    assert_non_null(order);
    for (size_t i = 0; i < landscape->count; i++) {
        size_t place = (size_t)generator_below(&generator, i + 1);
        order[i] = order[place];
        order[place] = i;
    }
    *best = INFINITY;
    while (told < landscape->count && !stopping_says(stopping)) {
        struct observation observation = landscape_observe(landscape, order[told]);
        if (observation.valid)
            observation.objective = objective(landscape, order[told], told);
        *best = observation.valid ? fmin(*best, observation.objective) : *best;
        assert_true(stopping_tell(stopping, &observation));
        told++;
    }
    free(order);
    return told;
}

static double smooth(const struct landscape *landscape, size_t index, size_t told)
{
    (void)told;
    return landscape_observe(landscape, index).objective;
}

/* Each is 2 % better than the one before. */
static double improving(const struct landscape *landscape, size_t index, size_t told)
{
    (void)landscape, (void)index;
    return pow(0.98, (double)told);
}

/* The best comes 20th. The others are alike within cells, and as much as three decades apart between these: a
 * model learns that there is much to learn. */
static double rugged(const struct landscape *landscape, size_t index, size_t told)
{
    uint16_t point[LANDSCAPE_DIMENSIONS];
    search_space_point(landscape->space, index, point);
    struct generator generator = {1};
    for (size_t d = 0; d < LANDSCAPE_DIMENSIONS; d++)
        generator.state = generator_next(&generator) + (uint64_t)point[d] / (d < 3 ? 4 : 1);
    return told == 19 ? 1 : 1.001 * exp(7 * (double)(generator_next(&generator) % 1000) / 1000);
}

static void a_model_that_fits_stops_soon(void **state)
{
    (void)state;
    struct landscape landscape;
    double best;
    landscape_create(&landscape, 16, 16, 8, 3, SIZE_MAX);
    struct stopping *stopping = create(&landscape);
    size_t told = run(&landscape, stopping, smooth, &best);
    assert_true(told >= 50 && told <= landscape.count / 2);
    assert_true(best <= optimum_of(&landscape) * (1 + gain));
    assert_true(stopping_says(stopping));
    stopping_free(stopping);
    landscape_free(&landscape);
}

static void improvements_keep_it_going(void **state)
{
    (void)state;
    struct landscape landscape;
    double best;
    landscape_create(&landscape, 10, 10, 4, 2, SIZE_MAX);
    struct stopping *stopping = create(&landscape);
    assert_int_equal(run(&landscape, stopping, improving, &best), landscape.count);
    stopping_free(stopping);
    landscape_free(&landscape);
}

static void history_serves_where_no_model_does(void **state)
{
    (void)state;
    struct landscape landscape;
    double best;
    landscape_create(&landscape, 16, 16, 8, 3, SIZE_MAX);
    struct stopping *stopping = create(&landscape);
    size_t told = run(&landscape, stopping, rugged, &best);
    assert_true(best == 1);
    assert_int_equal(told, 320); /* 300 that brought nothing, after 20 */
    stopping_free(stopping);
    landscape_free(&landscape);
}

static void nothing_is_known_of_failures(void **state)
{
    (void)state;
    struct landscape landscape;
    double best;
    landscape_create(&landscape, 16, 16, 4, 2, SIZE_MAX);
    landscape.all_fail = true;
    struct stopping *stopping = create(&landscape);
    assert_true(landscape.count > 400);
    assert_int_equal(run(&landscape, stopping, smooth, &best), landscape.count);
    assert_false(stopping_says(stopping));
    stopping_free(stopping);
    landscape_free(&landscape);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_model_that_fits_stops_soon),
        cmocka_unit_test(improvements_keep_it_going),
        cmocka_unit_test(history_serves_where_no_model_does),
        cmocka_unit_test(nothing_is_known_of_failures),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: Apache-2.0 */
/* What a forecast says of costs that are a formula, where nobody measured them. */
#include "tests/unit/engine/set_fixture.h"

static double ask(struct set_fixture *fixture, struct set_forecast *forecast, const char *text, size_t home,
                  int64_t n, bool *valid)
{
    size_t index;
    double loss = NAN;
    assert_true(problem_configuration_find(fixture->problems[home], text, &index));
    assert_true(set_forecast_ask(forecast, fixture->problems[home], index, (int64_t[]){n, 3}, &loss, valid, NULL));
    return loss;
}

static struct set_forecast *make(struct set_fixture *fixture, const bool *left_out)
{
    struct set_forecast *forecast = NULL;
    assert_true(set_forecast_create(&fixture->known, left_out, NULL, &forecast, NULL));
    return forecast;
}

/* B = 0 everywhere, and B = 1 at four sizes. */
static void measure(struct set_fixture *fixture)
{
    for (size_t s = 0; s < SET_SIZES; s++) {
        set_fixture_sweep(fixture, s, 512, 0);
        if (s % 2 == 1)
            set_fixture_sweep(fixture, s, 512, 1);
    }
}

static void what_was_not_measured_follows_from_its_relatives(void **state)
{
    (void)state;
    struct set_fixture fixture;
    bool valid;
    set_fixture_open(&fixture);
    measure(&fixture);
    struct set_forecast *forecast = make(&fixture, NULL);
    /* at a size that was swept, and at others */
    for (int64_t n = 64; n <= 512; n += 32) {
        for (int a = 8; a <= 64; a *= 2) {
            for (int b = 0; b < 2; b++) {
                char text[40];
                snprintf(text, sizeof text, "{\"A\":%d,\"B\":%d}", a, b);
                double loss = ask(&fixture, forecast, text, 4, n, &valid);
                assert_true(valid);
                assert_true(fabs(loss - set_fixture_loss(a, b, n)) < 0.12);
            }
        }
    }
    set_forecast_free(forecast);
    set_fixture_close(&fixture);
}

static void what_the_space_lacks_there_is_told(void **state)
{
    (void)state;
    struct set_fixture fixture;
    bool valid;
    set_fixture_open(&fixture);
    measure(&fixture);
    struct set_forecast *forecast = make(&fixture, NULL);
    ask(&fixture, forecast, "{\"A\":64,\"B\":0}", 4, 63, &valid);
    assert_false(valid);
    ask(&fixture, forecast, "{\"A\":64,\"B\":0}", 4, 64, &valid);
    assert_true(valid);
    set_forecast_free(forecast);
    set_fixture_close(&fixture);
}

static void little_knowledge_forecasts_nothing(void **state)
{
    (void)state;
    struct set_fixture fixture;
    bool left_out[SET_SIZES] = {false, true, true, true, true, true, true, true, true};
    set_fixture_open(&fixture);
    assert_null(make(&fixture, NULL));
    measure(&fixture);
    assert_null(make(&fixture, left_out));
    set_fixture_close(&fixture);
}

/* What is left out does not count: there, B = 1 is better. */
static void sizes_are_left_out(void **state)
{
    (void)state;
    struct set_fixture fixture;
    bool valid, left_out[SET_SIZES] = {[4] = true};
    set_fixture_open(&fixture);
    measure(&fixture);
    assert_true(cost_table_put(&fixture.table, "{\"A\":16,\"B\":1}", 4, 1, NULL));
    struct set_forecast *forecast = make(&fixture, left_out), *like = NULL;
    double loss = ask(&fixture, forecast, "{\"A\":16,\"B\":1}", 4, 128, &valid);
    assert_true(fabs(loss - log(1.2)) < 0.12);
    assert_true(set_forecast_create(&fixture.known, left_out, forecast, &like, NULL));
    assert_true(ask(&fixture, like, "{\"A\":16,\"B\":1}", 4, 128, &valid) == loss); /* what was learnt is the same */
    set_forecast_free(forecast);
    set_forecast_free(like);
    set_fixture_close(&fixture);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_was_not_measured_follows_from_its_relatives),
        cmocka_unit_test(what_the_space_lacks_there_is_told),
        cmocka_unit_test(little_knowledge_forecasts_nothing),
        cmocka_unit_test(sizes_are_left_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Metrics by hand: their values, what is undefined and why, and the order that an objective's costs give. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/unit/h100.h"
#include "tuner/evaluation/evaluation.h"
#include "tuner/space/metrics.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char text[] = "template t\nsize n = 4\nsize m = 5\nparameter P\nparameter MODE\nsource \"a.cu\"\n"
                           "let twice = 2 * P\nlet broken = 1 / (P - 3)\nbuffer x : float[n] temp\n"
                           "launch { k<<<1, 1>>>(x) }\nwork flops = n * P\n"
                           "metric \"GFLOP/s\" = flops / time * 1e-9\n"
                           "metric per = broken\n"
                           "metric mode = 1 if MODE == \"fast\" else 2\n"
                           "objective rate = maximize n * m * twice / time\n"
                           "objective watts = minimize energy / time\n"
                           "objective less = minimize P - 3\n"
                           "objective odd = maximize (time - 2) * (time - 2)\n"
                           "default objective rate\n";
enum { GFLOPS, PER, MODE, RATE, WATTS, LESS, ODD };

struct fixture {
    struct template *template;
    struct metrics *metrics;
    struct evaluation evaluation;
};

static int set_up(void **state)
{
    struct fixture *f = calloc(1, sizeof *f);
    struct error error = {0};
    if (!f || !template_parse("t.template", ".", text, strlen(text), &f->template, &error) ||
        !metrics_create(f->template, &h100, "n=100,m=7", &f->metrics, &error))
        return -1;
    f->evaluation = evaluation_unmeasured;
    f->evaluation.outcome = OUTCOME_OK;
    f->evaluation.time_ns = 2e9; /* 2 s */
    f->evaluation.time_low_ns = 1e9;
    f->evaluation.time_high_ns = 4e9;
    f->evaluation.work.flops = 600;
    *state = f;
    return 0;
}

static int tear_down(void **state)
{
    struct fixture *f = *state;
    metrics_free(f->metrics);
    template_free(f->template);
    free(f);
    return 0;
}

static double value(struct fixture *f, size_t which, const char *configuration)
{
    double result;
    struct error why = {0};
    if (!metrics_value(f->metrics, which, configuration, &f->evaluation, &result, &why))
        fail_msg("%s", why.text);
    return result;
}

static void test_values(void **state)
{
    struct fixture *f = *state;
    assert_true(value(f, GFLOPS, "{\"P\":6,\"MODE\":\"fast\"}") == 600 / 2.0 * 1e-9);
    assert_true(value(f, RATE, "{\"P\":6}") == 100 * 7 * 12 / 2.0); /* the sizes given, not the defaults */
    assert_true(value(f, PER, "{\"P\":5}") == 0.5);
    assert_true(value(f, MODE, "{\"P\":5,\"MODE\":\"fast\"}") == 1);
    assert_true(value(f, MODE, "{\"MODE\":\"slow\",\"P\":5,\"OTHER\":3}") == 2);
}

static void expect_undefined(struct fixture *f, size_t which, const char *configuration, const char *message,
                             unsigned line)
{
    double result;
    struct error why = {0};
    assert_false(metrics_value(f->metrics, which, configuration, &f->evaluation, &result, &why));
    assert_string_equal(why.text, message);
    assert_int_equal(why.line, line);
}

static void test_undefined(void **state)
{
    struct fixture *f = *state;
    expect_undefined(f, PER, "{\"P\":3}", "division by zero", 8); /* in the let that it reads */
    expect_undefined(f, WATTS, "{\"P\":3}", "energy is not known", 16);
    expect_undefined(f, RATE, "{}", "parameter P has no value", 7);
    expect_undefined(f, MODE, "not JSON", "parameter MODE has no value", 14);
    char *all = metrics_text(f->metrics, "{\"P\":3,\"MODE\":\"slow\"}", &f->evaluation);
    assert_string_equal(all,
                        "{\"GFLOP/s\":3.0000000000000004e-7,\"per\":null,\"mode\":2.0,\"rate\":2100.0,\"watts\":null,"
                        "\"less\":0.0,\"odd\":0.0}");
    free(all);
}

static struct objective chosen(struct fixture *f, const char *name)
{
    struct objective objective;
    struct error error = {0};
    if (!objective_choose(f->template, name, &objective, &error))
        fail_msg("%s", error.text);
    return objective;
}

static void test_choice(void **state)
{
    struct fixture *f = *state;
    struct objective objective;
    struct error error = {0};
    assert_string_equal(chosen(f, NULL).name, "rate");
    assert_string_equal(chosen(f, "time").name, "time");
    assert_false(chosen(f, "energy").is_metric);
    assert_true(chosen(f, "watts").needs_energy);
    assert_false(chosen(f, "rate").needs_energy);
    assert_true(chosen(f, "rate").maximize);
    assert_false(objective_choose(f->template, "rat", &objective, &error));
    assert_string_equal(error.hint, "did you mean \"rate\"?");
    assert_false(objective_choose(f->template, "GFLOP/s", &objective, &error)); /* a metric */
    assert_false(objective_choose(NULL, "joyfulness", &objective, &error));
    assert_string_equal(error.hint, "choose time, energy or edp");
    assert_true(objective_choose(NULL, NULL, &objective, &error));
    assert_string_equal(objective.name, "time");
}

static struct judgement judged(struct fixture *f, const char *name, const char *configuration, struct error *why)
{
    const struct objective objective = chosen(f, name);
    return objective_judge(&objective, f->metrics, configuration, &f->evaluation, why);
}

static void test_judgement(void **state)
{
    struct fixture *f = *state;
    struct judgement time = judged(f, "time", "{\"P\":6}", NULL);
    assert_true(time.cost == 2e9 && time.low == 1e9 && time.high == 4e9);
    struct judgement rate = judged(f, "rate", "{\"P\":6}", NULL); /* 8400 / time */
    assert_true(fabs(rate.cost * 4200 - 1) < 1e-12);
    assert_true(fabs(rate.low * 8400 - 1) < 1e-12 && fabs(rate.high * 2100 - 1) < 1e-12);
    const struct objective objective = chosen(f, "rate");
    assert_true(fabs(objective_value_of(&objective, rate.cost) / 4200 - 1) < 1e-12);
    f->evaluation.energy_j = 10;
    f->evaluation.energy_error_j = 2;
    struct judgement watts = judged(f, "watts", "{\"P\":6}", NULL);
    assert_true(watts.cost == 5 && watts.low == 8 / 4.0 && watts.high == 12 / 1.0);
    f->evaluation.energy_j = f->evaluation.energy_error_j = -1;
}

static void test_no_cost(void **state)
{
    struct fixture *f = *state;
    struct error why = {0};
    assert_true(judged(f, "less", "{\"P\":2}", &why).cost == HUGE_VAL);
    assert_string_equal(why.text, "\"less\" is -1, and not a positive number");
    assert_int_equal(why.line, 17);
    assert_true(judged(f, "less", "{\"P\":3}", &why).cost == HUGE_VAL);
    assert_true(judged(f, "less", "{\"P\":4}", &why).cost == 1);
    assert_true(judged(f, "odd", "{\"P\":4}", &why).cost == HUGE_VAL); /* 0 at 2 s, though positive around it */
    assert_true(judged(f, "watts", "{\"P\":4}", &why).cost == HUGE_VAL);
    assert_string_equal(why.text, "energy is not known");
    assert_true(judged(f, "energy", "{\"P\":4}", &why).cost == HUGE_VAL);
    assert_string_equal(why.text, "the energy is not known");
}

/* Whatever the objective, a lower cost is a better value; and the cost lies in its interval. */
static void test_order(void **state)
{
    struct fixture *f = *state;
    static const char *const names[] = {"rate", "time"};
    srand(1);
    for (int i = 0; i < 2000; i++) {
        const char *name = names[i % 2];
        const struct objective objective = chosen(f, name);
        struct judgement of[2];
        double values[2];
        for (int k = 0; k < 2; k++) {
            char configuration[32];
            int p = 1 + rand() % 50;
            snprintf(configuration, sizeof configuration, "{\"P\":%d}", p);
            f->evaluation.time_ns = 1 + rand() % 1000;
            f->evaluation.time_low_ns = 0.9 * f->evaluation.time_ns;
            f->evaluation.time_high_ns = 1.2 * f->evaluation.time_ns;
            of[k] = judged(f, name, configuration, NULL);
            values[k] = objective.maximize ? 1400.0 * p / f->evaluation.time_ns : f->evaluation.time_ns;
            assert_true(of[k].low <= of[k].cost && of[k].cost <= of[k].high);
        }
        bool better = objective.maximize ? values[0] > 1.0001 * values[1] : 1.0001 * values[0] < values[1];
        if (better)
            assert_true(of[0].cost < of[1].cost);
    }
}

static void test_definitions(void **state)
{
    struct fixture *f = *state;
    char *definitions = metrics_definitions(f->template);
    assert_non_null(strstr(definitions, "\"GFLOP/s\":{\"text\":\"flops / time * 1e-9\"}"));
    assert_non_null(strstr(definitions, "\"rate\":{\"text\":\"n * m * twice / time\",\"sense\":\"maximize\"}"));
    free(definitions);
}

int main(void)
{
#define TEST(function) cmocka_unit_test_setup_teardown(function, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        TEST(test_values),  TEST(test_undefined), TEST(test_choice),      TEST(test_judgement),
        TEST(test_no_cost), TEST(test_order),     TEST(test_definitions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

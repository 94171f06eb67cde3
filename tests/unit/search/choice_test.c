/* SPDX-License-Identifier: Apache-2.0 */
/* A strategy and its parameters as a user writes them. */
#include "tests/unit/search/landscape.h"

#include "tuner/search/choice.h"

static double value_of(const struct strategy_driver *driver, const double *values, const char *name)
{
    for (size_t i = 0; i < driver->parameter_count; i++) {
        if (strcmp(driver->parameters[i].name, name) == 0)
            return values[i];
    }
    fail_msg("no parameter %s", name);
    return 0;
}

static void test_presets(void **state)
{
    (void)state;
    for (size_t i = 0; i < strategy_driver_count; i++) {
        const struct strategy_driver *driver;
        double *values;
        struct error error;
        assert_success(strategy_choose(strategy_drivers[i]->name, &driver, &values, &error), &error);
        assert_ptr_equal(driver, strategy_drivers[i]);
        for (size_t j = 0; j < driver->parameter_count; j++)
            assert_true(values[j] == driver->parameters[j].preset);
        free(values);
    }
}

static void test_settings(void **state)
{
    (void)state;
    const struct strategy_driver *driver;
    double *values;
    struct error error;
    assert_success(strategy_choose("genetic:population=33,mutation=0.25", &driver, &values, &error), &error);
    assert_string_equal(driver->name, "genetic");
    assert_true(value_of(driver, values, "population") == 33);
    assert_true(value_of(driver, values, "mutation") == 0.25);
    for (size_t i = 0; i < driver->parameter_count; i++) {
        const char *name = driver->parameters[i].name;
        if (strcmp(name, "population") != 0 && strcmp(name, "mutation") != 0)
            assert_true(values[i] == driver->parameters[i].preset);
    }
    free(values);
}

static void test_errors(void **state)
{
    (void)state;
    static const struct {
        const char *text, *message, *hint;
    } cases[] = {
        {"genetics", "no strategy 'genetics'", "did you mean genetic?"},
        {"genetics:population=3", "no strategy 'genetics'", "did you mean genetic?"},
        {"guesswork", "no strategy 'guesswork'", "tune list strategies"},
        {"", "no strategy ''", "tune list strategies"},
        {"genetic:size=3", "genetic has no parameter 'size'", "population"},
        {"random:seed=3", "random has no parameter 'seed'", "none"},
        {"genetic:population", "expected name=value, not 'population'", "genetic:name=value"},
        {"genetic:", "expected name=value, not ''", "genetic:name=value"},
        {"genetic:population=", "population=", "genetic:name=value"},
        {"genetic:population=3,", "expected name=value, not ''", "genetic:name=value"},
        {"genetic:population=many", "population of genetic must be a number from 2 to 10000, not 'many'", ""},
        {"genetic:population=1", "must be a number from 2 to 10000, not '1'", ""},
        {"genetic:population=nan", "not 'nan'", ""},
        {"genetic:population=12x", "not '12x'", ""},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const struct strategy_driver *driver;
        double *values;
        struct error error;
        if (strategy_choose(cases[i].text, &driver, &values, &error))
            fail_msg("'%s' is accepted", cases[i].text);
        assert_int_equal(error.code, ERROR_INPUT);
        if (!strstr(error.text, cases[i].message) || !strstr(error.hint, cases[i].hint))
            fail_msg("'%s': %s (%s)", cases[i].text, error.text, error.hint);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_presets),
        cmocka_unit_test(test_settings),
        cmocka_unit_test(test_errors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: Apache-2.0 */
/* A configuration as a command line names it: there and back again, and what is refused. */
#include "../fixture.h"

#include "tuner/cli/configuration_choice.h"

#include <stdlib.h>

static const char template_text[] = "template t\nsize n = 64\nparameter V\nparameter A\nparameter F\nparameter B\n"
                                    "source \"k.cu\"\nbuffer y : float[n] out\nlaunch { k<<<1, 1>>>(y) }\n"
                                    "reference \"r.cu\" { r<<<1, 1>>>(ref(y)) }\ncheck y exact\n";
static const char space_text[] = "space s of t\nparam V = [\"x\", \"a b,c\"]\nparam A = [-1, 16, 32]\n"
                                 "param F = [0.1, 1e-9]\nset B = true\nwhere not (A == 32 and V == \"x\")\n";

static void every_configuration_comes_back(void **state)
{
    (void)state;
    struct fixture fixture;
    fixture_create(&fixture, template_text, space_text);
    size_t count = problem_configuration_count(fixture.problem);
    assert_int_equal(count, 10);
    for (size_t i = 0; i < count; i++) {
        size_t index = count;
        char *json = problem_configuration_text(fixture.problem, i);
        char *text = configuration_choice_text(json);
        assert_non_null(text);
        assert_success(configuration_choose(fixture.problem, text, &index, &fixture.error), &fixture.error);
        assert_int_equal(index, i);
        free(text);
        free(json);
    }
    fixture_free(&fixture);
}

static void expect_text(const char *configuration, const char *expected)
{
    char *text = configuration_choice_text(configuration);
    assert_string_equal(text, expected);
    free(text);
}

static void texts(void **state)
{
    (void)state;
    expect_text("{\"V\":\"x\",\"A\":-1,\"F\":0.1,\"B\":true}", "V=x,A=-1,F=0.1,B=true");
    expect_text("{\"V\":\"a b\",\"A\":1}", "{\"V\":\"a b\",\"A\":1}");
    expect_text("{\"V\":\"\"}", "{\"V\":\"\"}");
    expect_text("not JSON", "not JSON");
}

static void what_has_one_value_need_not_be_named(void **state)
{
    (void)state;
    struct fixture fixture;
    size_t named, unnamed;
    fixture_create(&fixture, template_text, space_text);
    assert_success(configuration_choose(fixture.problem, "V=x,A=16,F=1e-9,B=TRUE", &named, &fixture.error),
                   &fixture.error);
    assert_success(configuration_choose(fixture.problem, "F=0.000000001 A=16 V=x", &unnamed, &fixture.error),
                   &fixture.error);
    assert_int_equal(named, unnamed);
    fixture_free(&fixture);
}

static void refusals(void **state)
{
    (void)state;
    static const struct {
        const char *text, *error, *hint;
    } cases[] = {
        {"V=x,A=16", "F is missing", ""},
        {"V=x,A=17,F=0.1", "A never is 17 in space s", ""},
        {"V=x,A=16x,F=0.1", "A never is 16x", ""},
        {"V=x,A=32,F=0.1", "V=x,A=32,F=0.1 is not valid in space s at n=64 on Test GPU", ""},
        {"V=x,AA=32,F=0.1", "there is no parameter 'AA'", "did you mean 'A'?"},
        {"V=x,A,F=0.1", "'A' is not NAME=VALUE", "for example"},
        {"{\"V\":\"x\"}", "is not a valid configuration of space s", ""},
        {"{", "is not a valid configuration", ""},
        {"", "V is missing", ""},
    };
    struct fixture fixture;
    fixture_create(&fixture, template_text, space_text);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        size_t index;
        struct error error = {0};
        assert_false(configuration_choose(fixture.problem, cases[i].text, &index, &error));
        assert_int_equal(error.code, ERROR_INPUT);
        assert_mentions(error.text, cases[i].error);
        assert_mentions(error.hint, cases[i].hint);
    }
    fixture_free(&fixture);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_configuration_comes_back),
        cmocka_unit_test(texts),
        cmocka_unit_test(what_has_one_value_need_not_be_named),
        cmocka_unit_test(refusals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "../fixture.h"
#include "printed.h"

#include "tuner/cli/parameters.h"

#include <jansson.h>

static void expect_shared(const char *const *texts, size_t count, const char *expected)
{
    json_t *configurations[4] = {NULL};
    for (size_t i = 0; i < count; i++)
        assert_non_null(configurations[i] = json_loads(texts[i], 0, NULL));
    json_t *shared = parameters_shared(configurations, count);
    char *text = json_dumps(shared, JSON_COMPACT);
    assert_string_equal(text, expected);
    free(text);
    json_decref(shared);
    for (size_t i = 0; i < count; i++)
        json_decref(configurations[i]);
}

static void what_all_have_alike_is_shared(void **state)
{
    (void)state;
    static const char *const three[] = {
        "{\"V\": \"joint\", \"A\": 1, \"B\": 2, \"C\": 1}",
        "{\"V\": \"joint\", \"A\": 1, \"B\": 3, \"D\": 1}",
        "{\"V\": \"joint\", \"A\": 1.0, \"B\": 2, \"C\": 1}",
    };
    expect_shared(three, 3, "{\"V\":\"joint\"}"); /* 1 and 1.0 are two values */
    expect_shared(three, 2, "{\"V\":\"joint\",\"A\":1}");
    expect_shared(three, 1, "{}");
    expect_shared(three, 0, "{}");
}

static void expect_text(const char *json, const char *left_out, const char *expected)
{
    json_t *names = left_out ? json_loads(left_out, 0, NULL) : NULL;
    char *text = parameters_text_of(json, names);
    assert_non_null(text);
    assert_string_equal(text, expected);
    free(text);
    json_decref(names);
}

static void configurations_as_text(void **state)
{
    (void)state;
    expect_text("{\"V\": \"joint\", \"A\": 1, \"F\": 0.1, \"T\": true}", NULL, "V=joint A=1 F=0.1 T=true");
    expect_text("{\"V\": \"joint\", \"A\": 1}", "{\"V\": true}", "A=1");
    expect_text("{}", NULL, "");
    expect_text("{\"V\": \"a\\u001b[2J\\nb\"}", NULL, "V=a\\x1b[2J\\nb");
    expect_text("not JSON\n", NULL, "not JSON\\n");
}

static const char template_text[] = "template t\n"
                                    "size n = 64\n"
                                    "parameter A\n"
                                    "parameter B\n"
                                    "parameter C\n"
                                    "source \"k.cu\"\n"
                                    "buffer y : float[n] out\n"
                                    "launch { k<<<1, 1>>>(y) }\n"
                                    "reference \"r.cu\" { r<<<1, 1>>>(ref(y)) }\n"
                                    "check y exact\n";

static void parameters_of_one_value_are_fixed(void **state)
{
    (void)state;
    struct fixture fixture;
    fixture_create(&fixture, template_text, "space s of t\nset A = 1\nparam B = [2]\nparam C = [3, 4]\n");
    json_t *fixed = parameters_fixed(fixture.problem);
    assert_non_null(json_object_get(fixed, "A"));
    assert_non_null(json_object_get(fixed, "B"));
    assert_null(json_object_get(fixed, "C"));
    json_decref(fixed);
    fixture_free(&fixture);
}

static void the_line_above_a_table(void **state)
{
    (void)state;
    struct printed printed;
    struct error error;
    json_t *shared = json_pack("{s:s, s:i, s:i}", "VARIANT", "joint", "TILE", 64, "UNROLL", 4);
    printed_begin(&printed, 32);
    assert_true(parameters_print_shared(shared, &printed.out, &error));
    printed_equal(&printed, "all rows: VARIANT=joint TILE=64\n"
                            "          UNROLL=4\n");
    json_object_clear(shared);
    printed_begin(&printed, 32);
    assert_true(parameters_print_shared(shared, &printed.out, &error));
    printed_equal(&printed, "");
    json_decref(shared);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_all_have_alike_is_shared), cmocka_unit_test(configurations_as_text),
        cmocka_unit_test(parameters_of_one_value_are_fixed), cmocka_unit_test(the_line_above_a_table)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

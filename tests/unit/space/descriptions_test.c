/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/unit/fixture.h"

#include "tuner/space/descriptions.h"

#include <stdlib.h>

#define REST                                                                                                         \
    "source \"k.cu\"\nbuffer y : float[1] out\nlaunch { k<<<1, 1>>>(y) }\n"                                          \
    "reference \"r.cu\" { r<<<1, 1>>>(ref(y)) }\ncheck y exact\n"

static void expect_descriptions(const char *parameters, const char *wanted)
{
    struct fixture fixture;
    char text[1024];
    snprintf(text, sizeof text, "template t\n%s" REST, parameters);
    fixture_create(&fixture, text, NULL);
    char *made = descriptions_text(fixture.template);
    assert_non_null(made);
    assert_string_equal(made, wanted);
    assert_string_equal(problem_descriptions(fixture.problem), wanted);
    free(made);
    fixture_free(&fixture);
}

static void test_parameters_in_order(void **state)
{
    (void)state;
    expect_descriptions("", "[]");
    expect_descriptions("parameter B \"of a \\\"block\\\"\"\nparameter A\n",
                        "[{\"name\":\"B\",\"meaning\":\"of a \\\"block\\\"\"},{\"name\":\"A\",\"meaning\":\"\"}]");
}

static void test_described_values(void **state)
{
    (void)state;
    expect_descriptions(
        "parameter V \"how\" {\n\"z\" \"first\"\n\"a\" \"second \xc3\x97\"\n}\n",
        "[{\"name\":\"V\",\"meaning\":\"how\",\"values\":["
        "{\"value\":\"z\",\"meaning\":\"first\"},{\"value\":\"a\",\"meaning\":\"second \xc3\x97\"}]}]");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_parameters_in_order),
        cmocka_unit_test(test_described_values),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

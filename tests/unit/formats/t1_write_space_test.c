/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/unit/formats/t1_export_fixture.h"

static const char template[] = "template t\nsize n = 100\nparameter A\nparameter AB\nparameter F\nparameter S\n"
                               "source \"t.cu\"\nbuffer x : float[n] in constant(0.5)\nlaunch { k<<<1, 1>>>(x) }\n";

static void test_parameters(void **state)
{
    (void)state;
    json_t *document = exported(template,
                                "space s of t\nparam A = [1,  2]\nparam AB = [n, 0.5]\nset F = true\n"
                                "param S = [\"a\",\n \"b\"]\ndefault A = 2, S = \"b\"\n",
                                "");
    expect_member(document, "ConfigurationSpace", "TuningParameters",
                  "[{'Name': 'A', 'Type': 'int', 'Values': '[1,  2]', 'Default': 2},"
                  "{'Name': 'AB', 'Type': 'float', 'Values': '[100, 0.5]'},"
                  "{'Name': 'F', 'Type': 'bool', 'Values': '[True]'},"
                  "{'Name': 'S', 'Type': 'string', 'Values': '[\\\"a\\\", \\\"b\\\"]', 'Default': 'b'}]");
    expect_member(document, "ConfigurationSpace", "Conditions", "[]");
    json_decref(document);
}

/* A name counts as a whole word: AB is not A. */
static void test_conditions(void **state)
{
    (void)state;
    json_t *document = exported(template,
                                "space s of t\nparam A = [1, 2]\nparam AB = [1, 2]\nset F = 1\nset S = \"B\"\n"
                                "let sum = A + n\nwhere AB <= 2\nwhere A<=AB\nwhere sum > 1\nwhere S == \"B\"\n",
                                "");
    expect_member(document, "ConfigurationSpace", "Conditions",
                  "[{'Expression': 'AB <= 2', 'Parameters': ['AB']},"
                  "{'Expression': 'A<=AB', 'Parameters': ['A', 'AB']},"
                  "{'Expression': '((A + 100) > 1)', 'Parameters': ['A']},"
                  "{'Expression': 'S == \\\"B\\\"', 'Parameters': ['S']}]");
    json_decref(document);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_parameters),
        cmocka_unit_test(test_conditions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Columns of metrics: which there are, and how their values are written. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tuner/cli/metric_columns.h"

#include <jansson.h>
#include <string.h>

static void names_of(const char *rows, const char *wanted)
{
    json_t *json = json_loads(rows, 0, NULL), *names = metric_names(json), *ignored;
    char text[256] = "";
    const char *name;
    assert_non_null(json);
    json_object_foreach(names, name, ignored)
    {
        strcat(text, name);
        strcat(text, ";");
    }
    assert_string_equal(text, wanted);
    json_decref(names);
    json_decref(json);
}

static void which_columns(void **state)
{
    (void)state;
    names_of("[]", "");
    names_of("[{\"template\":\"a\"}]", "");
    names_of("[{\"template\":\"a\"},{\"template\":\"a\",\"metrics\":{\"y\":1,\"x\":null}},"
             "{\"template\":\"a\",\"metrics\":{\"x\":1,\"z\":2}}]",
             "y;x;z;");
    names_of("[{\"template\":\"a\",\"metrics\":{\"y\":1}},{\"template\":\"b\"}]", ""); /* of several templates */
    names_of("[{\"template\":\"a\",\"metrics\":3}]", "");
}

static void texts(void **state)
{
    (void)state;
    static const struct {
        const char *json, *text;
    } cases[] = {{"1.23456e9", "1.235e+09"}, {"2", "2"}, {"null", "-"}, {"\"1\"", "-"}, {"-0.5", "-0.5"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[FIGURE_TEXT], heading[METRIC_NAME_LIMIT + 2];
        json_t *json = json_loads(cases[i].json, JSON_DECODE_ANY, NULL);
        metric_text(json, text);
        assert_string_equal(text, cases[i].text);
        json_decref(json);
        metric_heading("GB/s", heading);
        assert_string_equal(heading, ">GB/s");
    }
    char text[FIGURE_TEXT];
    metric_text(NULL, text);
    assert_string_equal(text, "-");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(which_columns), cmocka_unit_test(texts)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

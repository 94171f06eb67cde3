/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/unit/fixture.h"

#include "tuner/space/value_json.h"

#include <jansson.h>
#include <math.h>
#include <stdlib.h>

static void test_kinds(void **state)
{
    (void)state;
    static const struct {
        struct value value;
        const char *text;
    } cases[] = {
        {{.kind = VALUE_BOOLEAN, .boolean = true}, "true"},
        {{.kind = VALUE_BOOLEAN, .boolean = false}, "false"},
        {{.kind = VALUE_INTEGER, .integer = INT64_MIN}, "-9223372036854775808"},
        {{.kind = VALUE_INTEGER, .integer = INT64_MAX}, "9223372036854775807"},
        {{.kind = VALUE_FLOAT, .real = 2}, "2.0"},
        {{.kind = VALUE_FLOAT, .real = INFINITY}, "null"},
        {{.kind = VALUE_STRING, .string = "a \"b\"\n"}, "\"a \\\"b\\\"\\n\""},
        {{.kind = VALUE_UNSET}, "null"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        json_t *json = value_json(cases[i].value);
        char *text = json_dumps(json, JSON_ENCODE_ANY);
        assert_string_equal(text, cases[i].text);
        free(text);
        json_decref(json);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_kinds)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Syntax errors with their places, and each allocation failing in turn: always out of memory, never bad syntax. */
#include "tests/unit/fixture.h"

#include "tuner/formats/json_parse.h"

#include <stdlib.h>

static void test_places(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        unsigned line, column;
    } cases[] = {{"", 1, 1}, {"{\n  \"a\": nothing\n}", 2, 15}, {"[1, 2", 1, 6}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct error error;
        assert_null(json_parse("file.json", cases[i].text, strlen(cases[i].text), 0, &error));
        assert_int_equal(error.code, ERROR_INPUT);
        assert_mentions(error.text, "invalid JSON: ");
        assert_string_equal(error.file, "file.json");
        assert_int_equal(error.line, cases[i].line);
        assert_in_range(error.column, cases[i].column - 1, cases[i].column + 1); /* jansson's; behind the token */
    }
}

static void test_try(void **state)
{
    (void)state;
    struct error error = {0};
    json_t *json;
    assert_true(json_try("[1]", 3, &json, &error));
    assert_int_equal(json_array_size(json), 1);
    json_decref(json);
    assert_true(json_try("[1]", 2, &json, &error));
    assert_null(json);
    assert_int_equal(error.code, ERROR_NONE);
}

static int failing, seen;

static void *allocate(size_t size)
{
    return seen++ == failing ? NULL : malloc(size);
}

static void test_out_of_memory(void **state)
{
    (void)state;
    static const char text[] = "{\"a\": [1, 2.5, \"text\", {\"b\": null, \"c\": [true, \"\\u00e4\"]}]}";
    size_t failures = 0;
    json_set_alloc_funcs(allocate, free);
    bool reached = true; /* that allocation at all */
    for (failing = 0; reached; failing++) {
        struct error error = {0};
        seen = 0;
        json_t *json = json_parse("file.json", text, strlen(text), 0, &error);
        if (!json)
            assert_int_equal(error.code, ERROR_OUT_OF_MEMORY);
        failures += !json;
        reached = seen > failing;
        json_decref(json);
        seen = 0;
        error = (struct error){0};
        bool tried = json_try(text, strlen(text), &json, &error);
        assert_int_equal(tried, json != NULL);
        assert_int_equal(error.code, tried ? ERROR_NONE : ERROR_OUT_OF_MEMORY);
        json_decref(json);
    }
    json_set_alloc_funcs(malloc, free);
    if (failures < 5)
        fail_msg("only %zu of %d allocations could fail", failures, failing);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_places),
        cmocka_unit_test(test_try),
        cmocka_unit_test(test_out_of_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

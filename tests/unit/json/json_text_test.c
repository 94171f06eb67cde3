/* SPDX-License-Identifier: Apache-2.0 */
/* JSON text: syntax errors have their location, bytes become strings, numbers take the fewest digits. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tuner/json/json_text.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void parses(void **state)
{
    (void)state;
    struct error error = {0};
    json_t *json;
    assert_true(json_parse("{\"a\": [1, 2.5]}", 15, 0, NULL, "a test", &json, &error));
    assert_int_equal(json_array_size(json_object_get(json, "a")), 2);
    json_decref(json);
    assert_true(json_parse("[1] and more", 3, 0, NULL, "a test", &json, NULL)); /* reads no further than the length */
    json_decref(json);
}

static void syntax_errors(void **state)
{
    (void)state;
    static const struct {
        const char *text, *part;
        unsigned line;
    } cases[] = {
        {"", "'[' or '{'", 1},
        {"{\"a\": }", "unexpected token", 1},
        {"[1,\n2,\n", "']' expected", 2},
        {"{\"a\":1, \"a\":2}", "duplicate object key", 1},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct error error = {0};
        json_t *json = NULL;
        assert_false(json_parse(cases[i].text, strlen(cases[i].text), JSON_REJECT_DUPLICATES, "x.json", "a test",
                                &json, &error));
        assert_int_equal(error.code, ERROR_INPUT);
        assert_string_equal(error.file, "x.json");
        assert_memory_equal(error.text, "a test: ", 8);
        if (!strstr(error.text, cases[i].part) || error.line != cases[i].line)
            fail_msg("case %zu: line %u: %s", i, error.line, error.text);
    }
}

/* Countdown to the jansson allocation that fails. */
static size_t left;

static void *failing_malloc(size_t bytes)
{
    return left > 0 && --left == 0 ? NULL : malloc(bytes);
}

static void out_of_memory_is_not_a_syntax_error(void **state)
{
    (void)state;
    static const char text[] = "{\"a long enough name\": [\"a text that needs memory\", 1.5, {\"b\": null}]}";
    json_set_alloc_funcs(failing_malloc, free);
    bool done = false;
    for (size_t n = 1; !done; n++) {
        struct error error = {0};
        json_t *json;
        left = n;
        done = json_parse(text, strlen(text), 0, NULL, "a test", &json, &error);
        if (done)
            json_decref(json);
        else
            assert_int_equal(error.code, ERROR_OUT_OF_MEMORY);
        assert_true(n < 1000);
    }
    json_set_alloc_funcs(malloc, free);
}

static void out_of_memory_loses_no_key(void **state)
{
    (void)state;
    json_t *json = json_object();
    for (int i = 0; i < 100; i++) {
        char key[32];
        snprintf(key, sizeof key, "key number %d", i);
        assert_int_equal(json_object_set_new(json, key, json_integer(i)), 0);
    }
    json_set_alloc_funcs(failing_malloc, free);
    char *whole = json_print(json, JSON_COMPACT);
    assert_non_null(whole);
    bool done = false;
    for (size_t n = 1; !done; n++) {
        left = n;
        char *text = json_print(json, JSON_COMPACT);
        done = left > 0; /* the n-th was never reached */
        if (text)
            assert_string_equal(text, whole);
        free(text);
        assert_true(n < 1000);
    }
    free(whole);
    json_decref(json);
    json_set_alloc_funcs(malloc, free);
}

static void json_try_reports_only_lack_of_memory(void **state)
{
    (void)state;
    static const char text[] = "{\"key\": [\"one\", {\"two\": 2}]}";
    struct error error = {0};
    json_t *json;
    assert_true(json_try("[1,", 0, &json, &error));
    assert_null(json);
    assert_int_equal(error.code, ERROR_NONE);
    json_set_alloc_funcs(failing_malloc, free);
    bool done = false;
    for (size_t n = 1; !done; n++) {
        left = n;
        bool tried = json_try(text, 0, &json, &error);
        assert_int_equal(tried, json != NULL);
        if (!tried)
            assert_int_equal(error.code, ERROR_OUT_OF_MEMORY);
        done = left > 0;
        json_decref(json);
        assert_true(n < 1000);
    }
    json_set_alloc_funcs(malloc, free);
}

static void bytes_become_strings(void **state)
{
    (void)state;
    static const char *const cases[][2] = {
        {"", ""},
        {"na\xc3\xafve", "na\xc3\xafve"},
        {"na\xefve\x80!", "na\xef\xbf\xbdve\xef\xbf\xbd!"},
        {"\xed\xa0\x80\xe2\x82\xac\xc0\xaf\xe2",
         "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\xe2\x82\xac\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        json_t *json = json_string_of_bytes(cases[i][0]);
        assert_string_equal(json_string_value(json), cases[i][1]);
        json_decref(json);
    }
}

static void bytes_read_back(void **state)
{
    (void)state;
    char all[256], *back;
    for (int i = 0; i < 255; i++)
        all[i] = (char)(i + 1);
    all[255] = '\0';
    json_t *json = json_bytes(all), *number = json_integer(1), *beyond = json_string("a\xe2\x82\xac");
    char *text = json_text(json, JSON_ENCODE_ANY);
    assert_non_null(strstr(text, "ABC"));
    assert_true(json_bytes_read(json, &back));
    assert_string_equal(back, all);
    free(back);
    assert_true(json_bytes_read(number, &back));
    assert_null(back);
    assert_true(json_bytes_read(beyond, &back)); /* a character that no byte has */
    assert_null(back);
    free(text);
    json_decref(json);
    json_decref(number);
    json_decref(beyond);
}

static void strings_become_a_list(void **state)
{
    (void)state;
    static const char *const strings[] = {"one", "two", "\xff"};
    json_t *list = json_strings(strings, 2);
    assert_int_equal(json_array_size(list), 2);
    assert_string_equal(json_string_value(json_array_get(list, 1)), "two");
    json_decref(list);
    list = json_strings(NULL, 0);
    assert_true(json_is_array(list) && json_array_size(list) == 0);
    json_decref(list);
    assert_null(json_strings(strings, 3)); /* the last is not UTF-8 */
}

static void fewest_digits(void **state)
{
    (void)state;
    static const struct {
        double value;
        const char *text;
    } cases[] = {{0.1, "0.1"}, {1.0 / 3, "0.3333333333333333"}, {0.1 + 0.2, "0.30000000000000004"}, {1e300, "1e300"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        json_t *json = json_real(cases[i].value);
        char *text = json_text(json, 0);
        assert_string_equal(text, cases[i].text);
        free(text);
        json_decref(json);
    }
}

static void arrays_of_numbers_are_joined(void **state)
{
    (void)state;
    static const char text[] =
        "{\"a \\\" [1,\\n 2]\": [1, -2.5e+17, null, 3], \"b\": [\"c\", 1], \"d\": [], \"e\": [[4, 5], {\"f\": 6}]}";
    static const char joined[] = "{\n \"a \\\" [1,\\n 2]\": [1, -2.5e17, null, 3],\n \"b\": [\n  \"c\",\n  1\n ],\n "
                                 "\"d\": [],\n \"e\": [\n  [4, 5],\n  {\n   \"f\": 6\n  }\n ]\n}";
    json_t *json = json_loads(text, 0, NULL);
    assert_non_null(json);
    char *indented = json_text(json, JSON_INDENT(1));
    json_join_numbers(indented);
    assert_string_equal(indented, joined);
    json_t *back = json_loads(indented, 0, NULL);
    assert_true(json_equal(back, json));
    json_decref(back);
    free(indented);
    char *compact = json_text(json, JSON_COMPACT), *same = strdup(compact);
    json_join_numbers(compact);
    assert_string_equal(compact, same);
    free(compact);
    free(same);
    json_decref(json);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(parses),
        cmocka_unit_test(syntax_errors),
        cmocka_unit_test(out_of_memory_is_not_a_syntax_error),
        cmocka_unit_test(out_of_memory_loses_no_key),
        cmocka_unit_test(json_try_reports_only_lack_of_memory),
        cmocka_unit_test(bytes_become_strings),
        cmocka_unit_test(bytes_read_back),
        cmocka_unit_test(strings_become_a_list),
        cmocka_unit_test(fewest_digits),
        cmocka_unit_test(arrays_of_numbers_are_joined),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

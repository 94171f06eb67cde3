/* SPDX-License-Identifier: Apache-2.0 */
/* Errors between processes: every field survives, and what is no error becomes one that says so. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tuner/workers/remote_error.h"

static void test_every_field_survives(void **state)
{
    (void)state;
    static const char text[] = "size N is 0\nsize";
    struct error sent, received = {0};
    error_at(&sent, ERROR_INPUT, (struct place){"k.template", text, 5, 1}, "size %s is %d", "N", 0);
    error_hint(&sent, "use 1");
    json_t *json = error_to_json(&sent);
    assert_non_null(json);
    assert_false(error_from_json(json, &received));
    json_decref(json);
    assert_int_equal(received.code, ERROR_INPUT);
    assert_string_equal(received.text, "size N is 0");
    assert_string_equal(received.hint, "use 1");
    assert_string_equal(received.file, "k.template");
    assert_string_equal(received.excerpt, "size N is 0");
    assert_int_equal(received.line, 1);
    assert_int_equal(received.column, 6);
    assert_int_equal(received.caret, 5);
    assert_int_equal(received.caret_length, 1);
}

static void test_what_is_no_error_is_malformed(void **state)
{
    (void)state;
    static const char *const texts[] = {"{}", "{\"code\":\"x\"}", "{\"code\":99}"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        struct error error = {0};
        json_t *json = json_loads(texts[i], 0, NULL);
        assert_false(error_from_json(json, &error));
        assert_int_equal(error.code, ERROR_MESSAGE);
        assert_true(error.text[0] != '\0');
        json_decref(json);
    }
    struct error error = {0};
    assert_false(error_from_json(NULL, &error));
    assert_int_equal(error.code, ERROR_MESSAGE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_field_survives),
        cmocka_unit_test(test_what_is_no_error_is_malformed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

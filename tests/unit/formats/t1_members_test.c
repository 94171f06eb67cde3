/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/unit/formats/t1_fixture.h"

static void test_objects_arrays_and_texts(void **state)
{
    (void)state;
    struct t1_fixture f;
    const json_t *member;
    const char *text;
    t1_fixture_create(&f);
    json_t *json = json_of("{'o': {}, 'a': [1], 'n': null, 't': 'text', 'e': '', 'i': 1}");
    assert_true(t1_member_object(&f.t1, json, "o", &member, &f.error) && json_is_object(member));
    assert_refused(&f, t1_member_object(&f.t1, json, "a", &member, &f.error),
                   "T1.json: \"a\" is missing or not an object", "");
    assert_refused(&f, t1_member_object(&f.t1, json, "x", &member, &f.error),
                   "T1.json: \"x\" is missing or not an object", "");
    assert_true(t1_optional_array(&f.t1, json, "a", &member, &f.error) && json_array_size(member) == 1);
    assert_true(t1_optional_array(&f.t1, json, "n", &member, &f.error) && json_array_size(member) == 0);
    assert_true(t1_optional_array(&f.t1, json, "x", &member, &f.error) && json_array_size(member) == 0);
    assert_refused(&f, t1_optional_array(&f.t1, json, "o", &member, &f.error), "T1.json: \"o\" is not an array", "");
    assert_true(t1_member_text(&f.t1, json, "t", "here", &text, &f.error));
    assert_string_equal(text, "text");
    for (size_t i = 0; i < 3; i++) {
        const char *const names[] = {"e", "i", "x"};
        char message[128];
        snprintf(message, sizeof message, "T1.json: here: \"%s\" is missing, empty or not a string", names[i]);
        assert_refused(&f, t1_member_text(&f.t1, json, names[i], "here", &text, &f.error), message, "");
    }
    json_decref(json);
    t1_fixture_free(&f);
}

static void test_scalars(void **state)
{
    (void)state;
    static const struct {
        const char *json, *text;
    } cases[] = {{"7", "7"},           {"-9223372036854775807", "-9223372036854775807"},
                 {"0.1", "0.1"},       {"2.0", "2.0"},
                 {"true", "true"},     {"false", "false"},
                 {"'a + 1'", "a + 1"}, {"''", ""},
                 {"null", NULL},       {"[1]", NULL},
                 {"{}", NULL}};
    struct t1_fixture f;
    t1_fixture_create(&f);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const char *text = "unset";
        json_t *json = json_of(cases[i].json);
        assert_true(t1_scalar_text(&f.t1, json, &text, &f.error));
        if (cases[i].text)
            assert_string_equal(text, cases[i].text);
        else
            assert_null(text);
        assert_int_equal(t1_expression_text(&f.t1, json, "Size", &text, &f.error), cases[i].text != NULL);
        json_decref(json);
    }
    assert_string_equal(f.error.text, "T1.json: Size must be a number or an expression");
    t1_fixture_free(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_objects_arrays_and_texts),
        cmocka_unit_test(test_scalars),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

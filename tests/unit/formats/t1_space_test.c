/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/unit/formats/t1_fixture.h"

/* Read a space into a fresh file. */
static bool read_space(struct t1_fixture *f, const char *text)
{
    *f = (struct t1_fixture){.t1 = {.path = "T1.json"}};
    f->space = json_of(text);
    assert_success(text_stream_open(&f->t1.notes, &f->error), &f->error);
    return t1_read_space(&f->t1, f->space, &f->error);
}

static void test_parameters(void **state)
{
    (void)state;
    struct t1_fixture f;
    assert_success(read_space(&f, "{'TuningParameters': ["
                                  "{'Name': 'a', 'Values': '[1, 2.5]', 'Default': 2.5},"
                                  "{'Name': 'b', 'Values': [true, false], 'Default': 0},"
                                  "{'Name': 'c', 'Values': ['x', 'y'], 'Default': ['y']},"
                                  "{'Name': 'd', 'Values': '3', 'Default': 4},"
                                  "{'Name': 'e', 'Values': [8], 'Default': {}}],"
                                  "'Conditions': ['a > 1', {'Expression': 'lambda p: d < 9', 'Parameters': []}]}"),
                   &f.error);
    static const struct {
        const char *name, *text, *fallback;
        size_t count;
        enum value_kind kind;
    } expected[] = {{"a", "[1, 2.5]", "2.5", 2, VALUE_INTEGER},
                    {"b", "[true, false]", "false", 2, VALUE_BOOLEAN},
                    {"c", "[\"x\", \"y\"]", "\"y\"", 2, VALUE_STRING},
                    {"d", "[3]", NULL, 1, VALUE_INTEGER},
                    {"e", "[8]", NULL, 1, VALUE_INTEGER}};
    assert_int_equal(f.t1.parameter_count, 5);
    for (size_t i = 0; i < 5; i++) {
        const struct t1_parameter *parameter = &f.t1.parameters[i];
        assert_string_equal(parameter->name, expected[i].name);
        assert_string_equal(parameter->values_text, expected[i].text);
        assert_int_equal(parameter->count, expected[i].count);
        assert_int_equal(parameter->values[0].kind, expected[i].kind);
        if (expected[i].fallback)
            assert_string_equal(parameter->default_text, expected[i].fallback);
        else
            assert_null(parameter->default_text);
    }
    assert_int_equal(f.t1.condition_count, 2);
    assert_string_equal(f.t1.conditions[0], "a > 1");
    assert_string_equal(f.t1.conditions[1], "d < 9");
    expect_notes(&f, "default 4 of d is not one of its values and was dropped\n");
    t1_fixture_free(&f);
}

/* "Constraints" is the older name; "Conditions" wins where both are there. */
static void test_draft(void **state)
{
    (void)state;
    struct t1_fixture f;
#define ONE "'TuningParameters': [{'Name': 'a', 'Values': [1]}]"
    assert_true(read_space(&f, "{" ONE ", 'Constraints': ['a < 2']}"));
    assert_string_equal(f.t1.conditions[0], "a < 2");
    t1_fixture_free(&f);
    assert_true(read_space(&f, "{" ONE ", 'Constraints': ['a < 2'], 'Conditions': []}"));
    assert_int_equal(f.t1.condition_count, 0);
    t1_fixture_free(&f);
}

static void test_refusals(void **state)
{
    (void)state;
#define PARAMETER(members) "{'TuningParameters': [{'Name': 'a', 'Values': [1]}, {" members "}]}"
    static const struct {
        const char *space, *message, *hint;
    } cases[] = {
        {"{}", "T1.json: \"TuningParameters\" is missing or empty", ""},
        {"{'TuningParameters': 1}", "T1.json: \"TuningParameters\" is not an array", ""},
        {"{" ONE ", 'Conditions': {}}", "T1.json: \"Conditions\" is not an array", ""},
        {"{" ONE ", 'Conditions': [1]}", "T1.json: Conditions[0]: \"Expression\" is missing, empty or not a string",
         ""},
        {PARAMETER(""), "T1.json: TuningParameters[1]: \"Name\" is missing, empty or not a string", ""},
        {PARAMETER("'Name': 'a'"), "T1.json: TuningParameters[1]: parameter a is declared twice", ""},
        {PARAMETER("'Name': 'for'"),
         "T1.json: TuningParameters[1]: \"for\" is a reserved word and cannot name a parameter", "rename"},
        {PARAMETER("'Name': '2x'"), "T1.json: TuningParameters[1]: \"2x\" is not a valid name for a parameter",
         "letters"},
        {PARAMETER("'Name': 'b'"), "T1.json: Values of b must be a string or an array", ""},
        {PARAMETER("'Name': 'b', 'Values': 7"), "T1.json: Values of b must be a string or an array", ""},
        {PARAMETER("'Name': 'b', 'Values': ['x y']"),
         "T1.json: Values of b: \"x y\" cannot be passed to a kernel as a macro", "#if b_"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct t1_fixture f;
        assert_refused(&f, read_space(&f, cases[i].space), cases[i].message, cases[i].hint);
        t1_fixture_free(&f);
    }
}

/* Kernels that are not compiled may have any strings. */
static void test_foreign(void **state)
{
    (void)state;
    struct t1_fixture f = {.t1 = {.path = "T1.json", .foreign = true}};
    f.space = json_of(PARAMETER("'Name': 'b', 'Values': ['x y']"));
    assert_success(text_stream_open(&f.t1.notes, &f.error), &f.error);
    assert_success(t1_read_space(&f.t1, f.space, &f.error), &f.error);
    t1_fixture_free(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_parameters),
        cmocka_unit_test(test_draft),
        cmocka_unit_test(test_refusals),
        cmocka_unit_test(test_foreign),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

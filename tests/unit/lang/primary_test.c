/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/unit/lang/expressions.h"
#include "tuner/lang/primary.h"

/* Constants as the tree has them. */
static void test_constants(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        struct value value;
    } cases[] = {
        {"0", {.kind = VALUE_INTEGER, .integer = 0}},
        {"9223372036854775807", {.kind = VALUE_INTEGER, .integer = INT64_MAX}},
        {"2.5", {.kind = VALUE_FLOAT, .real = 2.5}},
        {"true", {.kind = VALUE_BOOLEAN, .boolean = true}},
        {"True", {.kind = VALUE_BOOLEAN, .boolean = true}},
        {"False", {.kind = VALUE_BOOLEAN, .boolean = false}},
        {"'a\\tb'", {.kind = VALUE_STRING, .string = "a\tb"}},
        {"((7))", {.kind = VALUE_INTEGER, .integer = 7}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct expressions f;
        start(&f);
        assert_true(parse(&f, cases[i].text));
        assert_int_equal(f.expr->root->kind, NODE_CONSTANT);
        assert_int_equal(f.expr->root->constant.kind, cases[i].value.kind);
        assert_true(value_equal(f.expr->root->constant, cases[i].value));
        arena_free(&f.arena);
    }
    expect("9223372036854775808", "error: this integer does not fit in 64 bits");
    expect("-9223372036854775808", "-9223372036854775808");
    expect("-9223372036854775808 ** 1", "error: this integer does not fit in 64 bits");
}

/* A comma makes a tuple, a pair of parentheses alone does not; brackets make lists. */
static void test_lists(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        unsigned count;
        bool is_tuple;
    } cases[] = {{"(1,)", 1, true}, {"(1, 2)", 2, true}, {"[1]", 1, false}, {"[]", 0, false}, {"[1, 2,]", 2, false}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct expressions f;
        start(&f);
        assert_true(parse(&f, cases[i].text));
        assert_true(f.expr->root->is_list && f.expr->root->kind == NODE_LIST);
        assert_int_equal(f.expr->root->count, cases[i].count);
        assert_int_equal(f.expr->root->is_tuple, cases[i].is_tuple);
        arena_free(&f.arena);
    }
    expect("()", "error: expected an expression, found ')'");
    expect("(,)", "error: expected a value, found ','");
    expect("[1,,2]", "error: expected a value, found ','");
    expect("[1, [2]]", "error: a list cannot be used as a value");
}

static void test_calls(void **state)
{
    (void)state;
    expect("abs()", "error: abs() takes 1 argument, not 0");
    expect("ceil_div(1, 2, 3)", "error: ceil_div() takes 2 arguments, not 3");
    expect("max()", "error: max() takes at least 1 argument, not 0");
    expect("max(range())", "error: range() takes at least 1 argument, not 0");
    expect("max(range(1, 2, 3, 4))", "error: range() takes at most 3 arguments, not 4");
    expect("max(1)", "error: max() takes a list or at least two values");
    expect("max([1], 2)", "error: a list cannot be used as a value");
    expect("abs([1])", "error: a list cannot be used as a value");
    expect("max(1, 2,)", "2");
    expect("cieling(3)", "error: unknown function cieling");
    expect("TILE(3)", "error: expected an operator or the end of the expression, found '('");
    expect("max", "error: expected '(', found the end of the text");
}

static void expect_hint(const char *text, const char *message, const char *hint)
{
    struct expressions f;
    start(&f);
    assert_true(scope_add_buffer(f.scope, "x", 1, 0, NULL, 0));
    assert_false(parse(&f, text));
    assert_string_equal(f.error.text, message);
    assert_string_equal(f.error.hint, hint);
    arena_free(&f.arena);
}

static void test_names(void **state)
{
    (void)state;
    struct expressions f;
    start(&f);
    assert_true(parse(&f, "TILE"));
    assert_int_equal(f.expr->root->slot, f.tile);
    assert_int_equal(f.expr->root->operation, NAME_PARAMETER);
    assert_true(parse(&f, "device.sm_count"));
    assert_int_equal(f.expr->root->operation, NAME_DEVICE);
    assert_int_equal(f.expr->root->length, strlen("device.sm_count"));
    arena_free(&f.arena);
    expect_hint("TILLE", "unknown name TILLE", "did you mean TILE?");
    expect_hint("q", "unknown name q", "");
    expect_hint("device.sm_cuont", "unknown device field device.sm_cuont", "did you mean device.sm_count?");
    expect_hint("device", "expected '.' and a device field, found the end of the text",
                "for example: device.max_threads_per_block");
    expect_hint("device . 3", "expected a device field, found '3'", "");
    expect_hint("x", "x is a buffer, not a value", "in a kernel's arguments the buffer comes first: x + offset");
    expect_hint("rnge(3)", "unknown function rnge", "did you mean range?");
    expect_hint("1 && 2", "expected a value, found '&'", "the logical operators are and, or, not");
    expect_hint("else", "expected a value, found 'else'", "");
    expect_hint("None", "expected a value, found 'None'", "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_constants), cmocka_unit_test(test_lists),
                                       cmocka_unit_test(test_calls), cmocka_unit_test(test_names)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

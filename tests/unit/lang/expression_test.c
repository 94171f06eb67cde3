/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Expressions: Python's own answers (python_answers.txt, made by python_answers.py), the functions that Python lacks,
 * lists, the limits, and what is an error.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tuner/lang/expression.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A scope with two names: the parameter TILE in the slot behind the device's, then the let area. */
struct fixture {
    struct arena arena;
    struct text text;
    struct scope *scope;
    struct value slots[64];
    size_t tile, area;
    const struct expr *expr;
    struct error error;
};

static void start(struct fixture *f)
{
    memset(f, 0, sizeof *f);
    f->scope = scope_create(&f->arena);
    assert_non_null(f->scope);
    assert_true(scope_add_device(f->scope));
    assert_true(scope_add_value(f->scope, "TILE", 4, NAME_PARAMETER, NULL, 0, &f->tile));
    assert_true(scope_add_value(f->scope, "area", 4, NAME_LET, NULL, 0, &f->area));
    assert_true(scope_count(f->scope) <= sizeof f->slots / sizeof *f->slots);
}

static bool parse(struct fixture *f, const char *text)
{
    return text_copy(&f->text, &f->arena, "test", text, strlen(text), &f->error) &&
           expression_parse(&f->text, &f->arena, f->scope, &f->expr, &f->error);
}

/* The value's text, or "error: text". */
static void answer(struct fixture *f, const char *text, char *buffer, size_t size)
{
    struct value value;
    if (parse(f, text) && expr_evaluate(f->expr, f->slots, &value, &f->error))
        value_text(value, buffer, size);
    else
        snprintf(buffer, size, "error: %.400s", f->error.text);
}

static void expect(const char *text, const char *wanted)
{
    struct fixture f;
    char got[512];
    start(&f);
    f.slots[f.tile] = value_integer(16);
    answer(&f, text, got, sizeof got);
    if (strcmp(got, wanted) != 0)
        fail_msg("%s gives %s, not %s", text, got, wanted);
    arena_free(&f.arena);
}

static void test_python(void **state)
{
    (void)state;
    char line[1024], got[512];
    unsigned lines = 0, errors = 0;
    FILE *file = fopen(TUNE_SOURCE_FOLDER "/tests/unit/lang/python_answers.txt", "r");
    assert_non_null(file);
    while (fgets(line, sizeof line, file)) {
        struct fixture f;
        char *wanted = strchr(line, '\t');
        assert_non_null(wanted);
        *wanted++ = '\0';
        wanted[strcspn(wanted, "\n")] = '\0';
        start(&f);
        answer(&f, line, got, sizeof got);
        bool is_error = strncmp(got, "error: ", 7) == 0;
        bool is_float = strpbrk(wanted, ".e") && wanted[0] != '"' && wanted[0] != 't' && wanted[0] != 'f';
        bool same = strcmp(wanted, "error") == 0 ? is_error : strcmp(got, wanted) == 0;
        if (!same && is_float && !is_error && strpbrk(got, ".e")) /* 1e+16 is 10000000000000000.0 */
            same = strtod(got, NULL) == strtod(wanted, NULL);
        if (!same)
            fail_msg("%s gives %s; Python gives %s", line, got, wanted);
        lines++;
        errors += is_error;
        arena_free(&f.arena);
    }
    fclose(file);
    assert_true(lines >= 1000);
    assert_true(errors > 50 && errors < lines / 2);
}

static void test_precedence(void **state)
{
    (void)state;
    expect("-2 ** 2", "-4");
    expect("2 ** -1", "0.5");
    expect("2 ** 3 ** 2", "512");
    expect("not 1 == 2", "true");
    expect("1 < 2 < 3 > 0", "true");
    expect("3 > 2 == 2", "true"); /* 3 > 2 and 2 == 2 */
    expect("1 if 0 else 2 if 0 else 3", "3");
    expect("0 or 'joint'", "\"joint\"");
    expect("7 // -2", "-4");
    expect("-7 % 3", "2");
    expect("7 % -3", "-2");
    expect("7.5 // -2", "-4.0");
    expect("1 | 6 ^ 2 & 3", "5");
    expect("1 << 2 + 1", "8");
    expect("-9223372036854775808", "-9223372036854775808");
    expect("True + True", "2");
    expect("'a' < 'b' <= 'b'", "true");
    expect("'oi' in 'joint'", "true");
    expect("(\n1 +\n2 # a comment\n)", "3");
}

static void test_exact_comparison(void **state)
{
    (void)state;
    expect("9007199254740993 == 9007199254740992.0", "false");
    expect("9007199254740993 > 9007199254740992.0", "true");
    expect("9223372036854775807 < 9223372036854775808.0", "true");
    expect("1 == 1.0 == True", "true");
    expect("'1' == 1", "false");
}

static void test_functions(void **state)
{
    (void)state;
    expect("ceil_div(7, 2)", "4");
    expect("ceil_div(-7, 2)", "-3");
    expect("ceil_div(8.0, 2)", "4");
    expect("ceil_div(9223372036854775807, 2)", "4611686018427387904");
    expect("round_up(13, 8)", "16");
    expect("round_up(16, 8)", "16");
    expect("round(2.5)", "2");
    expect("round(3.5)", "4");
    expect("round(-0.5)", "0");
    expect("max(pow2(1, 100))", "64");
    expect("min(range(5, 9))", "5");
    expect("min(3, 1.0, 1)", "1.0");
    expect("8 in pow2(1, 8) and 7 not in pow2(1, 8)", "true");
    expect("4 in range(0, 10, 2) and 5 not in range(0, 10, 2)", "true");
    expect("999999999999 in range(1000000000000)", "true");
    expect("3 in [1, 2] + [3]", "true");
    expect("3 in ([1] if TILE == 16 else [3])", "false");
    expect("16 in (8, 16)", "true");
    expect("TILE * 2", "32");
}

/* n u / (1 - n u) and exp(10 sqrt(n) u + n u^2 / (1 - u)) - 1, u = 2^-24, by Python's decimal module to 20 digits. */
static void test_error_bounds(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        double wanted;
    } cases[] = {
        {"gamma(2)", 1.1920930376163765927e-7},           {"gamma(4096)", 2.4420024420024420024e-4},
        {"sum_error(1)", 5.9604662894234149121e-7},       {"sum_error(4096)", 3.8147714813734583082e-5},
        {"sum_error(2 ** 30)", 1.9727122656853013874e-2},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct fixture f;
        double got;
        start(&f);
        assert_true(parse(&f, cases[i].text));
        assert_true(expr_number(f.expr, f.slots, &got, &f.error));
        assert_true(fabs(got / cases[i].wanted - 1) < 1e-14);
        arena_free(&f.arena);
    }
    expect("gamma(0)", "0.0");
    expect("sum_error(0)", "0.0");
    expect("gamma(2 ** 24)", "error: gamma(1.67772e+07) is undefined: n must be at least 0 and less than 2**24");
}

static void test_comprehension_errors(void **state)
{
    (void)state;
    expect("max([[1, 2] for i in [1]])", "error: a list cannot be used as a value");
    expect("max([i for i in 3])", "error: expected a list after `in`, found a single value");
    expect("max([i for j in [1]])", "error: unknown name i");
    expect("max([1 for i in [i]])", "error: unknown name i");
    expect("max([i for i in [1]] + [i])", "error: unknown name i");
    expect("max([1 for TILE in [1]])", "error: TILE is already a parameter");
    expect("max([1 for i in [1] for i in [2]])", "error: i is already a variable of this comprehension");
    expect("max([1 for max in [1]])", "error: max is a function and cannot be a comprehension variable");
    expect("max([1 2 for i in [1]])", "error: expected 'for', found '2'");
    expect("max([1 for i in [1] 2])", "error: expected ']', found '2'");
    expect("max([for i in [1]])", "error: expected a value, found 'for'");
    expect("max([1 for i of [1]])", "error: expected 'in', found 'of'");
    expect("max(i for i in [1], 2)", "error: expected ')', found ','");
    expect("[i for i in [1]]", "error: a list cannot be used as a value");
    expect("list(3)", "error: list() takes a list");
    expect("list([1], [2])", "error: list() takes 1 argument, not 2");
    expect("min([1 for i in range(3000) for j in range(3000)])",
           "error: this comprehension takes more than 4194304 steps");
    expect("min([1 for i in range(3000) if min(range(3000)) < 0])",
           "error: this comprehension takes more than 4194304 steps");
    expect("max([10 // i for i in [1, 0]])", "error: division by zero");
}

static void test_errors(void **state)
{
    (void)state;
    expect("1 / 0", "error: division by zero");
    expect("1 % 0.0", "error: division by zero");
    expect("0 ** -1", "error: division by zero");
    expect("9223372036854775807 + 1", "error: the result of + is too large");
    expect("2 ** 63", "error: the result of ** is too large");
    expect("-(-9223372036854775807 - 1)", "error: the result of - is too large");
    expect("1e308 * 10", "error: the result of * is too large");
    expect("(-8) ** 0.5", "error: this power of a negative number is not real");
    expect("1 << -1", "error: negative shift count");
    expect("'a' + 1", "error: + cannot be applied to str and int");
    expect("-'a'", "error: - cannot be applied to str");
    expect("1 & 2.0", "error: & cannot be applied to int and float");
    expect("'a' < 1", "error: < cannot compare str and int");
    expect("max(1, 'a')", "error: max() cannot compare str and int");
    expect("max([])", "error: max() of an empty list");
    expect("1 in 2", "error: `in` needs a list on its right, not int");
    expect("sqrt(-1)", "error: sqrt() of a negative number: -1");
    expect("log2(0)", "error: log2() needs a positive number, not 0");
    expect("int('1')", "error: int() needs a number, not str");
    expect("ceil_div(1, 0)", "error: division by zero in ceil_div()");
    expect("ceil_div(1.5, 2)", "error: ceil_div() needs whole numbers, not 1.5");
    expect("int(1e30)", "error: the result of int() does not fit in 64 bits");
    expect("1 in pow2(0, 4)", "error: pow2() cannot start at 0; the smallest power of two is 1");
    expect("max(range(0, 5, 0))", "error: the step of range() is 0");
    expect("max(range(10 ** 12))", "error: this range has 1000000000000 values; the limit is 1048576");
    expect("area", "error: area has no value here");
    expect("device.sm_count", "error: device.sm_count has no value here");
}

static void test_place_of_errors(void **state)
{
    (void)state;
    struct fixture f;
    struct value value;
    start(&f);
    assert_true(parse(&f, "1 +\n2") == false); /* a newline ends the expression */
    assert_int_equal(f.error.line, 1);
    assert_int_equal(f.error.column, 4);
    assert_true(parse(&f, "1 + TILE * 2"));
    assert_false(expr_evaluate(f.expr, f.slots, &value, &f.error));
    assert_string_equal(f.error.text, "parameter TILE has no value");
    assert_int_equal(f.error.column, 5);
    assert_int_equal(f.error.caret_length, 4);
    assert_false(expr_evaluate(f.expr, f.slots, &value, NULL)); /* the error may be NULL */
    arena_free(&f.arena);
}

static void test_typed_results(void **state)
{
    (void)state;
    struct fixture f;
    int64_t integer = 0;
    double real = 0;
    bool truth = false;
    start(&f);
    assert_true(parse(&f, "16.0") && expr_integer(f.expr, f.slots, &integer, &f.error));
    assert_int_equal(integer, 16);
    assert_true(parse(&f, "16.5"));
    assert_false(expr_integer(f.expr, f.slots, &integer, &f.error));
    assert_string_equal(f.error.text, "expected a whole number, got 16.5");
    assert_true(parse(&f, "true") && expr_number(f.expr, f.slots, &real, &f.error));
    assert_true(real == 1);
    assert_true(parse(&f, "'text'"));
    assert_false(expr_number(f.expr, f.slots, &real, &f.error));
    assert_string_equal(f.error.text, "expected a number, got \"text\"");
    assert_true(expr_truth(f.expr, f.slots, &truth, &f.error) && truth);
    arena_free(&f.arena);
}

static void expect_list(const char *text, const char *wanted)
{
    struct fixture f;
    struct value *values;
    size_t count;
    char got[256] = "";
    start(&f);
    assert_true(parse(&f, text));
    assert_true(expr_list(f.expr, f.slots, &values, &count, &f.error));
    for (size_t i = 0; i < count; i++) {
        size_t used = strlen(got);
        if (i)
            got[used++] = ' ';
        value_text(values[i], got + used, sizeof got - used);
    }
    assert_string_equal(got, wanted);
    free(values);
    arena_free(&f.arena);
}

static void test_lists(void **state)
{
    (void)state;
    expect_list("[1, 2.5, 'a', true]", "1 2.5 \"a\" true");
    expect_list("[]", "");
    expect_list("[1, 2,\n 3,]", "1 2 3");
    expect_list("pow2(1, 8)", "1 2 4 8");
    expect_list("pow2(3, 20)", "4 8 16");
    expect_list("pow2(2, 1)", "");
    expect_list("range(4)", "0 1 2 3");
    expect_list("range(1, 9, 3)", "1 4 7");
    expect_list("range(3, 0, -1)", "3 2 1");
    expect_list("range(3, 0)", "");
    expect_list("range(9223372036854775800, 9223372036854775807, 5)", "9223372036854775800 9223372036854775805");
    expect_list("[0] + pow2(1, 4) + range(2)", "0 1 2 4 0 1");
    expect_list("[16*i for i in range(1, 4)]", "16 32 48");
    expect_list("list(range(1, 4)) + [2**i for i in range(3) if i != 1]", "1 2 3 1 4");
    expect_list("[10 * i + j for i in (1, 2) for j in range(i) if i + j != 2]", "10 21");
    expect_list("[i if i % 2 else -i for i in range(4) if i if i < 3]", "1 -2");
    expect_list("[max(j for j in range(i)) for i in [2, 4]] + [max(j for j in range(3))]", "1 3 2");
    expect_list("[16 * i\n for i in [1,\n 2]]", "16 32");
    expect_list("[i for i in range(1000000) if i in [7, 11]]", "7 11");
}

static void test_uses(void **state)
{
    (void)state;
    struct fixture f;
    start(&f);
    assert_true(parse(&f, "1 if area > 2 else max(3, TILE)"));
    assert_true(expr_uses(f.expr, f.tile) && expr_uses(f.expr, f.area));
    assert_true(expr_uses_kind(f.expr, f.scope, NAME_LET));
    assert_false(expr_uses_kind(f.expr, f.scope, NAME_DEVICE));
    assert_true(parse(&f, "2 in [1, device.warp_size]"));
    assert_false(expr_uses(f.expr, f.tile));
    assert_true(expr_uses_kind(f.expr, f.scope, NAME_DEVICE));
    struct place place = expr_place(f.expr);
    assert_int_equal(place.offset, 0);
    assert_int_equal(place.length, strlen("2 in [1, device.warp_size]"));
    arena_free(&f.arena);
}

/* Deep or long input is an error or works; it never overruns the stack. */
static void expect_repeated(const char *part, size_t count, const char *end, bool works)
{
    struct fixture f;
    struct value value;
    size_t length = strlen(part);
    char *text = calloc(count * length + strlen(end) + 1, 1);
    assert_non_null(text);
    for (size_t i = 0; i < count; i++)
        memcpy(text + i * length, part, length);
    strcpy(text + count * length, end);
    start(&f);
    bool good = parse(&f, text) && expr_evaluate(f.expr, f.slots, &value, &f.error);
    assert_int_equal(good, works);
    arena_free(&f.arena);
    free(text);
}

/* The `for` is found behind whatever brackets an element may have. */
static void expect_element_in_brackets(int count)
{
    struct fixture f;
    struct value value;
    char text[1024], brackets[256];
    memset(brackets, '(', sizeof brackets);
    int length = snprintf(text, sizeof text, "max(%.*si", count, brackets);
    memset(brackets, ')', sizeof brackets);
    snprintf(text + length, sizeof text - (size_t)length, "%.*s for i in [3, 7])", count, brackets);
    start(&f);
    assert_true(parse(&f, text) && expr_evaluate(f.expr, f.slots, &value, &f.error));
    assert_int_equal(value.integer, 7);
    arena_free(&f.arena);
}

static void test_depth(void **state)
{
    (void)state;
    expect_element_in_brackets(1);
    expect_element_in_brackets(195);
    expect_repeated("(", 100000, "1", false);
    expect_repeated("[", 100000, "1", false);
    expect_repeated("-", 100000, "1", false);
    expect_repeated("not ", 100000, "1", false);
    expect_repeated("2 ** ", 100000, "1", false);
    expect_repeated("1 + ", 100000, "1", false);
    expect_repeated("1 if 1 else ", 100000, "1", false);
    expect_repeated("max(", 100000, "1", false);
    expect_repeated("[0 for i in ", 100000, "1", false);
    expect_repeated("max(0 if 1 for i in ", 100000, "1", false);
    expect_repeated("-", 150, "1", true);
    expect_repeated("1 + ", 900, "1", true);
    expect_repeated("1 and ", 100000, "1", true);
    expect_repeated("1 < 2 and ", 10000, "1", true);
    expect_repeated("1 <= ", 100000, "1", true);
}

static void test_scope(void **state)
{
    (void)state;
    struct fixture f;
    size_t slot;
    start(&f);
    assert_true(scope_find(f.scope, "device.kind", &slot));
    assert_int_equal(scope_kind(f.scope, slot), NAME_DEVICE);
    assert_true(scope_find(f.scope, "device.max_threads_per_block", &slot));
    assert_string_equal(scope_name(f.scope, slot), "device.max_threads_per_block");
    assert_false(scope_find(f.scope, "device", &slot));
    assert_false(scope_find(f.scope, "TIL", &slot));
    assert_true(scope_find(f.scope, "TILE", &slot) && slot == f.tile);
    arena_free(&f.arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_python),
        cmocka_unit_test(test_precedence),
        cmocka_unit_test(test_exact_comparison),
        cmocka_unit_test(test_functions),
        cmocka_unit_test(test_error_bounds),
        cmocka_unit_test(test_errors),
        cmocka_unit_test(test_comprehension_errors),
        cmocka_unit_test(test_place_of_errors),
        cmocka_unit_test(test_typed_results),
        cmocka_unit_test(test_lists),
        cmocka_unit_test(test_uses),
        cmocka_unit_test(test_depth),
        cmocka_unit_test(test_scope),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

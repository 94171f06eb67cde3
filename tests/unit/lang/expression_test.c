/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The whole of expressions: Python's own answers (python_answers.txt, made by python_answers.py), precedence and
 * depth.
 */
#include "tests/unit/lang/expressions.h"

static void test_python(void **state)
{
    (void)state;
    char line[1024], got[512];
    unsigned lines = 0, errors = 0;
    FILE *file = fopen(TUNE_SOURCE_FOLDER "/tests/unit/lang/python_answers.txt", "r");
    assert_non_null(file);
    while (fgets(line, sizeof line, file)) {
        struct expressions f;
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

/* Deep or long input is an error or works; it never overruns the stack. */
static void expect_repeated(const char *part, size_t count, const char *end, bool works)
{
    struct expressions f;
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
    struct expressions f;
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

/* The interfaces for templates and spaces: what each accepts, and where it ends. */
static void test_kinds_of_expressions(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        bool (*parse)(struct parser *parser, const struct expr **expr);
        const char *taken; /* NULL: refused */
        const char *message;
    } cases[] = {
        {"1 + 2, 3", parse_expression, "1 + 2", NULL},
        {"[1]", parse_expression, NULL, "a list cannot be used as a value"},
        {"[1] + [2] # list", parse_list, "[1] + [2]", NULL},
        {"(1)", parse_list, NULL, "expected a list, found a single value"},
        {"(1, 2)", parse_any, "(1, 2)", NULL},
        {"7", parse_any, "7", NULL},
        {"1 << 2", parse_sum, "1", NULL},
        {"1 - -2 * 3 < 4", parse_sum, "1 - -2 * 3", NULL},
        {"1 if 2 else 3", parse_sum, "1", NULL},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct expressions f;
        struct parser parser;
        start(&f);
        assert_true(text_copy(&f.text, &f.arena, "test", cases[i].text, strlen(cases[i].text), &f.error));
        assert_true(parser_start(&parser, &f.text, &f.arena, f.scope, &f.error));
        bool good = cases[i].parse(&parser, &f.expr);
        assert_int_equal(good, cases[i].taken != NULL);
        if (good) {
            struct place place = expr_place(f.expr);
            assert_int_equal(place.length, strlen(cases[i].taken));
            assert_memory_equal(place.text + place.offset, cases[i].taken, place.length);
        } else {
            assert_string_equal(f.error.text, cases[i].message);
        }
        arena_free(&f.arena);
    }
}

static void test_items_and_names(void **state)
{
    (void)state;
    struct expressions f;
    struct parser parser;
    int64_t value = 0;
    const char text[] = "(TILE, 3 * TILE, 5)";
    start(&f);
    f.slots[f.tile] = value_integer(16);
    assert_true(text_copy(&f.text, &f.arena, "test", text, strlen(text), &f.error));
    assert_true(parser_start(&parser, &f.text, &f.arena, f.scope, &f.error));
    assert_true(parse_any(&parser, &f.expr));
    const struct expr *second = expression_item(&parser, f.expr, 1);
    assert_true(expr_integer(second, f.slots, &value, &f.error) && value == 48);
    assert_int_equal(expr_place(second).offset, strlen("(TILE, "));
    assert_int_equal(expr_place(second).length, strlen("3 * TILE"));
    assert_true(expression_uses_only(&parser, f.expr, 1 << NAME_PARAMETER | 1 << NAME_SIZE, "this"));
    assert_false(expression_uses_only(&parser, second, 1 << NAME_SIZE, "this"));
    assert_string_equal(f.error.text, "this cannot depend on TILE");
    assert_int_equal(f.error.column, strlen("(TILE, 3 * ") + 1);
    arena_free(&f.arena);
}

static void test_errors(void **state)
{
    (void)state;
    expect("1 if 2", "error: expected 'else', found the end of the text");
    expect("1 not 2", "error: expected 'in', found '2'");
    expect("1 2", "error: expected an operator or the end of the expression, found '2'");
    expect("1 +", "error: expected a value, found the end of the text");
    expect("1 < [2]", "error: a list cannot be used as a value");
    expect("1 in [1] in [true]", "error: a list cannot be used as a value");
    expect("[1] if 1 else 2", "error: a list cannot be used as a value");
    expect("[1] - [1]", "error: a list cannot be used as a value");
    expect("-[1]", "error: a list cannot be used as a value");
    expect("not [1]", "error: a list cannot be used as a value");
    expect("1 and [1]", "error: a list cannot be used as a value");
    expect("1 if [1] else 2", "error: a list cannot be used as a value");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_python),          cmocka_unit_test(test_precedence),
        cmocka_unit_test(test_depth),           cmocka_unit_test(test_kinds_of_expressions),
        cmocka_unit_test(test_items_and_names), cmocka_unit_test(test_errors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

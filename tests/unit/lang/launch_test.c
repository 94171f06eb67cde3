/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/unit/lang/templates.h"

#define HEAD                                                                                                         \
    "template t\nsize n = 16\nparameter B\nsource \"k.cu\"\nbuffer x : float[n] in index()\n"                        \
    "buffer y : float[n] out\ncheck y exact\nreference \"r.cu\" { r<<<1, 1>>>(x, ref(y)) }\n"

static struct template *launch(const char *text, const struct statement **statement)
{
    char whole[1024];
    snprintf(whole, sizeof whole, HEAD "launch { %s }\n", text);
    struct template *t = parse_template_text(whole);
    assert_int_equal(t->launch.body.count, 1);
    *statement = t->launch.body.statements;
    assert_int_equal((*statement)->kind, STATEMENT_LAUNCH);
    return t;
}

static void expect_dimensions(const char *text, const char *const grid[3], const char *const block[3],
                              const char *shared)
{
    const struct statement *s;
    struct template *t = launch(text, &s);
    for (int i = 0; i < 3; i++) {
        if (grid[i])
            expect_expr(s->grid[i], grid[i]);
        else
            assert_null(s->grid[i]);
        if (block[i])
            expect_expr(s->block[i], block[i]);
        else
            assert_null(s->block[i]);
    }
    if (shared)
        expect_expr(s->shared, shared);
    else
        assert_null(s->shared);
    assert_string_equal(s->name, "k");
    expect_span(s->place, text);
    template_free(t);
}

static void test_dimensions(void **state)
{
    (void)state;
    expect_dimensions("k<<<n, B>>>()", (const char *[3]){"n"}, (const char *[3]){"B"}, NULL);
    expect_dimensions("k<<<(n), (B,)>>>()", (const char *[3]){"(n)"}, (const char *[3]){"B"}, NULL);
    expect_dimensions("k<<<(n, n + 1), (B, 2, 3), 4 * B>>>()", (const char *[3]){"n", "n + 1"},
                      (const char *[3]){"B", "2", "3"}, "4 * B");
    expect_dimensions("k<<<\n n,\n B\n>>>()", (const char *[3]){"n"}, (const char *[3]){"B"}, NULL);
}

static void test_arguments(void **state)
{
    (void)state;
    const struct statement *s;
    struct template *t =
        launch("k<<<1, 1>>>(x, x + 2 * n, n, n + 1, float(n), ulong(B), int(2.0), (float(n)), 0.5)", &s);
    static const struct {
        enum argument_kind kind;
        const char *value, *offset;
        bool typed;
        enum element element;
    } wanted[] = {
        {ARGUMENT_BUFFER, NULL, NULL, false, 0},
        {ARGUMENT_BUFFER, NULL, "2 * n", false, 0},
        {ARGUMENT_SCALAR, "n", NULL, false, 0},
        {ARGUMENT_SCALAR, "n + 1", NULL, false, 0},
        {ARGUMENT_SCALAR, "float(n)", NULL, true, ELEMENT_FLOAT}, /* a function and a type: both at once */
        {ARGUMENT_SCALAR, "B", NULL, true, ELEMENT_ULONG},        /* a type alone */
        {ARGUMENT_SCALAR, "int(2.0)", NULL, true, ELEMENT_INT},
        {ARGUMENT_SCALAR, "(float(n))", NULL, true, ELEMENT_FLOAT},
        {ARGUMENT_SCALAR, "0.5", NULL, false, 0},
    };
    assert_int_equal(s->argument_count, sizeof wanted / sizeof *wanted);
    for (size_t i = 0; i < s->argument_count; i++) {
        const struct argument *argument = &s->arguments[i];
        assert_int_equal(argument->kind, wanted[i].kind);
        assert_int_equal(argument->typed, wanted[i].typed);
        if (wanted[i].typed)
            assert_int_equal(argument->element, wanted[i].element);
        if (wanted[i].value)
            expect_expr(argument->value, wanted[i].value);
        if (wanted[i].offset)
            expect_expr(argument->offset, wanted[i].offset);
        else
            assert_null(argument->offset);
    }
    expect_span(s->arguments[1].place, "x + 2 * n");
    template_free(t);
    t = launch("k<<<1, 1>>>()", &s);
    assert_int_equal(s->argument_count, 0);
    template_free(t);
}

static void test_expectations(void **state)
{
    (void)state;
    struct template *t = parse_template_text(HEAD "launch { k<<<1, 1>>>() }\n");
    const struct statement *s = t->reference.body.statements;
    assert_int_equal(s->arguments[1].kind, ARGUMENT_REFERENCE);
    assert_int_equal(s->arguments[1].buffer, 1);
    expect_span(s->arguments[1].place, "ref(y)");
    template_free(t);
    expect_refused(HEAD "launch { k<<<1, 1>>>(mag(y)) }\n", "ref() and mag() may only be used in the reference");
    expect_refused("template t\nsize n = 1\nsource \"k.cu\"\nbuffer x : int[n] in index()\n"
                   "reference \"r.cu\" { r<<<1, 1>>>(mag(x)) }\nlaunch { k<<<1, 1>>>() }\n",
                   "x is not an output, so it has no expected values");
}

static void test_errors(void **state)
{
    (void)state;
    expect_refused(HEAD "launch { k<<<(1, 2, 3, 4), 1>>>() }\n",
                   "a grid, block or cluster must be x, (x, y) or (x, y, z)");
    expect_refused(HEAD "launch { k<<<range(3), 1>>>() }\n",
                   "a grid, block or cluster must be x, (x, y) or (x, y, z)");
    expect_refused(HEAD "launch { k<<<1, 1, 2, 3>>>() }\n", "expected an attribute, found '3'");
    expect_refused(HEAD "launch { k<<<1, 1>>> }\n", "expected '(', found '}'");
    expect_refused(HEAD "launch { k<<<1, 1>>>(x y) }\n", "expected ')', found 'y'");
    expect_refused(HEAD "launch { k<<<1, 1>>>(x + (n if B else 1 < 2), x + n < 2) }\n", "expected ')', found '<'");
    expect_refused(HEAD "launch { k<<<1, 1>>>(n + x) }\n", "x is a buffer, not a value");
    expect_refused(HEAD "launch { k<<<1, 1>>>([1]) }\n", "a list cannot be used as a value");
    expect_refused(HEAD "launch { k(x) }\n", "this launch has no grid and block");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_dimensions), cmocka_unit_test(test_arguments),
                                       cmocka_unit_test(test_expectations), cmocka_unit_test(test_errors)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

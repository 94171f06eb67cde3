/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/unit/lang/templates.h"

#define HEAD                                                                                                         \
    "template t\nsize n = 16\nsource \"k.cu\"\nbuffer a : float[n] temp\nbuffer b : float[n] temp\n"                 \
    "buffer c : int[n] temp\n"
#define CALL "k<<<1, 1>>>() "

static struct template *launch(const char *text)
{
    char whole[4096];
    snprintf(whole, sizeof whole, HEAD "launch { " CALL "\n %s }\n", text);
    return parse_template_text(whole);
}

/* The statement behind the launch. */
static const struct statement *second(const struct template *t)
{
    assert_int_equal(t->launch.body.count, 2);
    return &t->launch.body.statements[1];
}

static void expect_optional(const struct expr *expr, const char *wanted)
{
    if (wanted)
        expect_expr(expr, wanted);
    else
        assert_null(expr);
}

static void test_copies(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        enum statement_kind kind;
        const char *symbol, *at, *first, *last;
    } cases[] = {
        {"copy a <- b", STATEMENT_COPY, NULL, NULL, NULL, NULL},
        {"copy a[2] <- b[:]", STATEMENT_COPY, NULL, "2", NULL, NULL},
        {"copy a[n - 1] <- b[1 : n]", STATEMENT_COPY, NULL, "n - 1", "1", "n"},
        {"copy a <- b[: n // 2]", STATEMENT_COPY, NULL, NULL, NULL, "n // 2"},
        {"copy table <- b[3 :]", STATEMENT_COPY_SYMBOL, "table", NULL, "3", NULL},
        {"copy table <- b", STATEMENT_COPY_SYMBOL, "table", NULL, NULL, NULL},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct template *t = launch(cases[i].text);
        const struct statement *s = second(t);
        assert_int_equal(s->kind, cases[i].kind);
        assert_int_equal(s->buffer, 1);
        assert_int_equal(s->other, 0);
        if (cases[i].symbol)
            assert_string_equal(s->name, cases[i].symbol);
        expect_optional(s->at, cases[i].at);
        expect_optional(s->first, cases[i].first);
        expect_optional(s->last, cases[i].last);
        expect_span(s->place, cases[i].text);
        template_free(t);
    }
}

static void test_fill_and_swap(void **state)
{
    (void)state;
    struct template *t = launch("fill c = n + 1");
    assert_int_equal(second(t)->kind, STATEMENT_FILL);
    assert_int_equal(second(t)->buffer, 2);
    expect_expr(second(t)->value, "n + 1");
    template_free(t);
    t = launch("swap b, a");
    assert_int_equal(second(t)->kind, STATEMENT_SWAP);
    assert_true(second(t)->buffer == 1 && second(t)->other == 0);
    template_free(t);
}

/* if / elif / elif / else: each elif alone in the else block of the one before, wherever the line ends. */
static void test_if(void **state)
{
    (void)state;
    static const char *const layouts[] = {
        "if n == 1 { fill a = 1 } elif n == 2 { fill a = 2 } elif n == 3 { fill a = 3 } else { fill a = 4 }",
        "if n == 1 {\n fill a = 1\n}\nelif n == 2 { fill a = 2 }\n\n# comment\nelif n == 3 {\n\nfill a = 3 }\n"
        "else {\nfill a = 4\n}",
    };
    for (size_t i = 0; i < 2; i++) {
        struct template *t = launch(layouts[i]);
        const struct statement *s = second(t);
        for (int number = 1; number <= 3; number++) {
            char condition[16], value[16];
            snprintf(condition, sizeof condition, "n == %d", number);
            snprintf(value, sizeof value, "%d", number);
            assert_int_equal(s->kind, STATEMENT_IF);
            expect_expr(s->value, condition);
            assert_int_equal(s->body.count, 1);
            expect_expr(s->body.statements[0].value, value);
            assert_int_equal(s->otherwise.count, 1);
            s = s->otherwise.statements;
        }
        assert_int_equal(s->kind, STATEMENT_FILL);
        expect_expr(s->value, "4");
        template_free(t);
    }
    struct template *t = launch("if n { }\nfill a = 1"); /* without an else the next line is a statement of its own */
    assert_int_equal(t->launch.body.count, 3);
    assert_int_equal(t->launch.body.statements[1].otherwise.count, 0);
    template_free(t);
}

static void test_loops(void **state)
{
    (void)state;
    struct template *t = launch("for i in range(n) { let j = i * i\n for k in [j] { fill a = k } }");
    const struct statement *s = second(t), *inner = &s->body.statements[1];
    assert_int_equal(s->kind, STATEMENT_FOR);
    expect_expr(s->value, "range(n)");
    assert_string_equal(scope_name(t->scope, s->slot), "i");
    assert_int_equal(s->body.statements[0].kind, STATEMENT_LET);
    expect_expr(s->body.statements[0].value, "i * i");
    assert_true(expr_uses(s->body.statements[0].value, s->slot));
    assert_true(expr_uses(inner->value, s->body.statements[0].slot));
    assert_int_equal(scope_kind(t->scope, inner->slot), NAME_LOOP);
    template_free(t);

    t = launch("repeat n * n while c { fill c = 0 }");
    assert_int_equal(second(t)->kind, STATEMENT_REPEAT);
    assert_int_equal(second(t)->buffer, 2);
    expect_expr(second(t)->value, "n * n");
    template_free(t);
}

/* Names end with their block; brothers share a slot, an inner name cannot shadow an outer one. */
static void test_names(void **state)
{
    (void)state;
    struct template *t = launch("for i in [1] { let j = 1 }\n for i in [2] { let j = 2 }");
    const struct statement *s = t->launch.body.statements;
    assert_int_equal(s[1].slot, s[2].slot);
    assert_int_equal(s[1].body.statements[0].slot, s[2].body.statements[0].slot);
    template_free(t);
    expect_refused(HEAD "launch { " CALL "\nfor i in [1] { for i in [2] { } } }\n", "i is already a local name");
    expect_refused(HEAD "launch { " CALL "\nfor i in [1] { }\nfill a = i }\n", "unknown name i");
    expect_refused(HEAD "launch { " CALL "\nfor i in [i] { } }\n", "unknown name i");
    expect_refused(HEAD "launch { " CALL "\nif n { let j = 1 } else { fill a = j } }\n", "unknown name j");
    expect_refused(HEAD "launch { " CALL "\nfor n in [1] { } }\n", "n is already a size");
}

static void test_errors(void **state)
{
    (void)state;
    expect_refused(HEAD "launch { " CALL "fill a = 1 }\n", "expected the end of the line, found 'fill'");
    expect_refused(HEAD "launch { " CALL "\ncopy a < - b }\n", "expected '<-', found '-'");
    expect_refused(HEAD "launch { " CALL "\ncopy a[1 <- n }\n",
                   "expected ']', found '}'"); /* 1 < -b is a comparison */
    expect_refused(HEAD "launch { " CALL "\ncopy a <- b[1] }\n", "expected ':', found ']'");
    expect_refused(HEAD "launch { " CALL "\ncopy n <- b }\n",
                   "n is a size; copy writes to a buffer or to a variable of the source");
    expect_refused(HEAD "launch { " CALL "\ncopy a <- c }\n", "copy does not convert types: a is float, c is int");
    expect_refused(HEAD "launch { " CALL "\nswap a, c }\n",
                   "swapped buffers must have the same type: a is float, c is int");
    expect_refused(HEAD "launch { " CALL "\nswap a, a }\n", "a buffer cannot be swapped with itself");
    expect_refused(HEAD "launch { " CALL "\nfill d = 1 }\n", "unknown buffer d");
    expect_refused(HEAD "launch { " CALL "\nfill n = 1 }\n", "n is a size, not a buffer");
    expect_refused(HEAD "launch { " CALL "\nrepeat 3 while n { } }\n", "n is a size, not a buffer");
    expect_refused(HEAD "launch { " CALL "\nelse { } }\n", "unknown statement else");
    expect_refused(HEAD "launch { " CALL "\n3 }\n", "expected a statement, found '3'");
    expect_refused(HEAD "launch { " CALL "\nif n { fill a = 1\n", "this '{' is never closed");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_copies), cmocka_unit_test(test_fill_and_swap), cmocka_unit_test(test_if),
        cmocka_unit_test(test_loops),  cmocka_unit_test(test_names),         cmocka_unit_test(test_errors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tuner/lang/parser.h"

#include <string.h>

struct parsing {
    struct arena arena;
    struct text text;
    struct error error;
    struct parser parser;
};

static struct parser *start(struct parsing *p, const char *data)
{
    memset(p, 0, sizeof *p);
    assert_true(text_copy(&p->text, &p->arena, "test", data, strlen(data), &p->error));
    assert_true(parser_start(&p->parser, &p->text, &p->arena, scope_create(&p->arena), &p->error));
    return &p->parser;
}

static void test_tokens(void **state)
{
    (void)state;
    struct parsing p;
    struct parser *parser = start(&p, "\n# head\nlet a (\n1) if");
    bool taken;
    assert_true(parser_at_word(parser, "let") && !parser_at_word(parser, "le") && !parser_at_word(parser, "lets"));
    assert_int_equal(parser_place(parser).offset, 8);
    assert_true(parser_accept_word(parser, "size", &taken) && !taken);
    assert_true(parser_accept_word(parser, "let", &taken) && taken);
    assert_int_equal(parser->end, 11);
    assert_int_equal(parser_peek(parser), TOKEN_PAREN_OPEN);
    assert_true(parser_at(parser, TOKEN_NAME));
    assert_true(parser_expect(parser, TOKEN_NAME));
    assert_true(parser_accept(parser, TOKEN_BRACKET_OPEN, &taken) && !taken);
    assert_true(parser_accept(parser, TOKEN_PAREN_OPEN, &taken) && taken);
    assert_true(parser_expect(parser, TOKEN_INTEGER));
    assert_false(parser_expect(parser, TOKEN_COMMA));
    assert_string_equal(p.error.text, "expected ',', found ')'");
    assert_true(parser_advance(parser));
    assert_false(parser_expect_word(parser, "else"));
    assert_string_equal(p.error.text, "expected 'else', found 'if'");
    assert_true(parser_expect_word(parser, "if"));
    assert_false(parser_expect(parser, TOKEN_NAME));
    assert_string_equal(p.error.text, "expected a name, found the end of the text");
    arena_free(&p.arena);
}

/* A token of more than 40 bytes is named by its kind. */
static void test_expected(void **state)
{
    (void)state;
    struct parsing p;
    struct parser *parser = start(&p, "'a string that is much too long to be shown in a message' 'short'\n");
    assert_false(parser_expected(parser, "a value"));
    assert_string_equal(p.error.text, "expected a value, found a string");
    assert_true(parser_advance(parser));
    assert_false(parser_expected(parser, "a value"));
    assert_string_equal(p.error.text, "expected a value, found ''short''");
    assert_true(parser_advance(parser));
    assert_false(parser_expected(parser, "a value"));
    assert_string_equal(p.error.text, "expected a value, found the end of the line");
    arena_free(&p.arena);
}

static void test_close(void **state)
{
    (void)state;
    struct parsing p;
    struct parser *parser = start(&p, "[ ] [\n) (");
    struct token open = parser->token;
    assert_true(parser_advance(parser) && parser_close(parser, TOKEN_BRACKET_CLOSE, &open));
    open = parser->token;
    assert_true(parser_advance(parser));
    assert_false(parser_close(parser, TOKEN_BRACKET_CLOSE, &open));
    assert_string_equal(p.error.text, "expected ']', found ')'");
    assert_string_equal(p.error.hint, "to close the '[' opened on line 1");
    assert_true(parser_advance(parser));
    open = parser->token;
    assert_true(parser_advance(parser));
    assert_false(parser_close(parser, TOKEN_PAREN_CLOSE, &open));
    assert_string_equal(p.error.text, "this '(' is never closed");
    assert_int_equal(p.error.column, 3);
    arena_free(&p.arena);
}

static void test_end_of_statement(void **state)
{
    (void)state;
    struct parsing p;
    struct parser *parser = start(&p, "a\n\n\nb } =");
    assert_true(parser_advance(parser) && parser_end_statement(parser));
    assert_true(parser_at_word(parser, "b"));
    assert_false(parser_end_statement(parser));
    assert_string_equal(p.error.text, "expected the end of the line, found 'b'");
    assert_string_equal(p.error.hint, "");
    assert_true(parser_advance(parser) && parser_end_statement(parser));
    assert_true(parser_at(parser, TOKEN_BRACE_CLOSE)); /* it is the caller's */
    assert_true(parser_advance(parser));
    assert_false(parser_end_statement(parser));
    assert_string_equal(p.error.hint, "use == to compare");
    assert_true(parser_advance(parser) && parser_end_statement(parser)); /* the end of the text */
    arena_free(&p.arena);
}

static void test_names(void **state)
{
    (void)state;
    static const struct {
        const char *text, *message;
    } cases[] = {
        {"free", NULL},
        {"range", "range is a function and cannot be a thing"},
        {"ulong", "ulong is a type and cannot be a thing"},
        {"float", "float is a function and cannot be a thing"}, /* and a type */
        {"None", "None is a reserved word and cannot be a thing"},
        {"device", "device is a reserved word and cannot be a thing"},
        {"n", "n is already a size"},
        {"x", "x is already a buffer"},
        {"3", "expected a thing, found '3'"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct parsing p;
        struct parser *parser = start(&p, cases[i].text);
        struct token token;
        size_t slot;
        assert_true(scope_add_value(parser->scope, "n", 1, NAME_SIZE, &p.text, 0, &slot));
        assert_true(scope_add_buffer(parser->scope, "x", 1, 0, NULL, 0));
        if (cases[i].message) {
            assert_false(parser_new_name(parser, "a thing", &token));
            assert_string_equal(p.error.text, cases[i].message);
        } else {
            assert_true(parser_new_name(parser, "a thing", &token));
            assert_true(parser_token_is(parser, &token, "free"));
            assert_true(parser_declare(parser, &token, NAME_LET, &slot));
            assert_string_equal(scope_name(parser->scope, slot), "free");
        }
        arena_free(&p.arena);
    }
    struct parsing p;
    const char *name = NULL;
    assert_true(parser_name(start(&p, "range"), "a thing", &name, NULL)); /* any name where none is declared */
    assert_string_equal(name, "range");
    arena_free(&p.arena);
}

static void test_strings(void **state)
{
    (void)state;
    struct parsing p;
    struct parser *parser = start(&p, "'a\\n' b");
    const char *string = NULL;
    assert_true(parser_string(parser, "a title", &string));
    assert_string_equal(string, "a\n");
    assert_false(parser_string(parser, "a title", &string));
    assert_string_equal(p.error.text, "expected a title, found 'b'");
    arena_free(&p.arena);
}

static void test_nesting(void **state)
{
    (void)state;
    struct parsing p;
    struct parser *parser = start(&p, "a");
    for (int i = 0; i < NESTING_LIMIT; i++)
        assert_true(parser_enter(parser));
    assert_false(parser_enter(parser));
    assert_string_equal(p.error.text, "nested more than 200 levels deep");
    parser_leave(parser);
    assert_true(parser_enter(parser));
    arena_free(&p.arena);
}

static void test_unknown_statement(void **state)
{
    (void)state;
    static const char *const words[] = {"size", "buffer", "launch"};
    struct parsing p;
    struct parser *parser = start(&p, "bufer hello 3");
    assert_false(parser_unknown_statement(parser, words, 3));
    assert_string_equal(p.error.text, "unknown statement bufer");
    assert_string_equal(p.error.hint, "did you mean buffer?");
    assert_true(parser_advance(parser));
    assert_false(parser_unknown_statement(parser, words, 3));
    assert_string_equal(p.error.hint, "allowed here: size, buffer, launch");
    assert_true(parser_advance(parser));
    assert_false(parser_unknown_statement(parser, words, 3));
    assert_string_equal(p.error.text, "expected a statement, found '3'");
    arena_free(&p.arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_tokens),  cmocka_unit_test(test_expected),          cmocka_unit_test(test_close),
        cmocka_unit_test(test_names),   cmocka_unit_test(test_end_of_statement),  cmocka_unit_test(test_strings),
        cmocka_unit_test(test_nesting), cmocka_unit_test(test_unknown_statement),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tuner/lang/lexer.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct lexing {
    struct arena arena;
    struct text text;
    struct lexer lexer;
    struct token token;
    struct error error;
};

static void start(struct lexing *l, const char *data)
{
    memset(l, 0, sizeof *l);
    assert_true(text_copy(&l->text, &l->arena, "test", data, strlen(data), &l->error));
    l->lexer = lexer_start(&l->text);
}

/* All tokens as written, with blanks between them; $ is a newline. "error: ..." where they end in one. */
static void expect_tokens(const char *data, const char *wanted)
{
    struct lexing l;
    char got[512] = "";
    start(&l, data);
    for (;;) {
        size_t used = strlen(got);
        bool good = lexer_next(&l.lexer, &l.token, &l.error);
        if (!good)
            snprintf(got + used, sizeof got - used, "%serror: %.300s", used ? " " : "", l.error.text);
        else if (l.token.kind != TOKEN_END)
            snprintf(got + used, sizeof got - used, "%s%.*s", used ? " " : "",
                     l.token.kind == TOKEN_NEWLINE ? 1 : (int)l.token.length,
                     l.token.kind == TOKEN_NEWLINE ? "$" : l.text.data + l.token.offset);
        if (!good || l.token.kind == TOKEN_END)
            break;
    }
    arena_free(&l.arena);
    if (strcmp(got, wanted) != 0)
        fail_msg("%s: %s and not %s", data, got, wanted);
}

static void test_tokens(void **state)
{
    (void)state;
    expect_tokens("", "");
    expect_tokens("  \t# nothing", "");
    expect_tokens("let a=2**n//3", "let a = 2 ** n // 3");
    expect_tokens("a<<<b>>>c", "a <<< b >>> c");
    expect_tokens("a<<b>>c<=d>=e", "a << b >> c <= d >= e");
    expect_tokens("a<-1", "a < - 1");
    expect_tokens("a==b!=c=d", "a == b != c = d");
    expect_tokens("x.y:z,{}~^|&%", "x . y : z , { } ~ ^ | & %");
    expect_tokens("_a1 'it''s' \"#\"", "_a1 'it' 's' \"#\"");
    expect_tokens("1.5 .5 5. 1e5 1_000", "1.5 .5 5. 1e5 1_000");
    expect_tokens("1-2e-3+4", "1 - 2e-3 + 4");
    expect_tokens("0xe-1", "0xe - 1"); /* no exponent */
    expect_tokens("a..5", "a . .5");
    expect_tokens("\xef\xbb\xbfname", "name"); /* a byte order mark */
}

/* Newlines count outside of brackets alone; several in a row, with comments between them, are one. */
static void test_newlines(void **state)
{
    (void)state;
    expect_tokens("a\n\n  # comment\n\nb\n", "a $ b $");
    expect_tokens("\r\na\r\nb", "$ a $ b");
    expect_tokens("(a\nb)\nc", "( a b ) $ c");
    expect_tokens("[a\n(b\n)\nc]\nd", "[ a ( b ) c ] $ d");
    expect_tokens("a<<<b\n,c>>>\nd", "a <<< b , c >>> $ d");
    expect_tokens("{a\nb}", "{ a $ b }");
    expect_tokens(")a\nb", ") a $ b"); /* closing what is not open */
}

static void test_numbers(void **state)
{
    (void)state;
    static const char *const integers[] = {
        "0",    "00",   "7",      "4096",        "1_000_000",           "0xff",
        "0XfF", "0o17", "0b1011", "0xffff_ffff", "9223372036854775807", "9223372036854775808"};
    for (size_t i = 0; i < sizeof integers / sizeof *integers; i++) {
        struct lexing l;
        char digits[32];
        size_t n = 0;
        for (const char *c = integers[i]; *c; c++) {
            if (*c != '_')
                digits[n++] = *c;
        }
        digits[n] = '\0';
        int base = (digits[1] | 0x20) == 'x' ? 16 : digits[1] == 'o' ? 8 : digits[1] == 'b' ? 2 : 10;
        start(&l, integers[i]);
        assert_true(lexer_next(&l.lexer, &l.token, &l.error));
        assert_int_equal(l.token.kind, TOKEN_INTEGER);
        assert_true(l.token.integer == strtoull(base == 16 || base == 10 ? digits : digits + 2, NULL, base));
        arena_free(&l.arena);
    }
    static const char *const floats[] = {"0.5", ".5", "5.", "1e3", "1E+3", "2.5e-3", "0e0", "1.7976931348623157e308"};
    for (size_t i = 0; i < sizeof floats / sizeof *floats; i++) {
        struct lexing l;
        start(&l, floats[i]);
        assert_true(lexer_next(&l.lexer, &l.token, &l.error));
        assert_int_equal(l.token.kind, TOKEN_FLOAT);
        assert_true(l.token.real == strtod(floats[i], NULL));
        arena_free(&l.arena);
    }
}

static void test_bad_numbers(void **state)
{
    (void)state;
    expect_tokens("12ab", "error: 12ab is not a number");
    expect_tokens("0x", "error: 0x is not a number");
    expect_tokens("0b12", "error: 0b12 is not a number");
    expect_tokens("0o8", "error: 0o8 is not a number");
    expect_tokens("012", "error: 012 is not a number");
    expect_tokens("1__0", "error: 1__0 is not a number");
    expect_tokens("1_", "error: 1_ is not a number");
    expect_tokens("1_.5", "error: 1_.5 is not a number");
    expect_tokens("1.2.3", "error: 1.2.3 is not a number");
    expect_tokens("1e", "error: 1e is not a number");
    expect_tokens("9223372036854775809", "error: this integer does not fit in 64 bits");
    expect_tokens("99999999999999999999999999", "error: this integer does not fit in 64 bits");
    expect_tokens("0x1_0000_0000_0000_0000", "error: this integer does not fit in 64 bits");
    expect_tokens("1e309", "error: this float is too large; the largest is 1.8e308");
    char digits[403];
    memset(digits, '0', sizeof digits);
    memcpy(digits, "0.", 2);
    digits[400] = '\0'; /* a 0 and 398 others: as long as a number may be */
    expect_tokens(digits, digits);
    digits[400] = '1';
    digits[401] = '\0';
    expect_tokens(digits, "error: this number is longer than 400 characters");
}

static void test_names_and_characters(void **state)
{
    (void)state;
    char name[200];
    memset(name, 'n', sizeof name);
    name[128] = '\0';
    expect_tokens(name, name);
    name[128] = 'n';
    name[129] = '\0';
    expect_tokens(name, "error: this name has 129 characters; the limit is 128");
    expect_tokens("a @", "a error: unexpected character @");
    expect_tokens("a \xe2\x82\xac b", "a error: unexpected character \xe2\x82\xac");
    expect_tokens("!x", "error: unexpected character !");
    expect_tokens("'text\n'", "error: unterminated string");
    expect_tokens("\"text", "error: unterminated string");
    expect_tokens("'\\", "error: unterminated string");
    expect_tokens("'\\\n'", "error: unterminated string");
}

static void expect_literal(const char *data, const char *wanted)
{
    struct lexing l;
    start(&l, data);
    assert_true(lexer_next(&l.lexer, &l.token, &l.error));
    assert_int_equal(l.token.kind, TOKEN_STRING);
    const char *got = token_string(&l.text, &l.token, &l.arena, &l.error);
    if (got)
        assert_string_equal(got, wanted);
    else
        assert_string_equal(l.error.text, wanted);
    arena_free(&l.arena);
}

static void test_strings(void **state)
{
    (void)state;
    expect_literal("\"\"", "");
    expect_literal("'a\"b'", "a\"b");
    expect_literal("'\\\\ \\' \\\" \\n \\r \\t'", "\\ ' \" \n \r \t");
    expect_literal("'\xc3\xa9'", "\xc3\xa9");
    expect_literal("'a\\qb'", "unknown escape \\q");
    expect_literal("'a\\\xc3\xa9'", "unknown escape \\\xc3\xa9"); /* the whole character */
    expect_literal("'\\0'", "unknown escape \\0");
}

/* Whatever the text, tokens lie in it in order, and the end comes again and again. */
static void test_any_text(void **state)
{
    (void)state;
    static const char alphabet[] = "a1.e_x '\"\\#\n\r\t()[]{}<>=!*/+-,:%&|^~\xc3\xa9";
    uint64_t seed = 1;
    for (int round = 0; round < 20000; round++) {
        char data[24];
        size_t length = 0;
        for (int i = 0; i < 20; i++) {
            seed = seed * UINT64_C(6364136223846793005) + 1442695040888963407u;
            char c = alphabet[(seed >> 33) % (sizeof alphabet - 2)];
            data[length++] = c;
            if (c == '\xc3')
                data[length++] = '\xa9';
            if (length > 20)
                break;
        }
        data[length] = '\0';
        struct lexing l;
        start(&l, data);
        size_t end = 0;
        bool good;
        while ((good = lexer_next(&l.lexer, &l.token, &l.error)) && l.token.kind != TOKEN_END) {
            assert_true(l.token.offset >= end && l.token.offset + l.token.length <= length);
            end = l.token.offset + l.token.length;
        }
        if (good)
            assert_true(lexer_next(&l.lexer, &l.token, &l.error) && l.token.kind == TOKEN_END);
        else
            assert_int_equal(l.error.code, ERROR_INPUT);
        arena_free(&l.arena);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_tokens),
        cmocka_unit_test(test_newlines),
        cmocka_unit_test(test_numbers),
        cmocka_unit_test(test_bad_numbers),
        cmocka_unit_test(test_names_and_characters),
        cmocka_unit_test(test_strings),
        cmocka_unit_test(test_any_text),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

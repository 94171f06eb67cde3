/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tuner/source/cuda_token.h"

#include <stdlib.h>
#include <string.h>

static void test_tokens(void **state)
{
    (void)state;
    static const char text[] = "a::b/* \" */ \"x \\\" // y\" 'c' // z \\\n still\n"
                               "  # define M 1 \\\n  2 // c\n1'000.5e-3f R\"q(\")\")q\" u8\"s\" .5 x";
    static const struct {
        enum cuda_token_kind kind;
        const char *text;
        unsigned line;
    } wanted[] = {
        {CUDA_WORD, "a", 1},
        {CUDA_MARK, "::", 1},
        {CUDA_WORD, "b", 1},
        {CUDA_TEXT, "\"x \\\" // y\"", 1},
        {CUDA_TEXT, "'c'", 1},
        {CUDA_DIRECTIVE, "# define M 1 \\\n  2 // c", 3},
        {CUDA_NUMBER, "1'000.5e-3f", 5},
        {CUDA_TEXT, "R\"q(\")\")q\"", 5},
        {CUDA_TEXT, "u8\"s\"", 5},
        {CUDA_NUMBER, ".5", 5},
        {CUDA_WORD, "x", 5},
    };
    struct cuda_tokens tokens;
    assert_true(cuda_tokens_scan(text, strlen(text), &tokens));
    assert_int_equal(tokens.count, sizeof wanted / sizeof *wanted);
    for (size_t i = 0; i < tokens.count; i++) {
        assert_true(cuda_token_is(&tokens.items[i], wanted[i].text));
        assert_int_equal(tokens.items[i].kind, wanted[i].kind);
        assert_int_equal(tokens.items[i].line, wanted[i].line);
    }
    free(tokens.items);
}

static void test_brackets(void **state)
{
    (void)state;
    static const char text[] = "(a[1] < b) {";
    struct cuda_tokens tokens;
    assert_true(cuda_tokens_scan(text, strlen(text), &tokens));
    assert_int_equal(cuda_tokens_close(&tokens, 0, false), 7);
    assert_int_equal(cuda_tokens_close(&tokens, 2, false), 4);
    assert_int_equal(cuda_tokens_close(&tokens, 0, true), tokens.count); /* the angle stays open */
    assert_int_equal(cuda_tokens_close(&tokens, 8, false), tokens.count);
    free(tokens.items);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_tokens), cmocka_unit_test(test_brackets)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

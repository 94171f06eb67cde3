/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tuner/source/word.h"

#include <string.h>

static void test_words(void **state)
{
    (void)state;
    static const char text[] = "a+=_b$2 (0x1fU)*\xc3\xa9t\xc3\xa9; ";
    static const char *const words[] = {"a", "_b$2", "0x1fU", "\xc3\xa9t\xc3\xa9"};
    const char *at = text, *end = text + strlen(text);
    size_t length;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        const char *word = word_next(&at, end, &length);
        assert_non_null(word);
        assert_int_equal(length, strlen(words[i]));
        assert_memory_equal(word, words[i], length);
        assert_ptr_equal(at, word + length);
    }
    assert_null(word_next(&at, end, &length));
    assert_ptr_equal(at, end);
}

/* The end is a bound, not a zero byte. */
static void test_end(void **state)
{
    (void)state;
    const char text[] = "word";
    const char *at = text;
    size_t length;
    assert_ptr_equal(word_next(&at, text + 2, &length), text);
    assert_int_equal(length, 2);
    assert_null(word_next(&at, text + 2, &length));
}

static void test_identifiers(void **state)
{
    (void)state;
    assert_true(word_is_identifier("_a9"));
    assert_true(word_is_identifier("TILE"));
    static const char *const others[] = {"", "9a", "a b", "a$", "\xc3\xa9", "a-b"};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        assert_false(word_is_identifier(others[i]));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_words), cmocka_unit_test(test_end),
                                       cmocka_unit_test(test_identifiers)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

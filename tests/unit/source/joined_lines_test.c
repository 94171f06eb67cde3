/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tuner/source/joined_lines.h"

#include <stdlib.h>
#include <string.h>

static void test_lines(void **state)
{
    (void)state;
    static const struct {
        const char *text, *joined;
        bool uncertain;
    } cases[] = {
        {"", "", false},
        {"a\nb\n", "a\nb\n", false},
        {"a\\b \\\\ c\n", "a\\b \\\\ c\n", false},
        {"one\\\ntwo\nthree\n", "onetwo\n\nthree\n", false},
        {"\\\n\\\nx\\\ny\n z", "xy\n\n\n\n z", false}, /* z stays on its line, the fifth */
        {"a\\\r\nb\r\nc\n", "ab\r\n\nc\n", false},
        {"a\\ \nb\nc", "ab\n\nc", true},
        {"a\\\t\r\nb\n", "ab\n\n", true},
        {"a\\ b\\", "a\\ b\\", false},
        {"a\\\nb", "ab", false}, /* no line follows */
        {"a\\\n", "a", false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        size_t length, own = strlen(cases[i].text);
        bool uncertain = false;
        char *bytes = malloc(own ? own : 1); /* nothing behind them may be read */
        assert_non_null(bytes);
        memcpy(bytes, cases[i].text, own);
        char *joined = joined_lines(bytes, own, &length, &uncertain);
        assert_string_equal(joined, cases[i].joined);
        assert_int_equal(length, strlen(cases[i].joined));
        assert_int_equal(uncertain, cases[i].uncertain);
        free(joined);
        free(bytes);
    }
}

/* What is uncertain already stays so. */
static void test_uncertain(void **state)
{
    (void)state;
    size_t length;
    bool uncertain = true;
    char *joined = joined_lines("a\n", 2, &length, &uncertain);
    assert_true(uncertain);
    free(joined);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_lines), cmocka_unit_test(test_uncertain)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: Apache-2.0 */
/* What C++ takes as the name of a function, and what could end an expression instead. */
#include "tuner/source/kernel_name.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static void test_names(void **state)
{
    (void)state;
    static const char *const good[] = {
        "k",       "_k2",    "k$",           "ns::k",        "::k",
        "a::b::c", "k<>",    "k<64>",        "k<64, float>", "ns::k<a::b<1, 2>, const float *, (3 + 4)>",
        "k<-1>",   "k<'a'>", "k<A<B<int>>>", "k<int[4]>",    "k<void (float)>",
    };
    static const char *const bad[] = {
        "",      "2k",    "k k",    "k::",      "k:",     "::",     "k<",       "k<64",  "k<64>>",
        "k<,>",  "k<1,>", "k<64>x", "k<\"a\">", "k<a;b>", "k<a{}>", "k<(a>",    "k<a)>", "k(1)",
        "k/**/", "k\n",   "k<a\n>", "k<#>",     "k<a/b>", "k<[>]>", "k<64>::v", "k<\\>", "k< >",
    };
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        if (!kernel_name_is_valid(good[i]))
            fail_msg("refused: %s", good[i]);
    }
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        if (kernel_name_is_valid(bad[i]))
            fail_msg("taken: %s", bad[i]);
    }
}

static void test_arguments(void **state)
{
    (void)state;
    char deep[200] = "";
    assert_true(kernel_name_is_argument("float"));
    assert_true(kernel_name_is_argument("pair<float, int>"));
    assert_false(kernel_name_is_argument("float, int"));
    assert_false(kernel_name_is_argument("float>"));
    assert_false(kernel_name_is_argument(""));
    assert_false(kernel_name_is_argument("  "));
    memset(deep, '<', 100);
    assert_false(kernel_name_is_argument(deep));
    memset(deep, '(', 64);
    memset(deep + 64, ')', 64);
    deep[128] = '\0';
    assert_true(kernel_name_is_argument(deep));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_names), cmocka_unit_test(test_arguments)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

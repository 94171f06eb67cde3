/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tuner/source/kernel_macros.h"

#include <stdlib.h>
#include <string.h>

static void test_kinds(void **state)
{
    (void)state;
    static const char text[] =
        "#ifndef BLOCK\n  #define BLOCK (256) // threads\n#endif\n"
        "#define FIXED 16\n#define F(x) 3\n#define TEXT abc\n#ifndef GUARD_H\n#define GUARD_H\n#endif\n"
        "#define SUM (FIXED + TERMS)\n#define BIG 99999999999999999999\n"
        "template <int DEPTH> void f() { enum { A = 1, COUNT = 2 }; x = COUNT + DEPTH + INFINITY + M_PI; }\n"
        "#pragma unroll UNROLL\n#if VARIANT == 2\nCHECK(a); int LENGTH = 3; y = LENGTH * ITEMS * ITEMS;\n#endif";
    static const struct kernel_macro wanted[] = {
        {KERNEL_MACRO_DEFAULT, "BLOCK", 256, 2},    {KERNEL_MACRO_FIXED, "FIXED", 16, 4},
        {KERNEL_MACRO_UNDEFINED, "TERMS", 0, 10},   {KERNEL_MACRO_UNDEFINED, "UNROLL", 0, 13},
        {KERNEL_MACRO_UNDEFINED, "VARIANT", 0, 14}, {KERNEL_MACRO_UNDEFINED, "ITEMS", 0, 15},
    };
    struct kernel_macros macros;
    assert_true(kernel_macros_scan(text, strlen(text), true, &macros));
    assert_int_equal(macros.count, sizeof wanted / sizeof *wanted);
    for (size_t i = 0; i < macros.count; i++) {
        assert_string_equal(macros.items[i].name, wanted[i].name);
        assert_int_equal(macros.items[i].kind, wanted[i].kind);
        assert_int_equal(macros.items[i].value, wanted[i].value);
        assert_int_equal(macros.items[i].line, wanted[i].line);
    }
    free(macros.items);
    assert_true(kernel_macros_scan(text, strlen(text), false, &macros));
    assert_int_equal(macros.count, 2);
    free(macros.items);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_kinds)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

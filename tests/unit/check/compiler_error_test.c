/* SPDX-License-Identifier: Apache-2.0 */
/* The first error in messages of GCC and NVRTC. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tuner/check/compiler_error.h"

#include <string.h>

static void expect(const char *log, const char *file, unsigned line, const char *text)
{
    struct diagnostic diagnostic = {.line = 7};
    strcpy(diagnostic.file, "source.cu");
    compiler_error_first(log, &diagnostic);
    assert_string_equal(diagnostic.file, file);
    assert_int_equal(diagnostic.line, line);
    assert_string_equal(diagnostic.text, text);
}

static void the_first_error_is_read(void **state)
{
    (void)state;
    expect("a.cu:12:3: error: 'x' was not declared\na.cu:13:1: error: y\n", "a.cu", 12, "'x' was not declared");
    expect("a.cu(3): warning #1-D: no\n./b/a b.cuh(42): error: identifier \"x\" is undefined\n", "./b/a b.cuh", 42,
           "identifier \"x\" is undefined");
    expect("a.cu:1:10: fatal error: vector: No such file", "a.cu", 1, "vector: No such file");
    expect("a.cu:5: catastrophic error: cannot open source file \"x\"", "a.cu", 5, "cannot open source file \"x\"");
    expect("a.cu:12:3: error: x\n    y = x;\nnote: z\nnote: more\n", "a.cu", 12, "x (z)");
    expect("a.cu:12:3: error: x\na.cu:12:4: note: the compiler's\n", "a.cu", 12, "x");
    expect("C:1:2:3: error: two numbers at most", "C:1", 2, "two numbers at most");
}

static void other_texts_are_kept(void **state)
{
    (void)state;
    static const char *const texts[] = {"",
                                        "ptxas fatal   : out of memory",
                                        ": error: x",
                                        "(3): error: y",
                                        "12: error: z",
                                        "a.cu: error: no line",
                                        "a.cu:x: error: none\n"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        expect(texts[i], "source.cu", 7, texts[i]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_first_error_is_read),
        cmocka_unit_test(other_texts_are_kept),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

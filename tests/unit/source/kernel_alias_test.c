/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tuner/source/kernel_alias.h"

static void require(const char *text, const char *name, const char *expected)
{
    struct cuda_tokens tokens;
    char type[KERNEL_TYPE_MOST + 1];
    assert_true(cuda_tokens_scan(text, strlen(text), &tokens));
    bool found = kernel_alias_find(&tokens, name, type);
    assert_int_equal(found, expected != NULL);
    if (expected)
        assert_string_equal(type, expected);
    free(tokens.items);
}

static void test_names(void **state)
{
    (void)state;
    require("typedef float4 vector;", "vector", "float4");
    require("#if W == 1\ntypedef float vector;\n#else\ntypedef float4 vector;\n#endif\n", "vector", "float");
    require("typedef const unsigned  int word; int x;", "word", "unsigned int");
    require("using real = std::int32_t; int x;", "real", "std::int32_t");
    require("#define FPTYPE uint\nint x;", "FPTYPE", "uint");
    require("#  define DATA unsigned long // 64 bits\nint x;", "DATA", "unsigned long");
}

static void test_others(void **state)
{
    (void)state;
    require("", "x", NULL);
    require("typedef", "x", NULL);
    require("typedef float x", "x", NULL);
    require("using x =;", "x", NULL);
    require("typedef float *pointer; int y;", "pointer", NULL);
    require("typedef struct { int a; } body; int y;", "body", NULL);
    require("typedef struct body body; int y;", "body", NULL);
    require("using namespace x; int y;", "x", NULL);
    require("#define F(x) float\nint y;", "F", NULL);
    require("#define N 16\nint y;", "N", NULL);
    require("#define N\nint y;", "N", NULL);
    require("#define N -float\nint y;", "N", NULL);
    require("#define M float\nint y;", "N", NULL);
}

static void test_length(void **state)
{
    (void)state;
    char text[1024] = "typedef ";
    memset(text + strlen(text), 'a', 200);
    strcat(text, " x; int y;");
    require(text, "x", NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_names), cmocka_unit_test(test_others),
                                       cmocka_unit_test(test_length)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tuner/source/host_code.h"

/* The line of what is found; 0: nothing. */
static unsigned line_in(const char *text)
{
    struct cuda_tokens tokens;
    assert_true(cuda_tokens_scan(text, strlen(text), &tokens));
    const struct cuda_token *found = host_code_find(&tokens);
    unsigned line = found ? found->line : 0;
    free(tokens.items);
    return line;
}

static void test_found(void **state)
{
    (void)state;
    assert_int_equal(line_in("__global__ void k() {}\nvoid f() {\n  k<<<1, 1>>>();\n}\n"), 3);
    assert_int_equal(line_in("\nvoid f(float *h) { cudaMemcpyToSymbol(c, h, 4); }\n"), 2);
    assert_int_equal(line_in("int main(int argc, char **argv) { return 0; }\n"), 1);
    assert_int_equal(
        line_in("#ifndef __CUDACC_RTC__\n#if A\n#endif\nint main() {}\n#endif\nvoid f() { cudaFree(0); }\n"), 6);
    assert_int_equal(line_in("__device__ int n;\nvoid f() {\n  k<<<1, 1>>>();\n}\n"), 3);
    assert_int_equal(line_in("__global__ void k() { if (1) { l<<<1, 1>>>(); } }\nvoid f() { k<<<1, 1>>>(); }\n"), 2);
}

static void test_none(void **state)
{
    (void)state;
    assert_int_equal(line_in(""), 0);
    assert_int_equal(line_in("__global__ void k(cudaTextureObject_t t, int n) { int a = 1 << 2; cuda_index(a); }\n"),
                     0);
    assert_int_equal(
        line_in("#ifndef __CUDACC_RTC__\n#ifdef X\nint main() {}\n#endif\nvoid f() { cudaFree(0); }\n#endif\n"), 0);
    assert_int_equal(line_in("// cudaFree(0)\nconst char *s = \"cudaFree(0)\";\n"), 0);
    assert_int_equal(line_in("#endif\n#endif\n#if defined(__CUDACC_RTC__)\n"), 0);
    assert_int_equal(line_in("main("), 0);
    assert_int_equal(line_in("template <class T> __global__ void k(T *x) {\n if (x) { l<T><<<1, 1>>>(x); }\n"
                             " cudaGetLastError();\n}\n__device__ int t[] = {1};\n"),
                     0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_found), cmocka_unit_test(test_none)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

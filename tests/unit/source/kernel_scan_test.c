/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tuner/source/kernel_scan.h"

#include <string.h>

static struct kernel_scan scan_text(const char *text)
{
    struct kernel_scan scan;
    assert_true(kernel_scan(text, strlen(text), &scan));
    return scan;
}

static void require(const struct kernel_parameter *parameter, const char *type, const char *name, unsigned pointers,
                    bool constant)
{
    assert_string_equal(parameter->type, type);
    assert_string_equal(parameter->name, name);
    assert_int_equal(parameter->pointers, pointers);
    assert_int_equal(parameter->constant, constant);
}

static void test_parameters(void **state)
{
    (void)state;
    struct kernel_scan scan =
        scan_text("// __global__ void no(int a);\n"
                  "__global__ void k(const float *__restrict__ x, float const * y, unsigned  long long n,\n"
                  "  float z[], int (&r)[2], std::vector<int, A<B>> *v, float4, double a = f(1, 2), const int c) {}");
    assert_int_equal(scan.count, 1);
    const struct kernel_signature *k = &scan.kernels[0];
    assert_string_equal(k->name, "k");
    assert_int_equal(k->line, 2);
    assert_true(k->defined);
    assert_int_equal(k->parameter_count, 9);
    require(&k->parameters[0], "float", "x", 1, true);
    require(&k->parameters[1], "float", "y", 1, true);
    require(&k->parameters[2], "unsigned long long", "n", 0, false);
    require(&k->parameters[3], "float", "z", 1, false);
    require(&k->parameters[5], "std::vector<int,A<B>>", "v", 1, false);
    require(&k->parameters[6], "float4", "", 0, false);
    require(&k->parameters[7], "double", "a", 0, false);
    require(&k->parameters[8], "int", "c", 0, true);
    kernel_scan_clear(&scan);
}

static void test_what_surrounds_a_name(void **state)
{
    (void)state;
    struct kernel_scan scan =
        scan_text("template <typename T, int N = 4, bool F = true>\n"
                  "static __global__ void __launch_bounds__(N * (2), 2) __attribute__((used)) one(T *x);\n"
                  "namespace a::b { namespace { extern \"C\" { LAUNCH(3) __global__ void two(void) {} } } }\n"
                  "extern \"C\" __global__\n#if N > 3\n__launch_bounds__(3)\n#endif\nvoid three(int) { a(); }\n"
                  "template <typename T, int N, bool F> __global__ void one(T *y) { y[0] = 1; }");
    assert_int_equal(scan.count, 3);
    const struct kernel_signature *one = &scan.kernels[0];
    assert_string_equal(one->name, "one");
    assert_true(one->defined); /* later in the text, with what the declaration has not */
    assert_int_equal(one->generic_count, 3);
    assert_string_equal(one->generic[0].kind, "typename");
    assert_string_equal(one->generic[1].name, "N");
    assert_string_equal(one->parameters[0].name, "y");
    assert_string_equal(scan.kernels[1].name, "a::b::two");
    assert_int_equal(scan.kernels[1].parameter_count, 0);
    assert_string_equal(scan.kernels[2].name, "three");
    assert_string_equal(scan.kernels[2].parameters[0].type, "int");
    kernel_scan_clear(&scan);
}

static void test_generic_defaults(void **state)
{
    (void)state;
    struct kernel_scan scan =
        scan_text("template <class T = float, unsigned int N = 2 * 8> __global__ void k(T a) {}");
    assert_string_equal(scan.kernels[0].generic[0].value, "float");
    assert_string_equal(scan.kernels[0].generic[1].kind, "unsigned int");
    assert_string_equal(scan.kernels[0].generic[1].value, "2*8");
    kernel_scan_clear(&scan);
}

static void test_what_is_no_kernel(void **state)
{
    (void)state;
    static const char *const texts[] = {"",
                                        "__global__",
                                        "__global__ void k",
                                        "__global__ void k(",
                                        "__global__ int x;",
                                        "\"__global__ void k() {}\"",
                                        "#define K __global__ void k() {}",
                                        "__global__ __global__ }",
                                        "/* __global__ void k() {} */"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        struct kernel_scan scan = scan_text(texts[i]);
        assert_int_equal(scan.count, 0);
        kernel_scan_clear(&scan);
    }
}

static void test_long_names(void **state)
{
    (void)state;
    char text[600] = "__global__ void k(";
    memset(text + strlen(text), 'x', 300);
    strcat(text, " *p, int ");
    memset(text + strlen(text), 'y', 200);
    strcat(text, ");");
    struct kernel_scan scan = scan_text(text);
    assert_int_equal(scan.kernels[0].parameter_count, 2);
    assert_string_equal(scan.kernels[0].parameters[0].type, "");
    assert_string_equal(scan.kernels[0].parameters[1].name, "");
    kernel_scan_clear(&scan);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_parameters),       cmocka_unit_test(test_what_surrounds_a_name),
        cmocka_unit_test(test_generic_defaults), cmocka_unit_test(test_what_is_no_kernel),
        cmocka_unit_test(test_long_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

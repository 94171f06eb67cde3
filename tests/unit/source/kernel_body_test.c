/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tuner/source/kernel_scan.h"

#include <stdio.h>
#include <string.h>

static enum kernel_access access_in(const char *body, const char *declaration, unsigned *dimensions)
{
    char text[1024];
    struct kernel_scan scan;
    snprintf(text, sizeof text, "__global__ void k(%s) { %s }", declaration, body);
    assert_true(kernel_scan(text, strlen(text), &scan));
    assert_int_equal(scan.count, 1);
    enum kernel_access access = scan.kernels[0].parameters[0].access;
    if (dimensions)
        *dimensions = scan.kernels[0].dimensions;
    kernel_scan_clear(&scan);
    return access;
}

static void test_access(void **state)
{
    (void)state;
    static const struct {
        const char *body;
        enum kernel_access access;
    } cases[] = {
        {"", KERNEL_UNUSED},
        {"x[i] = 1; if (a) x[j[2]][k] = 2;", KERNEL_WRITES},
        {"*x = 3;", KERNEL_WRITES},
        {"x[i].re = 3;", KERNEL_WRITES},
        {"y = x[i] + 2 * x[3];", KERNEL_READS},
        {"if (x[i] == 2 || x[i] <= 3) return;", KERNEL_READS},
        {"x[i] += 1;", KERNEL_READ_WRITE},
        {"x[i] = 1; y = x[j];", KERNEL_READ_WRITE},
        {"x[i]++;", KERNEL_READ_WRITE},
        {"atomicAdd(&x[i], 1);", KERNEL_READ_WRITE},
        {"f(x);", KERNEL_READ_WRITE},
        {"x[i] <<= 2;", KERNEL_READ_WRITE},
        {"a.x[i] = 1; b::x = 2;", KERNEL_UNUSED},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_int_equal(access_in(cases[i].body, "float *x", NULL), cases[i].access);
    assert_int_equal(access_in("f(x);", "const float *x", NULL), KERNEL_READS);
}

static void test_dimensions(void **state)
{
    (void)state;
    unsigned dimensions;
    access_in("int i = blockIdx.x;", "int *x", &dimensions);
    assert_int_equal(dimensions, 1);
    access_in("int i = blockIdx.x + threadIdx.y;", "int *x", &dimensions);
    assert_int_equal(dimensions, 2);
    access_in("int i = blockDim.z;", "int *x", &dimensions);
    assert_int_equal(dimensions, 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_access), cmocka_unit_test(test_dimensions)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

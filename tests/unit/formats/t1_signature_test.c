/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tuner/formats/t1_signature.h"

#include <string.h>

static void test_source(void **state)
{
    (void)state;
    static const char text[] =
        "// kernel_tuner\n#ifndef grid_size_x\n#endif\n"
        "template <int N> __global__ void k(float *y, const int *x) { y[0] = \"quoted\"[x[0]]; }";
    struct error error = {0};
    struct t1_source source = {.file = {.bytes = strdup(text), .length = strlen(text)}};
    assert_true(t1_source_scan(&source, "k<3>", &error));
    assert_string_equal(t1_source_parameter(&source, 1)->name, "x");
    assert_int_equal(t1_source_parameter(&source, 1)->access, KERNEL_READS);
    assert_null(t1_source_parameter(&source, 2));
    assert_true(t1_source_mentions(&source, "grid_size_x"));
    assert_false(t1_source_mentions(&source, "kernel_tuner"));
    assert_false(t1_source_mentions(&source, "quoted"));
    assert_false(t1_source_mentions(&source, "grid_size"));
    t1_source_clear(&source);
    assert_true(t1_source_scan(&source, "k", &error));
    assert_null(t1_source_parameter(&source, 0));
    assert_false(t1_source_mentions(&source, "k"));
    t1_source_clear(&source);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_source)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Whose line in the tables the compiler complains of. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tuner/device/cpu/missing_names.h"

#include <stdlib.h>
#include <string.h>

static void test_lines(void **state)
{
    (void)state;
    static const char *const kernels[] = {"first", "second<2>"}, *const symbols[] = {"table", "other"};
    const struct compile_request request = {
        .path = "a.cu", .kernels = kernels, .kernel_count = 2, .symbols = symbols, .symbol_count = 2};
#define AT(line) MISSING_NAMES_TABLES ":" line
    static const struct {
        const char *log, *first;
    } cases[] = {
        {"a.cu:3:1: error: wrong\n", ""},
        {AT("1:1: error: x\n"), ""},
        {AT("3:27: note: x\n"), ""},
        {AT("2:13: error: x\n") AT("2:14: error: x\n"),
         "a.cu: error: there is no __global__ function 'first', or more than one\n"},
        {AT("3:1: note: x\n") AT("3:1: error: x\n"),
         "a.cu: error: there is no __global__ function 'second<2>', or more than one\n"},
        {AT("6:1: error: x\n") AT("23:1: error: x\n"),
         "a.cu: error: there is no __constant__ or __device__ variable 'table', or more than one\n"},
        {AT("7:1: error: x"),
         "a.cu: error: there is no __constant__ or __device__ variable 'other', or more than one\n"},
        {"w.hpp:7:1: error: unable to deduce 'auto' from 'k'\n" AT("2:1: note: in expansion of macro\n"),
         "a.cu: error: there is no __global__ function 'first', or more than one\n"},
        {"\n" AT("2:1: note: in expansion of macro\n"), ""},
        {AT("2"), ""},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char *log = missing_names_explain(cases[i].log, &request);
        assert_non_null(log);
        size_t length = strlen(cases[i].first);
        assert_memory_equal(log, cases[i].first, length);
        assert_string_equal(log + length, cases[i].log);
        free(log);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_lines)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

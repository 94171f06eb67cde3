/* SPDX-License-Identifier: Apache-2.0 */
/* Notes on a compiler's errors about names of CUB; the errors are those of g++ 12, clang 14 and NVRTC 13.0. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "tuner/device/log_advice.h"

static void expect_notes(const char *log, const char *wanted)
{
    char *text = NULL;
    size_t length;
    FILE *stream = open_memstream(&text, &length);
    assert_non_null(stream);
    log_advice_write(stream, log);
    assert_int_equal(fclose(stream), 0);
    assert_string_equal(text, wanted);
    free(text);
}

#define LAUNCHES                                                                                                     \
    "note: cub::Device... launches kernels, which host programs do: put what calls it inside #ifndef "               \
    "__CUDACC_RTC__; in kernels there are cub::Block... and cub::Warp...\n"

static void what_launches_kernels_is_for_host_programs(void **state)
{
    (void)state;
    expect_notes("k.cu:3:63: error: 'cub::DeviceReduce' has not been declared\n", LAUNCHES);
    expect_notes("k.cu(3): error: name followed by \"::\" must be a class or namespace name\n"
                 "    cub::DeviceReduce::Sum(room, bytes, x, y, n);\n         ^\n\n"
                 "k.cu(4): error: name followed by \"::\" must be a class or namespace name\n"
                 "    cub::DeviceScan::ExclusiveSum(room, bytes, x, y, n);\n         ^\n",
                 LAUNCHES);
    expect_notes("k.cu:3:63: error: no member named 'Devices' in namespace 'cub'\n    cub::Devices x;\n", "");
}

static void what_cub_has_lost_has_another_name(void **state)
{
    (void)state;
    expect_notes("k.cu(3): error: namespace \"cub\" has no member \"Sum\"\n    cub::Sum s;\n\n"
                 "k.cu(4): error: namespace \"cub\" has no member \"Max\"\n"
                 "k.cu(5): error: namespace \"cub\" has no member \"Sum\"\n",
                 "note: cub::Sum is of CUB 2: since CUDA 13 it is cuda::std::plus<>, of <cuda/std/functional>\n"
                 "note: cub::Max is of CUB 2: since CUDA 13 it is cuda::maximum<>, of <cuda/functional>\n");
    expect_notes("k.cu(3): error: namespace \"cub\" has no member \"Summer\"\n", "");
    expect_notes("k.cu(3): error: namespace \"cub\" has no member \"", "");
    expect_notes("", "");
}

static void dynamic_shared_memory_is_captured_by_reference(void **state)
{
    (void)state;
    static const char note[] =
        "note: on the CPU device lambdas capture dynamic shared memory by reference only: write [&]\n";
    expect_notes("k.cu:4:25: error: capture by copy of incomplete type 'unsigned char []'\n", note);
    expect_notes("k.cu:4:25: error: by-copy capture of variable 's' with incomplete type 'unsigned char[]'\n", note);
}

static void launches_by_kernels_have_limits_of_their_own(void **state)
{
    (void)state;
    static const char place[] = "note: on the CPU device launches by kernels do not stand in macros\n";
    static const char named[] =
        "note: on the CPU device a launch by a kernel names all template arguments, k<float><<<1, 32>>>(x), and its "
        "arguments are those of the kernel; a null pointer is nullptr\n";
    static const char waits[] =
        "note: kernels cannot wait for those that they launch: launch what comes after them into "
        "cudaStreamTailLaunch\n";
    expect_notes("e.cu:4:17: error: expected primary-expression before '<' token\n"
                 "    4 | #define L leaf<<<1, 1>>>(y)\n",
                 place);
    expect_notes("inc.cuh:4:37: error: expected expression\n__device__ void start(int *y) { leaf<<<1, 1>>>(y); }\n",
                 place);
    expect_notes("e.cu:4:17: error: expected expression\n  x = <2;\n", "");
    expect_notes(
        "e.cu:10:8: error: no match for 'operator->*' (operand types are '<unresolved overloaded function type>' "
        "and 'tune_starter<tune_shape::operator()<int*&>(int*&) const::<lambda(auto:1*)> >')\n",
        named);
    expect_notes("e.cu:13:5: error: 'cudaDeviceSynchronize' was not declared in this scope\n", waits);
    expect_notes("e.cu(13): error: identifier \"cudaDeviceSynchronize\" is undefined\n", waits);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(launches_by_kernels_have_limits_of_their_own),
        cmocka_unit_test(what_launches_kernels_is_for_host_programs),
        cmocka_unit_test(what_cub_has_lost_has_another_name),
        cmocka_unit_test(dynamic_shared_memory_is_captured_by_reference),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

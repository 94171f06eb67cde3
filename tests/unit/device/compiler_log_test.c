/* SPDX-License-Identifier: Apache-2.0 */
/* NVRTC's log: what the user sees of it, and the spills. The logs are those of NVRTC 13.0, shortened. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tuner/device/cuda/compiler_log.h"

#include <stdlib.h>
#include <string.h>

static const struct image_name names[] = {{"f", "_Z1fPf"}, {"g", "_Z1gPf"}, {"&table", "table"}};

static void expect(const char *log, const char *failure, const char *expected)
{
    char *text = compiler_log_messages(log, "k.cu", names, 3, failure);
    assert_non_null(text);
    assert_string_equal(text, expected);
    free(text);
}

static const char figures[] =
    "ptxas info    : 0 bytes gmem\n"
    "ptxas info    : Compiling entry function '_Z1fPf' for 'sm_90'\n"
    "ptxas info    : Function properties for _Z1fPf\n"
    "ptxas         .     16 bytes stack frame, 12 bytes spill stores, 20 bytes spill loads\n"
    "ptxas info    : Used 32 registers, used 0 barriers\n"
    "ptxas info    : Compiling entry function '_Z5otherPf' for 'sm_90'\n"
    "    800 bytes stack frame, 400 bytes spill stores, 400 bytes spill loads\n"
    "ptxas info    : Compiling entry function '_Z1gPf' for 'sm_90'\n"
    "    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads\n"
    "    8 bytes stack frame, 1 bytes spill stores, 2 bytes spill loads\n";

static void figures_are_not_messages(void **state)
{
    (void)state;
    expect("", NULL, "");
    expect(figures, NULL, "");
    expect("k.cu(3): warning #177-D: variable \"x\" was declared but never referenced\n"
           "ptxas info    : 0 bytes gmem\n",
           NULL, "k.cu(3): warning #177-D: variable \"x\" was declared but never referenced\n");
    expect("ptxas error   : Entry function '_Z1fPf' uses too much shared data\n", "NVRTC_ERROR_COMPILATION",
           "ptxas error   : Entry function '_Z1fPf' uses too much shared data\n");
    expect("k.cu(3): error: no end of line", "why", "k.cu(3): error: no end of line");
}

static void headers_of_the_host_get_a_hint(void **state)
{
    (void)state;
    static const char missing[] = "k.cu(1): catastrophic error: cannot open source file \"cstdio\"\n";
    static const char mine[] = "k.cu(1): catastrophic error: cannot open source file \"cstdio.h\"\n";
    char *text = compiler_log_messages(missing, "k.cu", names, 3, "NVRTC_ERROR_COMPILATION");
    assert_int_equal(strncmp(text, missing, sizeof missing - 1), 0);
    assert_non_null(strstr(text, "\nnote: NVRTC compiles without the headers of the host's C and C++ libraries."));
    assert_non_null(strstr(text, "#ifndef __CUDACC_RTC__\n"));
    free(text);
    expect(mine, "NVRTC_ERROR_COMPILATION", mine);
    text = compiler_log_messages(
        "k.cu(1): catastrophic error: could not open source file \"stdio.h\" (no directories in "
        "search list)\n",
        "k.cu", names, 3, "NVRTC_ERROR_COMPILATION");
    assert_non_null(strstr(text, "\nnote: NVRTC"));
    free(text);
}

/* The compiler shows the line at fault after two blanks, with its own indentation. */
static void excerpts_of_the_source_stay(void **state)
{
    (void)state;
    static const char log[] = "k.cu(2): warning #550-D: variable \"info\" was set but never used\n"
                              "      info = 3;\n"
                              "      ^\n"
                              "      .first = 1,\n";
    expect(log, NULL, log);
}

static void names_that_are_not_found(void **state)
{
    (void)state;
    static const char log[] =
        "k.cu(2): warning #550-D: variable \"info\" was set but never used\n"
        "      int info;\n"
        "          ^\n"
        "\n"
        "__nv_name_map(2): error: identifier \"table\" is undefined\n"
        "  #pragma nv_mangled_name &table\n"
        "                           ^\n"
        "\n"
        "__nv_name_map(2): error: Error in parsing name expression for lowered name lookup. Input "
        "name expression was: \" & table\"\n"
        "  #pragma nv_mangled_name &table\n"
        "                          ^\n"
        "\n"
        "__nv_name_map(4): error: Error in parsing name expression for lowered name lookup. Input "
        "name expression was: \" g\"\n"
        "  #pragma nv_mangled_name g\n"
        "                          ^\n"
        "\n"
        "4 errors detected in the compilation of \"k.cu\".\n";
    expect(log, "NVRTC_ERROR_COMPILATION",
           "k.cu: error: there is no __global__ function 'g', or more than one\n"
           "k.cu: error: there is no __constant__ or __device__ variable 'table', or more than one\n"
           "k.cu(2): warning #550-D: variable \"info\" was set but never used\n"
           "      int info;\n"
           "          ^\n"
           "\n"
           "4 errors detected in the compilation of \"k.cu\".\n");
    expect("Input name expression was: \" gg\"\n", "why", "Input name expression was: \" gg\"\n");
}

static void silence_is_explained(void **state)
{
    (void)state;
    expect("", "NVRTC_ERROR_COMPILATION",
           "k.cu: error: the compiler failed without a message (NVRTC_ERROR_COMPILATION)\n");
    expect(figures, "NVRTC_ERROR_INTERNAL_ERROR",
           "k.cu: error: the compiler failed without a message (NVRTC_ERROR_INTERNAL_ERROR)\n");
}

static void spills_are_added_up(void **state)
{
    (void)state;
    assert_int_equal(compiler_log_spills(figures, names, 1), 12 + 20);
    assert_int_equal(compiler_log_spills(figures, names, 2), 12 + 20 + 0 + 1 + 2);
    assert_int_equal(compiler_log_spills(figures, names + 1, 1), 3);
    assert_int_equal(compiler_log_spills(figures, names + 2, 1), -1);
    assert_int_equal(compiler_log_spills("", names, 2), -1);
    assert_int_equal(
        compiler_log_spills("Compiling entry function '_Z1fPf'\n16 bytes stack frame, 9223372036854775807 "
                            "bytes spill stores, 20 bytes spill loads\n",
                            names, 1),
        -1); /* no such figure */
    assert_int_equal(compiler_log_spills("Compiling entry function '_Z1fPf'\n16 bytes stack frame, -12 bytes spill "
                                         "stores, 4 bytes spill loads\n",
                                         names, 1),
                     -1);
    assert_int_equal(compiler_log_spills("ptxas info : Compiling entry function '_Z1fPf'", names, 1), -1);
    assert_int_equal(
        compiler_log_spills("x\n    0 bytes stack frame, 7 bytes spill stores, 7 bytes spill loads\n", names, 3),
        -1); /* of no function */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(figures_are_not_messages),    cmocka_unit_test(headers_of_the_host_get_a_hint),
        cmocka_unit_test(excerpts_of_the_source_stay), cmocka_unit_test(names_that_are_not_found),
        cmocka_unit_test(silence_is_explained),        cmocka_unit_test(spills_are_added_up),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: Apache-2.0 */
/* What compute-sanitizer prints, in the words of its manual (CUDA 12 and 13, and an older form), as findings. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tuner/check/sanitizer_output.h"

#include <string.h>

enum { MOST = 4 };

struct got {
    struct diagnostic diagnostics[MOST];
    size_t count;
};

static void keep(void *context, const struct diagnostic *diagnostic)
{
    struct got *got = context;
    assert_true(got->count < MOST);
    got->diagnostics[got->count++] = *diagnostic;
}

static const char memcheck[] =
    "========= COMPUTE-SANITIZER\n"
    "tune buffer x 7f0000000000 1024\n"
    "tune buffer y 7f0000000400 768\n"
    "========= Invalid __global__ write of size 4 bytes\n"
    "=========     at planted(const float *, float *, int)+0x90 in /home/u/planted.cu:42\n"
    "=========     by thread (63,0,0) in block (2,0,0)\n"
    "=========     Address 0x7f0000000700 is out of bounds\n"
    "=========     and is 1 bytes after the nearest allocation at 0x7f0000000400 of size 768 bytes\n"
    "=========     Saved host backtrace up to driver entry point at kernel launch time\n"
    "=========     Host Frame:cuLaunchKernel [0x2f2] in libcuda.so.1:17\n"
    "========= \n"
    "========= Program hit CUDA_ERROR_LAUNCH_FAILED (error 719) due to \"unspecified launch failure\"\n"
    "=========     Saved host backtrace up to driver entry point at error\n"
    "========= \n"
    "========= ERROR SUMMARY: 2 errors\n";

static void an_invalid_access_has_line_and_buffer(void **state)
{
    (void)state;
    struct got got = {0};
    sanitizer_output_read(memcheck, keep, &got);
    assert_int_equal(got.count, 1);
    assert_int_equal(got.diagnostics[0].kind, DIAGNOSTIC_OUT_OF_BOUNDS);
    assert_string_equal(got.diagnostics[0].file, "/home/u/planted.cu");
    assert_int_equal(got.diagnostics[0].line, 42);
    assert_string_equal(got.diagnostics[0].variable, "y");
    assert_string_equal(got.diagnostics[0].text, "writes 4 bytes 1 past y (by thread (63,0,0) in block (2,0,0))");
}

static void a_place_in_the_older_form(void **state)
{
    (void)state;
    struct got got = {0};
    sanitizer_output_read("========= Invalid __shared__ read of size 4 bytes\n"
                          "=========     at 0x2d0 in /home/u/planted.cu:24:planted(float const *, float *)\n"
                          "=========     by thread (63,0,0) in block (0,0,0)\n"
                          "=========     Address 0x100 is out of bounds\n",
                          keep, &got);
    assert_int_equal(got.count, 1);
    assert_string_equal(got.diagnostics[0].file, "/home/u/planted.cu");
    assert_int_equal(got.diagnostics[0].line, 24);
    assert_string_equal(got.diagnostics[0].variable, "");
    assert_string_equal(got.diagnostics[0].text,
                        "reads 4 bytes of shared memory at 0x100, which is out of bounds (by thread "
                        "(63,0,0) in block (0,0,0))");
}

/* As compute-sanitizer 2025.3 of CUDA 13.0 printed it on an H100, and a buffer's address as plain_run.h tells it. */
static void a_read_in_the_words_of_cuda_13(void **state)
{
    (void)state;
    struct got got = {0};
    sanitizer_output_read(
        "========= COMPUTE-SANITIZER\n"
        "tune buffer x 7fac86c24400 768\n"
        "tune buffer y 7fac86c24800 768\n"
        "========= Invalid __global__ read of size 4 bytes\n"
        "=========     at planted(const float *, float *, float *, int *, int)+0x80 in planted.cu:42\n"
        "=========     by thread (63,0,0) in block (2,0,0)\n"
        "=========     Access to 0x7fac86c24700 is out of bounds\n"
        "=========     and is 1 bytes after the nearest allocation at 0x7fac86c24400 of size 768 bytes\n"
        "=========     Saved host backtrace up to driver entry point at kernel launch time\n"
        "========= \n"
        "========= Invalid __global__ read of size 4 bytes\n"
        "=========     at below(const float *, int)+0x70 in below.cuh:3\n"
        "=========     by thread (0,0,0) in block (0,0,0)\n"
        "=========     Access to 0x7fac86c243fc is out of bounds\n"
        "=========     and is 4 bytes before the nearest allocation at 0x7fac86c24400 of size 768 bytes\n"
        "========= \n"
        "========= Invalid __global__ read of size 16 bytes\n"
        "=========     at planted(const float *, float *, float *, int *, int)+0x80 in planted.cu:48\n"
        "=========     by thread (1,0,0) in block (0,0,0)\n"
        "=========     Access to 0x7fac86c24804 is misaligned\n"
        "========= \n"
        "========= ERROR SUMMARY: 3 errors\n",
        keep, &got);
    assert_int_equal(got.count, 3);
    assert_string_equal(got.diagnostics[0].variable, "x");
    assert_int_equal(got.diagnostics[0].line, 42);
    assert_string_equal(got.diagnostics[0].text, "reads 4 bytes 1 past x (by thread (63,0,0) in block (2,0,0))");
    assert_string_equal(got.diagnostics[1].variable, "x");
    assert_string_equal(got.diagnostics[1].file, "below.cuh");
    assert_int_equal(got.diagnostics[1].line, 3);
    assert_string_equal(got.diagnostics[1].text, "reads 4 bytes 4 before x (by thread (0,0,0) in block (0,0,0))");
    assert_string_equal(got.diagnostics[2].variable, "y");
    assert_string_equal(got.diagnostics[2].text,
                        "reads 16 bytes at byte 4 of y, which is misaligned (by thread (1,0,0) in block (0,0,0))");
}

static void a_race_in_the_words_of_cuda_13(void **state)
{
    (void)state;
    struct got got = {0};
    sanitizer_output_read(
        "========= COMPUTE-SANITIZER\n"
        "========= Error: Race reported between Write access at planted(const float *, float *, float *, int *, "
        "int)+0x100 in planted.cu:53\n"
        "=========     and Read access at planted(const float *, float *, float *, int *, int)+0x110 in "
        "planted.cu:57 "
        "[768 hazards]\n"
        "========= \n"
        "========= RACECHECK SUMMARY: 1 hazard displayed (1 error, 0 warnings)\n",
        keep, &got);
    assert_int_equal(got.count, 1);
    assert_int_equal(got.diagnostics[0].kind, DIAGNOSTIC_RACE);
    assert_string_equal(got.diagnostics[0].file, "planted.cu");
    assert_int_equal(got.diagnostics[0].line, 53);
    assert_string_equal(got.diagnostics[0].text, "this write and a read at planted.cu:57 [768 hazards]");
}

static void races_and_barriers(void **state)
{
    (void)state;
    struct got got = {0};
    sanitizer_output_read(
        "========= Error: Race reported between Write access at planted(float *)+0x70 in /u/p.cu:53\n"
        "=========     and Read access at planted(float *)+0xa0 in /u/p.cu:57 [124 hazards]\n"
        "=========\n"
        "========= Barrier error detected. Divergent thread(s) in block.\n"
        "=========     at planted(float *)+0x110 in /u/p.cu:90\n"
        "=========     by thread (0,0,0) in block (0,0,0)\n"
        "=========\n"
        "========= RACECHECK SUMMARY: 1 hazard displayed (1 error, 0 warnings)\n",
        keep, &got);
    assert_int_equal(got.count, 2);
    assert_int_equal(got.diagnostics[0].kind, DIAGNOSTIC_RACE);
    assert_int_equal(got.diagnostics[0].line, 53);
    assert_non_null(strstr(got.diagnostics[0].text, "p.cu:57"));
    assert_int_equal(got.diagnostics[1].kind, DIAGNOSTIC_DIVERGENT_BARRIER);
    assert_int_equal(got.diagnostics[1].line, 90);
    assert_string_equal(got.diagnostics[1].text,
                        "Barrier error detected. Divergent thread(s) in block. (by thread (0,0,0) "
                        "in block (0,0,0))");
}

static void silence_is_silence(void **state)
{
    (void)state;
    struct got got = {0};
    sanitizer_output_read(
        "========= COMPUTE-SANITIZER\ntune buffer x 7f0000000000 1024\n========= ERROR SUMMARY: 0 errors\n", keep,
        &got);
    assert_int_equal(got.count, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_invalid_access_has_line_and_buffer),
        cmocka_unit_test(a_place_in_the_older_form),
        cmocka_unit_test(a_read_in_the_words_of_cuda_13),
        cmocka_unit_test(a_race_in_the_words_of_cuda_13),
        cmocka_unit_test(races_and_barriers),
        cmocka_unit_test(silence_is_silence),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

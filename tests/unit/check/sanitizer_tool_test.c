/* What compute-sanitizer prints, in the words of its manual (CUDA 12 and 13, and an older form), as findings. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tuner/check/sanitizer_tool.h"

#include <string.h>

enum { MOST = 4 };

struct got {
    struct flaw flaws[MOST];
    size_t count;
};

static void keep(void *context, const struct flaw *flaw)
{
    struct got *got = context;
    assert_true(got->count < MOST);
    got->flaws[got->count++] = *flaw;
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
    sanitizer_tool_read(memcheck, keep, &got);
    assert_int_equal(got.count, 1);
    assert_int_equal(got.flaws[0].kind, FLAW_OUT_OF_BOUNDS);
    assert_string_equal(got.flaws[0].file, "/home/u/planted.cu");
    assert_int_equal(got.flaws[0].line, 42);
    assert_string_equal(got.flaws[0].variable, "y");
    assert_non_null(strstr(got.flaws[0].text, "thread (63,0,0)"));
    assert_null(strstr(got.flaws[0].text, "cuLaunchKernel"));
}

static void a_place_in_the_older_form(void **state)
{
    (void)state;
    struct got got = {0};
    sanitizer_tool_read("========= Invalid __shared__ read of size 4 bytes\n"
                        "=========     at 0x2d0 in /home/u/planted.cu:24:planted(float const *, float *)\n"
                        "=========     by thread (63,0,0) in block (0,0,0)\n"
                        "=========     Address 0x100 is out of bounds\n",
                        keep, &got);
    assert_int_equal(got.count, 1);
    assert_string_equal(got.flaws[0].file, "/home/u/planted.cu");
    assert_int_equal(got.flaws[0].line, 24);
    assert_string_equal(got.flaws[0].variable, "");
}

static void races_and_barriers(void **state)
{
    (void)state;
    struct got got = {0};
    sanitizer_tool_read("========= Error: Race reported between Write access at planted(float *)+0x70 in /u/p.cu:53\n"
                        "=========     and Read access at planted(float *)+0xa0 in /u/p.cu:57 [124 hazards]\n"
                        "=========\n"
                        "========= Barrier error detected. Divergent thread(s) in block.\n"
                        "=========     at planted(float *)+0x110 in /u/p.cu:90\n"
                        "=========     by thread (0,0,0) in block (0,0,0)\n"
                        "=========\n"
                        "========= RACECHECK SUMMARY: 1 hazard displayed (1 error, 0 warnings)\n",
                        keep, &got);
    assert_int_equal(got.count, 2);
    assert_int_equal(got.flaws[0].kind, FLAW_RACE);
    assert_int_equal(got.flaws[0].line, 53);
    assert_non_null(strstr(got.flaws[0].text, "p.cu:57"));
    assert_int_equal(got.flaws[1].kind, FLAW_DIVERGENT_BARRIER);
    assert_int_equal(got.flaws[1].line, 90);
}

static void silence_is_silence(void **state)
{
    (void)state;
    struct got got = {0};
    sanitizer_tool_read(
        "========= COMPUTE-SANITIZER\ntune buffer x 7f0000000000 1024\n========= ERROR SUMMARY: 0 errors\n", keep,
        &got);
    assert_int_equal(got.count, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_invalid_access_has_line_and_buffer),
        cmocka_unit_test(a_place_in_the_older_form),
        cmocka_unit_test(races_and_barriers),
        cmocka_unit_test(silence_is_silence),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

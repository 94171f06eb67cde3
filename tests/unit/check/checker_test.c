/* SPDX-License-Identifier: Apache-2.0 */
/* Jobs under the race check on the CPU device: each planted fault is a diagnostic, a clean kernel has none. */
#include "tests/unit/check/kernel_fixture.h"

#include "tuner/check/checker.h"
#include "tuner/check/collect.h"

#include <signal.h>

static struct fixture fixture;
static struct checker *checker;
static struct error error;
static char cache[300];

static const char kernel_text[] = "__global__ void kernel(const float *x, float *y, int n)\n"
                                  "{\n"
                                  "    __shared__ float tile[64];\n"
                                  "    int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
                                  "    tile[threadIdx.x] = i < n ? x[i] : 0;\n"
                                  "#if !KIND_race\n"
                                  "    __syncthreads();\n"
                                  "#endif\n"
                                  "#if KIND_trap\n"
                                  "    if (i == 3) __trap();\n"
                                  "#endif\n"
                                  "#if KIND_broken\n"
                                  "    no_such_name = 1;\n"
                                  "#endif\n"
                                  "    if (i < n) y[i] = tile[63 - threadIdx.x];\n"
                                  "}\n";
enum { CLEAN, RACE, BROKEN, TRAP };

static int begin(void **state)
{
    if (scratch_folder_create(state) != 0)
        return -1;
    snprintf(cache, sizeof cache, "%s-cache", scratch_folder);
    setenv("XDG_CACHE_HOME", cache, 1);
    scratch_write("kernel.cu", kernel_text);
    kernel_fixture_create(&fixture, "[\"clean\", \"race\", \"broken\", \"trap\"]");
    assert_success(checker_create(CHECK_RACES, &checker, &error), &error);
    return 0;
}

static int end(void **state)
{
    char command[400];
    checker_free(checker);
    fixture_free(&fixture);
    snprintf(command, sizeof command, "rm -rf '%s'", cache);
    return system(command) == 0 ? scratch_folder_remove(state) : -1;
}

static bool run(size_t kind, size_t which, struct raw_diagnostic **list, size_t *count)
{
    struct job *job = kernel_fixture_job(&fixture, kind);
    const struct check_task task = {job, which, scratch_folder};
    unlink(scratch_path(CHECK_DIAGNOSTICS_FILE));
    error = (struct error){0};
    bool done = checker_run(checker, &task, &error);
    job_free(job);
    struct error failure = {0};
    assert_success(raw_diagnostics_read(scratch_path(CHECK_DIAGNOSTICS_FILE), list, count, &failure), &failure);
    return done;
}

static void a_clean_kernel_has_no_diagnostic(void **state)
{
    (void)state;
    struct raw_diagnostic *list;
    size_t count;
    assert_success(run(CLEAN, JOB_AWKWARD, &list, &count), &error);
    assert_int_equal(count, 0);
    free(list);
    assert_int_equal(access(scratch_path(CHECK_MODULE_FILE), R_OK), 0); /* for the lines */
}

static void a_missing_barrier_is_a_race(void **state)
{
    (void)state;
    struct raw_diagnostic *list;
    size_t count;
    assert_success(run(RACE, JOB_TUNED, &list, &count), &error);
    assert_true(count >= 1);
    bool race = false;
    for (size_t i = 0; i < count; i++)
        race = race || (list[i].kind == DIAGNOSTIC_RACE && strcmp(list[i].variable, "tile") == 0 && list[i].code > 0);
    assert_true(race);
    free(list);
    assert_false(checker_is_unusable(checker));
}

static void a_source_that_does_not_compile_has_its_line(void **state)
{
    (void)state;
    struct raw_diagnostic *list;
    size_t count;
    assert_false(run(BROKEN, JOB_TUNED, &list, &count));
    assert_int_equal(error.code, ERROR_INPUT);
    assert_int_equal(count, 1);
    assert_int_equal(list[0].kind, DIAGNOSTIC_COMPILE);
    assert_int_equal(list[0].line, 13);
    assert_mentions(list[0].text, "no_such_name");
    free(list);
    assert_false(checker_is_unusable(checker)); /* the tool does work */
}

static void a_missing_source_is_an_error(void **state)
{
    (void)state;
    struct raw_diagnostic *list;
    size_t count;
    assert_int_equal(unlink(scratch_path("kernel.cu")), 0);
    assert_false(run(CLEAN, JOB_TUNED, &list, &count));
    assert_int_equal(error.code, ERROR_INPUT);
    assert_mentions(error.text, "cannot read");
    assert_int_equal(count, 0);
    scratch_write("kernel.cu", kernel_text);
}

/* Nothing runs: a signal is not the kernel's. */
static void a_signal_between_kernels_is_not_reported(void **state)
{
    (void)state;
    checker_report_signal(checker, SIGSEGV, NULL, 0);
}

/* The last test: the device is dead afterwards. */
static void a_trap_is_a_fault(void **state)
{
    (void)state;
    struct raw_diagnostic *list;
    size_t count;
    assert_false(run(TRAP, JOB_TUNED, &list, &count));
    assert_int_equal(error.code, ERROR_FAULT);
    assert_int_equal(count, 1);
    assert_int_equal(list[0].kind, DIAGNOSTIC_FAULT);
    assert_int_equal(list[0].line, 10);
    free(list);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_clean_kernel_has_no_diagnostic),
        cmocka_unit_test(a_missing_barrier_is_a_race),
        cmocka_unit_test(a_source_that_does_not_compile_has_its_line),
        cmocka_unit_test(a_missing_source_is_an_error),
        cmocka_unit_test(a_signal_between_kernels_is_not_reported),
        cmocka_unit_test(a_trap_is_a_fault),
    };
    return cmocka_run_group_tests(tests, begin, end);
}

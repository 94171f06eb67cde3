/* SPDX-License-Identifier: Apache-2.0 */
/* Verdicts on buffers that the test wrote itself, in place of a kernel. */
#include "tests/unit/measure/affine_job.h"

#include "tuner/measure/validate.h"

#include <math.h>

static struct program_cache *programs;
static struct affine_job affine;
static struct instance *instance;
static struct evaluation evaluation;
static float right[AFFINE_N];

static int open_all(void **state)
{
    if (affine_folder_create() != 0 || cpu_fixture_open(state) != 0 || !program_cache_create(&programs, &error))
        return -1;
    affine_make(&affine, NULL, NULL);
    must(instance_create(&validation, programs, &affine.job, JOB_TUNED, &instance, &error));
    return 0;
}

static int close_all(void **state)
{
    instance_free(&validation, instance);
    program_cache_free(programs, validation.driver, validation.device);
    return cpu_fixture_close(state) == 0 ? affine_folder_remove() : -1;
}

static void poke(size_t buffer, int64_t offset, const void *from, size_t bytes)
{
    uint64_t address = instance->buffers[buffer].memory.address + (uint64_t)offset;
    must(validation.driver->upload(validation.device, address, from, bytes, &error));
}

/* The right output, to be damaged by the test. */
static int begin(void **state)
{
    (void)state;
    float x[AFFINE_N];
    error = (struct error){0};
    evaluation = (struct evaluation){.error_ratio = -1};
    must(instance_reset(&validation, instance, &error));
    must(validation.driver->synchronize(validation.device, &error));
    must(validation.driver->download(validation.device, x, instance->buffers[AFFINE_X].memory.address, sizeof x,
                                     &error));
    for (int i = 0; i < AFFINE_N; i++)
        right[i] = 2 * x[i] + 1;
    poke(AFFINE_Y, 0, right, sizeof right);
    return 0;
}

static int end(void **state)
{
    (void)state;
    evaluation_clear(&evaluation);
    return 0;
}

static void expect(enum outcome outcome, const char *message)
{
    const struct validated_run run = {.job_case = &affine.job.cases[JOB_TUNED], .instance = instance};
    must(validate_run(&validation, &run, ", at size n=100", &evaluation, &error));
    const char *got = evaluation.message ? evaluation.message : "";
    if (evaluation.outcome != outcome || strncmp(got, message, strlen(message)) != 0)
        fail_msg("got %s \"%s\", expected %s \"%s\"", outcome_name(evaluation.outcome), got, outcome_name(outcome),
                 message);
    if (message[0] && !strstr(got, ", at size n=100"))
        fail_msg("\"%s\" does not tell when", got);
}

/* 2 x and the sum round once each, by 2^-24 of what they give: at most 1.5 * 2^-24 of |2 x| + 1, the tolerance twice.
 */
static void a_right_output_is_ok(void **state)
{
    (void)state;
    expect(OUTCOME_OK, "");
    assert_true(0 <= evaluation.error_ratio && evaluation.error_ratio <= 0.5);
}

static void a_wrong_element_is_named(void **state)
{
    (void)state;
    float wrong = right[70] + 1;
    char message[128];
    poke(AFFINE_Y, 70 * 4, &wrong, 4);
    snprintf(message, sizeof message, "y[70]: got %.9g, expected ", (double)wrong);
    expect(OUTCOME_WRONG_RESULT, message);
    assert_non_null(strstr(evaluation.message, "; 1 of 100 elements wrong"));
    double expected = ((double)wrong - (2.0 * ((double)right[70] - 1) / 2 + 1)) /
                      (3 * 0x1p-24 * (fabs((double)right[70] - 1) + 1)); /* |2 x| = |y - 1| */
    assert_true(fabs(evaluation.error_ratio / expected - 1) < 1e-5);
}

/* With the magnitude that the reference gave, |2 x| + 1. */
static void both_parts_of_a_tolerance_are_named(void **state)
{
    (void)state;
    float wrong = right[70] + 1;
    char part[128];
    affine.check.absolute = 0.001;
    poke(AFFINE_Y, 70 * 4, &wrong, 4);
    expect(OUTCOME_WRONG_RESULT, "y[70]: got ");
    snprintf(part, sizeof part, " within 1.78814e-07 * %.6g + 0.001 (largest error ",
             fabs((double)right[70] - 1) + 1);
    if (!strstr(evaluation.message, part))
        fail_msg("%s: no %s", evaluation.message, part);
    affine.check.bound = 0;
    evaluation.outcome = OUTCOME_OK;
    expect(OUTCOME_WRONG_RESULT, "y[70]: got ");
    if (!strstr(evaluation.message, " within 0.001 (largest error "))
        fail_msg("%s", evaluation.message);
    affine.check.absolute = 1.001;
    evaluation.outcome = OUTCOME_OK;
    expect(OUTCOME_OK, "");
    affine.check.bound = 3 * 0x1p-24;
    affine.check.absolute = 0;
}

/* The values of y lie between -1 and 3, whatever the reference says. */
/* Of two buffers that the launches swapped, the one that the check names. */
static void what_was_swapped_has_the_name_of_its_check(void **state)
{
    (void)state;
    static char name[] = "answer";
    float wrong = right[70] + 1;
    affine.check.name = name;
    poke(AFFINE_Y, 70 * 4, &wrong, 4);
    expect(OUTCOME_WRONG_RESULT, "answer[70]: got ");
    affine.check.name = NULL;
}

static void a_bound_alone_compares_with_nothing(void **state)
{
    (void)state;
    const float large = -6, nan = NAN;
    const struct job_check compared = affine.check;
    affine.check = (struct job_check){.buffer = AFFINE_Y, .below = true, .absolute = 4};
    expect(OUTCOME_OK, "");
    assert_true(0.5 < evaluation.error_ratio && evaluation.error_ratio <= 0.75);
    poke(AFFINE_Y, 70 * 4, &large, 4);
    expect(OUTCOME_WRONG_RESULT,
           "y[70]: got -6, must be within 4 of 0 (largest error 1.5 times the tolerance); 1 of ");
    poke(AFFINE_Y, 9 * 4, &nan, 4);
    evaluation.outcome = OUTCOME_OK;
    expect(OUTCOME_NOT_FINITE, "y[9]: got nan, must be within 4 of 0; 1 of 100 elements are NaN or infinite");
    affine.check = compared;
}

static void never_written_and_not_finite_differ(void **state)
{
    (void)state;
    const uint32_t poison = 0x7fa55eed;
    const float infinity = INFINITY;
    poke(AFFINE_Y, 4 * 9, &infinity, 4);
    expect(OUTCOME_NOT_FINITE, "y[9]: got inf, expected ");
    assert_non_null(strstr(evaluation.message, "1 of 100 elements are NaN or infinite"));
    poke(AFFINE_Y, 4 * 12, &poison, 4);
    evaluation.outcome = OUTCOME_OK;
    expect(OUTCOME_NOT_FINITE, "y: 1 of 100 elements were never written, first at 12");
}

/* The element that an index would have named: byte 400 is y[100], byte -1 belongs to y[-1]. */
static void guard_bands_name_the_index(void **state)
{
    (void)state;
    const char bytes[8] = "garbage";
    poke(AFFINE_Y, 4 * AFFINE_N + 8, bytes, 8);
    expect(OUTCOME_OUT_OF_BOUNDS, "wrote past the end of y: 8 bytes, first at byte 408 (y[102], the extent is 100)");
    poke(AFFINE_Y, -5, bytes, 1);
    evaluation.outcome = OUTCOME_OK;
    expect(OUTCOME_OUT_OF_BOUNDS, "wrote before y: 1 bytes, nearest at byte -5 (y[-2])");
    must(validation_resize_guarded(&validation, 4 * AFFINE_N, &instance->buffers[AFFINE_Y].memory, &error));
}

static void inputs_must_not_change(void **state)
{
    (void)state;
    const float changed[2] = {5, 5};
    float x[AFFINE_N];
    must(validation.driver->download(validation.device, x, instance->buffers[AFFINE_X].memory.address, sizeof x,
                                     &error));
    poke(AFFINE_X, 4 * 30, changed, 8);
    expect(OUTCOME_OUT_OF_BOUNDS, "wrote into the input x at element 30; 2 of 100 elements changed");
    poke(AFFINE_X, 0, x, sizeof x);
}

/* A "wrong" result is suspicious if the reference is not what it was. */
static void a_damaged_reference_is_the_kernels_doing(void **state)
{
    (void)state;
    uint64_t address = instance->buffers[AFFINE_Y].reference + 8 * 4;
    double value, damaged = 1000;
    must(validation.driver->download(validation.device, &value, address, 8, &error));
    must(validation.driver->upload(validation.device, address, &damaged, 8, &error));
    expect(OUTCOME_OUT_OF_BOUNDS, "wrote far out of bounds, into the expected results");
    must(validation.driver->upload(validation.device, address, &value, 8, &error));
}

/* Programs of a finish and a verify block, each one kernel with the arguments of the job's launch. */
static struct program compile_text(const char *text)
{
    struct program program;
    struct job_program source = affine_program(0);
    must(program_compile(validation.driver, validation.device, &validation.description, validation.images, &source,
                         text, strlen(text), &program, &error));
    return program;
}

static void judge_with(const char *finish, const char *verify)
{
    char text[512];
    struct job_case with = affine.job.cases[JOB_TUNED];
    struct program programs_of[2] = {{0}};
    const char *const bodies[] = {finish, verify};
    for (size_t i = 0; i < 2; i++) {
        snprintf(text, sizeof text, "__global__ void k%s%s\n}\n}\n", AFFINE_HEAD("float *x, float *y"),
                 bodies[i] ? bodies[i] : "");
        programs_of[i] = compile_text(text);
    }
    with.finish = (struct job_steps){&affine.launch, finish ? 1 : 0};
    with.verify = (struct job_steps){&affine.launch, verify ? 1 : 0};
    const struct validated_run run = {&with, instance, &programs_of[0], &programs_of[1]};
    evaluation_clear(&evaluation);
    must(validation_resize_guarded(&validation, 4 * AFFINE_N, &instance->buffers[AFFINE_Y].memory, &error));
    begin(NULL);
    must(validate_run(&validation, &run, ", at size n=100", &evaluation, &error));
    for (size_t i = 0; i < 2; i++)
        program_unload(validation.driver, validation.device, &programs_of[i]);
}

static void expect_said(enum outcome outcome, const char *message)
{
    const char *got = evaluation.message ? evaluation.message : "";
    if (evaluation.outcome != outcome || strncmp(got, message, strlen(message)) != 0)
        fail_msg("got %s \"%s\", expected %s \"%s\"", outcome_name(evaluation.outcome), got, outcome_name(outcome),
                 message);
}

/* Finish comes first: it doubles y, and verify halves it again. */
static void finish_and_verify_make_what_is_compared(void **state)
{
    (void)state;
    judge_with("y[i] = 2 * y[i];", "y[i] = 0.5f * y[i];");
    expect_said(OUTCOME_OK, "");
    judge_with("y[i] = 2 * y[i];", NULL);
    expect_said(OUTCOME_WRONG_RESULT, "y[0]: got ");
    judge_with(NULL, "y[i] = i == 7 ? 0 : y[i];");
    expect_said(OUTCOME_WRONG_RESULT, "y[7]: got 0, ");
}

static void stray_writes_of_verify_are_its_own(void **state)
{
    (void)state;
    judge_with(NULL, "if (i == 3) y[n] = 1;");
    expect_said(OUTCOME_OUT_OF_BOUNDS, "the verify block wrote past the end of y: ");
    judge_with(NULL, "x[0] = 7;");
    expect_said(OUTCOME_OUT_OF_BOUNDS, "the verify block wrote into the input x ");
    const struct instance_buffer *x = &instance->buffers[AFFINE_X];
    must(validation_fill(&validation, x->memory.address, instance_array(x), &x->filling, &error));
    judge_with("if (i == 3) y[n] = 1;", "y[i] = y[i] + 1;");
    expect_said(OUTCOME_OUT_OF_BOUNDS, "wrote past the end of y: ");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_right_output_is_ok, begin, end),
        cmocka_unit_test_setup_teardown(a_wrong_element_is_named, begin, end),
        cmocka_unit_test_setup_teardown(both_parts_of_a_tolerance_are_named, begin, end),
        cmocka_unit_test_setup_teardown(what_was_swapped_has_the_name_of_its_check, begin, end),
        cmocka_unit_test_setup_teardown(a_bound_alone_compares_with_nothing, begin, end),
        cmocka_unit_test_setup_teardown(never_written_and_not_finite_differ, begin, end),
        cmocka_unit_test_setup_teardown(guard_bands_name_the_index, begin, end),
        cmocka_unit_test_setup_teardown(inputs_must_not_change, begin, end),
        cmocka_unit_test_setup_teardown(a_damaged_reference_is_the_kernels_doing, begin, end),
        cmocka_unit_test_setup_teardown(finish_and_verify_make_what_is_compared, begin, end),
        cmocka_unit_test_setup_teardown(stray_writes_of_verify_are_its_own, begin, end),
    };
    return cmocka_run_group_tests(tests, open_all, close_all);
}

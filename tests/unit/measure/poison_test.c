/* SPDX-License-Identifier: Apache-2.0 */
/* Kernels on the CPU device that are right with one poison, or beside one guard band, and not with another. */
#include "tests/unit/measure/affine_programs.h"

#include "tuner/measure/poison.h"
#include "tuner/measure/program.h"

static struct affine_job affine;
static struct evaluation evaluation;

static int end(void **state)
{
    (void)state;
    evaluation_clear(&evaluation);
    return 0;
}

/* Check the kernel with this body, with i < n. `role` is that of y. */
static void check(const char *kernel, enum buffer_role role)
{
    struct instance *instance;
    struct program program;
    char text[512];
    affine_make(&affine, NULL, NULL);
    affine.buffers[AFFINE_Y].role = role;
    if (role == BUFFER_INOUT)
        affine.buffers[AFFINE_Y].initial = INITIAL_INDEX;
    snprintf(text, sizeof text, "__global__ void k%s%s\n}\n}\n", AFFINE_HEAD("const float *x, float *y"), kernel);
    must(program_compile(validation.driver, validation.device, &validation.description, validation.images,
                         &affine.job.program, text, strlen(text), &program, &error));
    must(instance_create(&validation, programs, &affine.job, JOB_TUNED, &instance, &error));
    evaluation_clear(&evaluation);
    evaluation = evaluation_unmeasured;
    const struct validated_run run = {
        .job_case = &affine.job.cases[JOB_TUNED], .instance = instance, .program = &program};
    must(poison_check(&validation, &run, ", at size n=100", &evaluation, &error));
    instance_free(&validation, instance);
    program_unload(validation.driver, validation.device, &program);
}

static void expect(enum outcome outcome, const char *message)
{
    const char *got = evaluation.message ? evaluation.message : "";
    if (evaluation.outcome != outcome || strncmp(got, message, strlen(message)) != 0 || (!message[0] && got[0]))
        fail_msg("got %s \"%s\", expected %s \"%s\"", outcome_name(evaluation.outcome), got, outcome_name(outcome),
                 message);
}

static void who_reads_nothing_passes(void **state)
{
    (void)state;
    check("y[i] = 2 * x[i] + 1;", BUFFER_OUT);
    expect(OUTCOME_OK, "");
    check("y[i] = x[i]; y[i] = 2 * y[i] + 1;", BUFFER_OUT); /* but what it has written itself */
    expect(OUTCOME_OK, "");
}

static void who_reads_is_told_what(void **state)
{
    (void)state;
    check("y[i] = y[i] > 0 ? 7 : 2 * x[i] + 1;", BUFFER_OUT); /* every other element holds a positive number */
    expect(OUTCOME_WRONG_RESULT,
           "depends on what was in y before: it reads elements that it has not written; y[0]: got 7, expected ");
    assert_non_null(strstr(evaluation.message, "; 50 of 100 elements wrong, at size n=100"));
}

/* Random bytes are no NaN, all bits set are one. */
static void what_lies_outside_must_not_matter(void **state)
{
    (void)state;
    check("float far = x[n]; y[i] = far == far ? 2 * x[i] + 1 : 7;", BUFFER_OUT);
    expect(OUTCOME_OUT_OF_BOUNDS,
           "depends on what lies outside of x: it reads out of bounds; y[0]: got 7, expected ");
    check("float far = y[-1]; y[i] = far == far ? 2 * x[i] + 1 : 7;", BUFFER_INOUT);
    expect(OUTCOME_OUT_OF_BOUNDS,
           "depends on what lies outside of y: it reads out of bounds; y[0]: got 7, expected ");
    check("float far = x[n]; y[i] = 2 * x[i] + 1; if (far == 3) y[i] = far;", BUFFER_OUT); /* read, but never used */
    expect(OUTCOME_OK, "");
}

static void an_output_with_initial_values_may_be_read(void **state)
{
    (void)state;
    check("y[i] = y[i] > 1e6f ? 7 : 2 * x[i] + 1;", BUFFER_INOUT);
    expect(OUTCOME_OK, "");
}

static void a_stray_write_stays_one(void **state)
{
    (void)state;
    check("float before = y[i]; y[i] = 2 * x[i] + 1; if (before > 0 && i == 98) y[n] = 3;", BUFFER_OUT);
    expect(OUTCOME_OUT_OF_BOUNDS, "wrote past the end of y: 4 bytes");
    assert_non_null(strstr(evaluation.message, ", at size n=100, with other values in its out and temp buffers"));
}

/* Wrong with other poison, and out of bounds in the next run, whatever the poison: the device is to be cleaned up. */
static void damage_in_a_further_run_counts(void **state)
{
    (void)state;
    check(
        "static int runs; if (i == 0) runs++; y[i] = 2 * x[i] + 1 + (runs == 1); if (i == 0 && runs == 2) y[n] = 3;",
        BUFFER_OUT);
    expect(OUTCOME_OUT_OF_BOUNDS, "y[0]: got ");
}

static void what_fails_anyhow_is_not_blamed_on_reading(void **state)
{
    (void)state;
    check("y[i] = 2 * x[i] + 1 + (i == 3);", BUFFER_OUT);
    expect(OUTCOME_WRONG_RESULT, "y[3]: got ");
    assert_non_null(strstr(evaluation.message, ", at size n=100, when run again"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(who_reads_nothing_passes, end),
        cmocka_unit_test_teardown(who_reads_is_told_what, end),
        cmocka_unit_test_teardown(what_lies_outside_must_not_matter, end),
        cmocka_unit_test_teardown(an_output_with_initial_values_may_be_read, end),
        cmocka_unit_test_teardown(a_stray_write_stays_one, end),
        cmocka_unit_test_teardown(damage_in_a_further_run_counts, end),
        cmocka_unit_test_teardown(what_fails_anyhow_is_not_blamed_on_reading, end),
    };
    return cmocka_run_group_tests(tests, affine_programs_open, affine_programs_close);
}

/* SPDX-License-Identifier: Apache-2.0 */
/* References on the CPU device whose results cannot be compared with, each for its own reason. */
#include "tests/unit/measure/affine_programs.h"

#include "tuner/measure/expected.h"

static struct affine_job affine;

/* `reference`: its body, with i < n. */
static void make(const char *reference)
{
    static char file[] = "folder/t.template";
    affine_make(&affine, NULL, reference);
    affine.check.file = file;
    affine.check.line = 12;
    affine.check.column = 7;
}

static bool create(void)
{
    struct instance *instance;
    error = (struct error){0};
    bool created = instance_create(&validation, programs, &affine.job, JOB_TUNED, &instance, &error);
    instance_free(&validation, instance);
    return created;
}

static void expect_refused(const char *reference, const char *text)
{
    size_t live = allocations.live;
    make(reference);
    assert_false(create());
    assert_int_equal(error.code, ERROR_INPUT);
    if (strncmp(error.text, text, strlen(text)) != 0)
        fail_msg("got \"%s\", expected \"%s\"", error.text, text);
    assert_string_equal(error.file, "folder/t.template");
    assert_true(error.line == 12 && error.column == 7);
    assert_int_equal(allocations.live, live);
}

static void expect_accepted(void)
{
    if (!create())
        fail_msg("%s", error.text);
}

static void values_must_be_finite(void **state)
{
    (void)state;
    make(NULL);
    expect_accepted(); /* what is allocated once and kept, is */
    expect_refused("ref[i] = i > 96 ? sqrt(-1.0) : 1; mag[i] = 1;",
                   "the reference computes nan for y[97]; 3 of 100 expected values are not finite, at size n=100");
    assert_non_null(strstr(error.hint, "end `check y` with `allow nonfinite`"));
    expect_refused("ref[i] = i == 8 ? -1 / (double)(i - 8) : 1; mag[i] = 1;",
                   "the reference computes -inf for y[8]; 1");
    expect_refused("ref[i] = i == 9 ? log(0.0) : 1; mag[i] = 1;", "the reference computes -inf for y[9]; 1 of 100");
}

static void they_may_be_allowed_not_to_be(void **state)
{
    (void)state;
    make("ref[i] = i > 96 ? sqrt(-1.0) : i == 8 ? -log(0.0) : 1; mag[i] = fabs(ref[i]);");
    affine.check.nonfinite = true;
    expect_accepted();
    make("ref[i] = 1; mag[i] = i == 4 ? -log(0.0) : 1;"); /* with which any number is right */
    affine.check.nonfinite = true;
    assert_false(create());
    assert_non_null(strstr(error.text, "the reference computes inf for element 4 of mag(y), at size n=100"));
}

/* 10^39 has no float: an exact check could only expect an infinity. */
static void exact_values_must_fit_the_type(void **state)
{
    (void)state;
    make("ref[i] = i == 2 ? 1e39 : 1; mag[i] = 1;");
    expect_accepted();
    affine.check.exact = true;
    assert_false(create());
    assert_non_null(strstr(error.text, "the reference computes 1e+39 for y[2], too much for a float; 1 of 100"));
    affine.check.nonfinite = true;
    expect_accepted();
}

static void magnitudes_must_be_finite_and_not_negative(void **state)
{
    (void)state;
    expect_refused(
        "ref[i] = 1; mag[i] = i == 5 ? -2 : 1;",
        "the reference computes -2 for element 5 of mag(y), at size n=100; a magnitude must be finite and");
    expect_refused("ref[i] = 1; mag[i] = i == 5 ? sqrt(-1.0) : 1;",
                   "the reference computes nan for element 5 of mag");
}

/* With y a NaN its comparisons are false; with y a large number of either sign they are not. */
static void a_reference_must_not_read_what_nobody_wrote(void **state)
{
    (void)state;
    expect_refused("ref[i] = y[i] < 0 ? 1 : 2; mag[i] = 1;",
                   "the reference depends on what was in y before: it reads elements that it has not written; "
                   "ref(y)[1] is 2, then 1, at size n=100");
    assert_non_null(strstr(error.hint, "make y inout"));
    expect_refused("ref[i] = 1; mag[i] = y[i] > 0 ? 1 : 2;",
                   "the reference depends on what was in y before: it reads elements that it has not written; "
                   "mag(y)[0] is 2, then 1");
    expect_refused("ref[i] = y[i] + x[i]; mag[i] = 1;", /* rather than that it is NaN */
                   "the reference depends on what was in y before: it reads elements that it has not written; "
                   "ref(y)[0] is nan, then ");
    expect_refused("ref[i] = ref[i] > 0 ? 1 : 2; mag[i] = 1;",
                   "the reference depends on what was in ref() and mag() before: ");
    make("((float *)y)[i] = 3; ref[i] = y[i]; mag[i] = 1;"); /* it may use y for itself */
    expect_accepted();
}

static void a_reference_must_not_read_out_of_bounds(void **state)
{
    (void)state;
    expect_refused("ref[i] = x[n] == x[n] ? 2 : 1; mag[i] = 1;",
                   "the reference depends on what lies outside of x: it reads out of bounds; "
                   "ref(y)[0] is 2, then 1, at size n=100");
    make("double far = x[i + 1]; ref[i] = i == n ? far : 2.0 * x[i] + 1; mag[i] = 1;"); /* read, but never used */
    expect_accepted();
}

static void a_reference_must_compute_the_same_each_time(void **state)
{
    (void)state;
    expect_refused("static int runs; if (i == 0) runs++; ref[i] = i == 50 ? runs : 1; mag[i] = 1;",
                   "the reference computes something else each time: ref(y)[50] is 1, then 2, at size n=100");
    make("static int runs; if (i == 0) runs++; ref[i] = 1 + 1e-9 * runs; mag[i] = 1;"); /* within the tolerance */
    expect_accepted();
}

/* A device that has room for the reference once has room for it. */
static void without_memory_it_is_not_run_again(void **state)
{
    (void)state;
    make("ref[i] = y[i] < 0 ? 1 : 2; mag[i] = 1;");
    fail_allocation(6, ERROR_DOES_NOT_FIT); /* two buffers, reference and magnitude, and those once more */
    bool created = create();
    fail_allocation(0, ERROR_NONE);
    assert_true(created);
    fail_allocation(6, ERROR_OUT_OF_MEMORY);
    created = create();
    fail_allocation(0, ERROR_NONE);
    assert_false(created);
    assert_int_equal(error.code, ERROR_OUT_OF_MEMORY);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_must_be_finite),
        cmocka_unit_test(they_may_be_allowed_not_to_be),
        cmocka_unit_test(exact_values_must_fit_the_type),
        cmocka_unit_test(magnitudes_must_be_finite_and_not_negative),
        cmocka_unit_test(a_reference_must_not_read_what_nobody_wrote),
        cmocka_unit_test(a_reference_must_not_read_out_of_bounds),
        cmocka_unit_test(a_reference_must_compute_the_same_each_time),
        cmocka_unit_test(without_memory_it_is_not_run_again),
    };
    return cmocka_run_group_tests(tests, affine_programs_open, affine_programs_close);
}

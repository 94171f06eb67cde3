/* SPDX-License-Identifier: Apache-2.0 */
/* Buffers with their initial values, the memory that they need, checks and work. */
#include "tests/unit/job/job_fixture.h"

#include "tuner/job/case.h"

#include <stdio.h>

static void test_buffers(void **state)
{
    (void)state;
    struct fixture fixture;
    struct job *job = lower_text(&fixture,
                                 SMALL("buffer a : uchar[n // 2] in uniform(0, 256)\nbuffer b : int[0] temp\n"
                                       "buffer c : double[n] in constant(-0.5)\nbuffer d : ushort[n] in index()\n",
                                       "k<<<1, 1>>>(y, c)"),
                                 "space s of t\nset A = 1\n");
    const struct job_case *tuned = &job->cases[JOB_TUNED];
    static const struct job_buffer expected[] = {
        {"x", &scalar_layouts[ELEMENT_FLOAT], 64, BUFFER_IN, INITIAL_UNIFORM, -1, 1},
        {"y", &scalar_layouts[ELEMENT_FLOAT], 64, BUFFER_OUT, INITIAL_NONE, 0, 0},
        {"a", &scalar_layouts[ELEMENT_UCHAR], 32, BUFFER_IN, INITIAL_UNIFORM, 0, 256}, /* exclusive: 255 still fits */
        {"b", &scalar_layouts[ELEMENT_INT], 0, BUFFER_TEMP, INITIAL_NONE, 0, 0},
        {"c", &scalar_layouts[ELEMENT_DOUBLE], 64, BUFFER_IN, INITIAL_CONSTANT, -0.5, 0},
        {"d", &scalar_layouts[ELEMENT_USHORT], 64, BUFFER_IN, INITIAL_INDEX, 0, 0},
    };
    assert_int_equal(tuned->buffer_count, sizeof expected / sizeof *expected);
    for (size_t i = 0; i < tuned->buffer_count; i++) {
        const struct job_buffer *buffer = &tuned->buffers[i], *wanted = &expected[i];
        assert_string_equal(buffer->name, wanted->name);
        assert_ptr_equal(buffer->layout, wanted->layout);
        assert_int_equal(buffer->extent, wanted->extent);
        assert_int_equal(buffer->role, wanted->role);
        assert_int_equal(buffer->initial, wanted->initial);
        assert_true(buffer->a == wanted->a && buffer->b == wanted->b);
    }
    assert_true(tuned->checks[0].exact);
    assert_true(tuned->work.flops == 0 && tuned->work.bytes == 0);
    job_free(job);
    fixture_free(&fixture);
}

/*
 * x: 64 floats; y: 64 floats with a double for the value and one for the magnitude; two guard bands of 16 KiB each:
 * 64 * 4 + 64 * (4 + 16) + 4 * 16384 = 67072 bytes.
 */
static void test_memory(void **state)
{
    (void)state;
    for (int64_t spare = -1; spare <= 0; spare++) {
        struct fixture fixture;
        struct job *job = NULL;
        fixture_parse(&fixture, SMALL("", "k<<<1, 1>>>(y)"), "space s of t\nset A = 1\n");
        fixture.device.memory_bytes = 64 * 4 + 64 * (4 + 16) + 4 * 16384 + spare;
        assert_success(fixture_try(&fixture), &fixture.error);
        bool fits = job_lower(fixture.problem, 0, 1, &job, &fixture.error);
        assert_int_equal(fits, spare == 0);
        if (!fits) {
            assert_int_equal(fixture.error.code, ERROR_DOES_NOT_FIT);
            assert_mentions(fixture.error.text, "size n=64 needs 65.5 KiB of memory, but the device has 65.5 KiB");
            assert_mentions(fixture.error.text, "the largest buffer, y, takes 33.2 KiB"); /* 32768 + 1280 bytes */
            assert_mentions(fixture.error.hint, "--size");
        }
        job_free(job);
        fixture_free(&fixture);
    }
}

/* sum_error(n) grows with n; the bound is its value times the factor. */
static void test_checks_and_work(void **state)
{
    (void)state;
    static const char text[] =
        "template t\nsize n = 64\nawkward n = 1\nparameter A\nsource \"k.cu\"\n"
        "buffer y : float[n] out\nbuffer z : int[n] out\nlaunch { k<<<1, 1>>>(y, z) }\n"
        "reference \"r.cu\" { r<<<1, 1>>>(ref(y), ref(z)) }\n"
        "check y within n / 1024 absolute A / n allow nonfinite\ncheck z exact\nwork flops = n * n, bytes = "
        "8 * n, special = 3 * n * A, integer = A\n";
    struct fixture fixture;
    struct job *job = lower_text(&fixture, text, "space s of t\nset A = 2\n");
    static const double sizes[] = {64, 1};
    for (size_t i = 0; i < JOB_CASES; i++) {
        const struct job_case *one = &job->cases[i];
        assert_int_equal(one->check_count, 2);
        assert_false(one->checks[0].exact);
        assert_true(one->checks[0].bound == sizes[i] / 1024);
        assert_true(one->checks[0].absolute == 2 / sizes[i]);
        assert_true(one->checks[1].exact && one->checks[1].absolute == 0);
        assert_true(one->checks[0].nonfinite && !one->checks[1].nonfinite);
        assert_string_equal(one->checks[0].file, "test.template");
        assert_int_equal(one->checks[1].line, one->checks[0].line + 1);
        assert_int_equal(one->checks[1].column, 7);
        assert_int_equal(one->checks[1].buffer, 1);
        assert_true(one->work.flops == sizes[i] * sizes[i] && one->work.bytes == 8 * sizes[i]);
        assert_true(one->work.special_ops == 6 * sizes[i] && one->work.integer_ops == 2);
        assert_true(one->work.shared_traffic == 0);
    }
    job_free(job);
    fixture_free(&fixture);
}

#define WORK(check, work)                                                                                            \
    "template t\nsize n = 64\nparameter A\nsource \"k.cu\"\nbuffer y : float[n] out\nlaunch { k<<<1, 1>>>(y) }\n"    \
    "reference \"r.cu\" { r<<<1, 1>>>(ref(y)) }\ncheck y" check "\nwork " work "\n"

/* Ranges follow the sizes and the parameters; one of several may be empty. */
static void test_ranges(void **state)
{
    (void)state;
    struct fixture fixture;
    struct job *job = lower_text(
        &fixture,
        WORK("[0 : n - A] exact\ncheck y[n - A : n - 1] within 1\ncheck y[n - 1 : n - 1] exact", "flops = 1"),
        "space s of t\nset A = 3\n");
    static const uint64_t expected[][2] = {{0, 61}, {61, 2}, {63, 0}};
    for (size_t i = 0; i < 3; i++) {
        const struct job_check *check = &job->cases[JOB_TUNED].checks[i];
        assert_int_equal(job_check_first(check), expected[i][0]);
        assert_int_equal(job_check_count(check, 64), expected[i][1]);
    }
    job_free(job);
    fixture_free(&fixture);
}

static void test_refusals(void **state)
{
    (void)state;
    const struct failure cases[] = {
        {SMALL("buffer z : float[A * 8 - 100] temp\n", "k<<<1, 1>>>(y, z)"), ERROR_INPUT,
         "buffer z has a negative extent (-28)"},
        {SMALL("buffer z : float[A * 2 ** 58] temp\n", "k<<<1, 1>>>(y, z)"), ERROR_INPUT, "too many to address"},
        {SMALL("buffer z : float[A * 2 ** 62] temp\n", "k<<<1, 1>>>(y, z)"), ERROR_INPUT, "too large"},
        {SMALL("buffer z : double[n * 2 ** 20] temp\n", "k<<<1, 1>>>(y, z)"), ERROR_DOES_NOT_FIT, "needs 512.1 MiB"},
        {SMALL("buffer z : uchar[n] in uniform(0, 257)\n", "k<<<1, 1>>>(y, z)"), ERROR_INPUT, "does not fit"},
        {SMALL("buffer z : uchar[n] in uniform(9, 9)\n", "k<<<1, 1>>>(y, z)"), ERROR_INPUT,
         "uniform(9, 9) is an empty range"},
        {SMALL("buffer z : int[n] in constant(0.5)\n", "k<<<1, 1>>>(y, z)"), ERROR_INPUT,
         "0.5 is not a whole number, as type int requires"},
        {WORK(" within -1", "flops = 1, bytes = 1"), ERROR_INPUT,
         "check y: the bound is -1; it must be finite and not negative"},
        {WORK(" within 1 absolute 1 - A", "flops = 1"), ERROR_INPUT,
         "check y: the bound is -8; it must be finite and not negative"},
        {WORK("[0 : 9] exact\ncheck y[9 :] below 1 - A", "flops = 1"), ERROR_INPUT,
         "check y: the bound is -8; it must be finite and not negative"},
        {WORK(" unordered within A", "flops = 1"), ERROR_INPUT,
         "check y: the bound is 9; that of an unordered check must not exceed 1"},
        {WORK("[0 : n + 1] exact", "flops = 1"), ERROR_INPUT, "y[0 : 65] is not a range of the buffer"},
        {WORK("[A : 3] exact", "flops = 1"), ERROR_INPUT, "y[9 : 3] is not a range of the buffer, which has 64"},
        {WORK("[A : A] exact", "flops = 1"), ERROR_INPUT, "no element of y is checked"},
        {WORK("[0 : A] exact\ncheck y[A - 1 :] exact", "flops = 1"), ERROR_INPUT,
         "y[8 : 64] overlaps with y[0 : 9], which is checked, too"},
        {WORK(" exact", "flops = 0 - n, bytes = 1"), ERROR_INPUT, "work: flops is -64"},
        {WORK(" exact", "special = 0 - n"), ERROR_INPUT, "work: special is -64"},
    };
    EXPECT_FAILURES(cases);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_buffers), cmocka_unit_test(test_memory),   cmocka_unit_test(test_checks_and_work),
        cmocka_unit_test(test_ranges),  cmocka_unit_test(test_refusals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

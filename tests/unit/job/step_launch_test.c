/* SPDX-License-Identifier: Apache-2.0 */
/* Launches at the device's limits and one beyond, offsets at the ends of buffers, types of scalars. */
#include "tests/unit/job/job_fixture.h"

#include "tuner/job/step_launch.h"

static const struct job_step *launch_of(const struct job *job)
{
    const struct job_steps *launch = &job->cases[JOB_TUNED].launch;
    assert_int_equal(launch->count, 1);
    assert_int_equal(launch->steps[0].kind, STEP_LAUNCH);
    return &launch->steps[0];
}

/* The fixture's device: blocks of 1024 threads, 64 in z; grids of 2^31 - 1 by 65535 by 65535; 232448 bytes. */
static void test_limits_are_allowed(void **state)
{
    (void)state;
    struct fixture fixture;
    struct job *job = lower_text(&fixture, SMALL("", "k<<<(2 ** 31 - 1, 65535, 65535), (4, 4, 64), 232448>>>(y)"),
                                 "space s of t\nset A = 1\n");
    const struct job_step *step = launch_of(job);
    assert_int_equal(step->grid.x, 2147483647);
    assert_int_equal(step->grid.y, 65535);
    assert_int_equal(step->grid.z, 65535);
    assert_int_equal(step->block.x * step->block.y * step->block.z, 1024);
    assert_int_equal(step->shared, 232448);
    job_free(job);
    fixture_free(&fixture);
}

static void test_refusals(void **state)
{
    (void)state;
    const struct failure cases[] = {
        {SMALL("", "k<<<n // 65, 1>>>(y)"), ERROR_INPUT, "kernel k: the grid's x is 0; it must be at least 1"},
        {SMALL("", "k<<<1, (1, n - 64)>>>(y)"), ERROR_INPUT, "the block's y is 0"},
        {SMALL("", "k<<<1, (1, 1, 0 - n)>>>(y)"), ERROR_INPUT, "the block's z is -64"},
        {SMALL("", "k<<<1, 1, 0 - n>>>(y)"), ERROR_INPUT, "shared memory is negative (-64 bytes)"},
        {SMALL("", "k<<<(1, 65536), 1>>>(y)"), ERROR_RESOURCES, "the grid's y is 65536; the device's limit is 65535"},
        {SMALL("", "k<<<2 ** 31, 1>>>(y)"), ERROR_RESOURCES, "limit is 2147483647"},
        {SMALL("", "k<<<1, (64, 32)>>>(y)"), ERROR_RESOURCES,
         "2048 threads (64 x 32 x 1); the device's limit is 1024"},
        {SMALL("", "k<<<1, (1, 1, 65)>>>(y)"), ERROR_RESOURCES, "the block's z is 65; the device's limit is 64"},
        {SMALL("", "k<<<1, 2048>>>(y)"), ERROR_RESOURCES, "the block's x is 2048"},
        {SMALL("", "k<<<1, 1, 232449>>>(y)"), ERROR_RESOURCES, "the device's limit is 232448"},
        {SMALL("", "k<<<6, 1, cluster = 4>>>(y)"), ERROR_RESOURCES,
         "the grid's x is 6, which is not a multiple of the cluster's, 4"},
        {SMALL("", "k<<<(8, 6, 9), 1, cluster = (2, 2, 2)>>>(y)"), ERROR_RESOURCES, "the grid's z is 9"},
        {SMALL("", "k<<<64, 1, cluster = 17>>>(y)"), ERROR_RESOURCES,
         "a cluster has 17 blocks (17 x 1 x 1); the limit is 16"},
        {SMALL("", "k<<<64, 1, launches = A - 9>>>(y)"), ERROR_INPUT,
         "kernel k: launches is 0; it must be from 1 to 2147483647"},
        {SMALL("", "k<<<64, 1, launches = 2 ** 31>>>(y)"), ERROR_INPUT, "launches is 2147483648; it must be"},
        {SMALL("", "k<<<64, 1, cluster = A - 9>>>(y)"), ERROR_INPUT, "the cluster's x is 0"},
        {SMALL("", "k<<<1, 1>>>(y + 65)"), ERROR_INPUT, "y + 65 is outside the buffer, which has 64 elements"},
        {SMALL("", "k<<<1, 1>>>(y + (0 - 1))"), ERROR_INPUT, "y + -1 is outside"},
        {SMALL("", "k<<<1, 1>>>(y, n * 100000000)"), ERROR_INPUT, "6400000000 does not fit type int"},
        {SMALL("let q = n // (A - 9)\n", "k<<<q, 1>>>(y)"), ERROR_INPUT, "division by zero"},
    };
    EXPECT_FAILURES(cases);
}

/* A cluster of one block is none, so that it can be launched on any GPU; others need compute capability 9.0. */
static void test_clusters(void **state)
{
    (void)state;
    struct fixture fixture;
    struct job *job;
    fixture_parse(&fixture, SMALL("", "k<<<64, 1, cooperative = A == 2, cluster = (A, 1, 2 - 1)>>>(y)"),
                  "space s of t\nparam A = [1, 2]\n");
    snprintf(fixture.device.kind, sizeof fixture.device.kind, "cuda");
    fixture.device.compute_capability = 90;
    assert_success(fixture_try(&fixture), &fixture.error);
    job = lower(&fixture, 0);
    assert_int_equal(launch_of(job)->cluster.x, 0);
    assert_false(launch_of(job)->cooperative);
    job_free(job);
    job = lower(&fixture, 1);
    assert_int_equal(launch_of(job)->cluster.x, 2);
    assert_int_equal(launch_of(job)->cluster.z, 1);
    assert_true(launch_of(job)->cooperative);
    job_free(job);
    fixture_free(&fixture);

    fixture_parse(&fixture, SMALL("", "k<<<64, 1, cluster = A>>>(y)"), "space s of t\nparam A = [1, 2]\n");
    snprintf(fixture.device.kind, sizeof fixture.device.kind, "cuda");
    fixture.device.compute_capability = 86;
    assert_success(fixture_try(&fixture), &fixture.error);
    job_free(lower(&fixture, 0));
    assert_false(job_lower(fixture.problem, 1, 1, &job, &fixture.error));
    assert_int_equal(fixture.error.code, ERROR_RESOURCES);
    assert_mentions(fixture.error.text, "clusters need compute capability 9.0");
    assert_mentions(fixture.error.text, "has 8.6");
    fixture_free(&fixture);
}

/* A device without limits (the CPU's description may have none) still cannot exceed 32 bits. */
static void test_no_limits(void **state)
{
    (void)state;
    struct fixture fixture;
    struct job *job;
    fixture_parse(&fixture, SMALL("", "k<<<A, (2048, 2048, 2048), 2 ** 40>>>(y)"),
                  "space s of t\nparam A = [2 ** 32 - 1, 2 ** 32]\n");
    fixture.device = (struct device_description){.kind = "cpu", .name = "boundless"};
    assert_success(fixture_try(&fixture), &fixture.error);
    job = lower(&fixture, 0);
    assert_int_equal(launch_of(job)->grid.x, UINT32_MAX);
    assert_int_equal(launch_of(job)->shared, (uint64_t)1 << 40);
    job_free(job);
    assert_false(job_lower(fixture.problem, 1, 1, &job, &fixture.error));
    assert_int_equal(fixture.error.code, ERROR_RESOURCES);
    assert_mentions(fixture.error.text, "the device's limit is 4294967295");
    fixture_free(&fixture);
}

static void test_arguments(void **state)
{
    (void)state;
    struct fixture fixture;
    struct job *job = lower_text(&fixture, SMALL("", "k<<<1, 1>>>(x + 64, y, A, A / 2, uchar(A), long(A))"),
                                 "space s of t\nset A = 9\n");
    const struct job_step *step = launch_of(job);
    static const enum element elements[] = {ELEMENT_INT, ELEMENT_FLOAT, ELEMENT_UCHAR, ELEMENT_LONG};
    assert_int_equal(step->argument_count, 6);
    assert_int_equal(step->arguments[0].kind, ARGUMENT_BUFFER);
    assert_int_equal(step->arguments[0].offset, 64); /* one past the end is a valid pointer */
    assert_int_equal(step->arguments[1].buffer, 1);
    for (size_t i = 0; i < 4; i++) {
        assert_int_equal(step->arguments[i + 2].kind, ARGUMENT_SCALAR);
        assert_int_equal(step->arguments[i + 2].element, elements[i]);
    }
    assert_int_equal(step->arguments[2].bytes[0], 9);
    float half;
    memcpy(&half, step->arguments[3].bytes, sizeof half);
    assert_true(half == 4.5f);
    job_free(job);
    fixture_free(&fixture);
}

/* Each statement once, however often it is carried out; arguments on lines of their own have those. */
static void test_places(void **state)
{
    (void)state;
    struct fixture fixture;
    struct job *job =
        lower_text(&fixture, SMALL("", "for i in range(9) { k<<<1, 1>>>(x, i)\n l<<<1, 1>>>(y,\n  long(i),\n n) }"),
                   "space s of t\nset A = 9\n");
    const struct job_program *program = &job->program;
    const struct job_steps *launch = &job->cases[JOB_TUNED].launch;
    assert_string_equal(program->template_file, "test.template");
    assert_int_equal(launch->count, 18);
    assert_int_equal(program->statement_count, 2);
    for (size_t i = 0; i < 18; i++)
        assert_int_equal(launch->steps[i].statement, i % 2);
    const struct job_statement *second = &program->statements[1];
    assert_int_equal(second->argument_count, 3);
    assert_int_equal(second->place.line, 8); /* SMALL puts six lines before the launch */
    assert_string_equal(second->place.excerpt, " l<<<1, 1>>>(y,");
    assert_null(second->arguments[0].excerpt); /* the same line */
    assert_int_equal(second->arguments[1].line, 9);
    assert_int_equal(second->arguments[1].column, 3);
    assert_int_equal(second->arguments[1].length, strlen("long(i)"));
    assert_string_equal(second->arguments[1].excerpt, "  long(i),");
    assert_string_equal(second->arguments[2].excerpt, " n) } }");
    assert_int_equal(job->reference.statement_count, 1);
    job_free(job);
    fixture_free(&fixture);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_limits_are_allowed), cmocka_unit_test(test_refusals),  cmocka_unit_test(test_no_limits),
        cmocka_unit_test(test_clusters),           cmocka_unit_test(test_arguments), cmocka_unit_test(test_places),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

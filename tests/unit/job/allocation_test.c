/* SPDX-License-Identifier: Apache-2.0 */
/* Each allocation of lowering, writing and reading a job fails in turn: an error, or the very same job. */
#include "tests/unit/data/opened.h"
#include "tests/unit/everything.h"
#include "tests/unit/failing_allocator.h"
#include "tests/unit/job/job_fixture.h"

#include "tuner/job/write.h"

/* Write and read it with each allocation failing. */
static void fail_each_trip(const struct job *whole)
{
    struct job *job;
    json_t *expected = job_to_json(whole);
    char *key = write_inputs(whole, &whole->cases[JOB_TUNED], "hash");
    failing_allocator_take_jansson();
    bool failed = true;
    for (size_t n = 1; failed; n++) {
        struct error error = {0};
        failing_allocator_begin(n);
        json_t *document = job_to_json(whole);
        failed = failing_allocator_end();
        assert_true(document ? json_equal(document, expected) : failed);
        json_decref(document);

        failing_allocator_begin(n);
        char *text = write_inputs(whole, &whole->cases[JOB_TUNED], "hash");
        failed |= failing_allocator_end();
        if (text)
            assert_string_equal(text, key);
        free(text);

        failing_allocator_begin(n);
        bool done = job_from_json(expected, &job, &error);
        failed |= failing_allocator_end();
        if (done) {
            document = job_to_json(job);
            assert_true(json_equal(document, expected));
            json_decref(document);
        } else {
            assert_int_equal(error.code, ERROR_OUT_OF_MEMORY);
        }
        job_free(job);
    }
    json_set_alloc_funcs(__real_malloc, free);
    free(key);
    json_decref(expected);
}

/* Lower configuration 0 with each allocation failing, then write and read it. */
static void fail_each(const struct problem *problem)
{
    struct job *whole, *job;
    struct error error = {0};
    assert_success(job_lower(problem, 0, 42, &whole, &error), &error);
    json_t *expected = job_to_json(whole);
    bool failed = true;
    size_t n = 1;
    for (; failed; n++) {
        error = (struct error){0};
        failing_allocator_begin(n);
        bool done = job_lower(problem, 0, 42, &job, &error);
        failed = failing_allocator_end();
        if (done) {
            json_t *document = job_to_json(job);
            if (!json_equal(document, expected))
                fail_msg("allocation %zu failed unnoticed: %s", n, json_dumps(document, 0));
            json_decref(document);
            job_free(job);
        } else {
            assert_true(failed);
            assert_int_equal(error.code, ERROR_OUT_OF_MEMORY);
            assert_null(job);
        }
    }
    assert_true(n > 20);
    fail_each_trip(whole);
    json_decref(expected);
    job_free(whole);
}

static void every_statement(void **state)
{
    (void)state;
    struct fixture fixture;
    fixture_create(&fixture, everything, everything_space);
    fail_each(fixture.problem);
    fixture_free(&fixture);
}

/* Initial and expected values in files. */
static void data_in_files(void **state)
{
    (void)state;
    struct fixture f = {.device = fixture_device()};
    struct inputs *inputs;
    static const char text[] = Y "buffer x : float[n] in file(\"x.npy\")\nreference file(\"y.npy\")\n";
    static const char space[] = "space s of t\n";
    opened_write("x.npy", "<f4", "False", "(16,)", 64);
    opened_write("y.npy", "<i4", "False", "(16,)", 64);
    assert_success(template_parse("t.template", opened_folder, text, strlen(text), &f.template, &f.error), &f.error);
    assert_success(space_parse("s.space", space, strlen(space), f.template, &f.space, &f.error), &f.error);
    assert_success(inputs_open(f.template, NULL, 0, &inputs, &f.error), &f.error);
    const struct problem_request request = {
        .template = f.template, .space = f.space, .device = &f.device, .inputs = inputs};
    assert_success(problem_make(&request, &f.problem, &f.error), &f.error);
    fail_each(f.problem);
    fixture_free(&f);
    inputs_free(inputs);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_statement),
        cmocka_unit_test(data_in_files),
    };
    return cmocka_run_group_tests(tests, opened_make_folder, opened_remove_folder);
}

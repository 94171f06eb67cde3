/* SPDX-License-Identifier: Apache-2.0 */
/* Each allocation of lowering, writing and reading a job fails in turn: an error, or the very same job. */
#include "tests/unit/failing_allocator.h"
#include "tests/unit/job/job_fixture.h"

#include "tuner/job/write.h"

static const char template_text[] =
    "template t\nsize n = 1000\nparameter A\nparameter B\nsource \"k.cu\"\noption \"-O1\" if A > 1\n"
    "let half = n // 2\n"
    "buffer x : float[n] in uniform(-1, 1)\nbuffer y : float[n] out\nbuffer z : float[n] temp\nbuffer f : int[1] "
    "temp\n"
    "setup \"s.cu\" { s<<<1, 1>>>(x) }\nprepare { p<<<1, 1>>>(x, z) }\n"
    "launch {\n copy c <- x[1 : 9]\n fill z = 0.1\n copy z[3] <- x[4 : 9]\n"
    " for i in range(0, 3) { k<<<half, (8, 4)>>>(x + 5, y, i, double(0.1))\n swap y, z }\n"
    " repeat 9 while f { k<<<1, 1>>>(y, f) }\n}\n"
    "reference \"r.cu\" { r<<<1, 1>>>(x, ref(y), mag(y)) }\ncheck y within sum_error(n)\n";

static void test_lowering(void **state)
{
    (void)state;
    struct fixture fixture;
    fixture_create(&fixture, template_text, "space s of t\nset A = -2.5\nset B = \"fast\"\n");
    struct job *whole = lower(&fixture, 0), *job;
    json_t *expected = job_to_json(whole);
    size_t n = 1;
    for (;; n++) {
        struct error error = {0};
        failing_allocator_begin(n);
        bool done = job_lower(fixture.problem, 0, 42, &job, &error);
        bool failed = failing_allocator_end();
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
        if (!failed)
            break;
    }
    assert_true(n > 50);
    json_decref(expected);
    job_free(whole);
    fixture_free(&fixture);
}

static void test_writing_and_reading(void **state)
{
    (void)state;
    struct fixture fixture;
    struct job *whole = lower_text(&fixture, template_text, "space s of t\nset A = 2\nset B = true\n"), *job;
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
    job_free(whole);
    fixture_free(&fixture);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_lowering),
        cmocka_unit_test(test_writing_and_reading),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

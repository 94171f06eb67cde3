/* SPDX-License-Identifier: Apache-2.0 */
/* The messages of check workers, and which roles are theirs. */
#include "tests/unit/check/kernel_fixture.h"

#include "tuner/check/check_worker.h"
#include "tuner/workers/remote_error.h"

static void a_request_carries_the_task(void **state)
{
    (void)state;
    struct fixture fixture;
    struct job *read;
    const char *folder;
    int which;
    kernel_fixture_create(&fixture, "[\"clean\"]");
    struct job *job = kernel_fixture_job(&fixture, 0);
    const struct check_task task = {job, JOB_AWKWARD, "a folder"};
    json_t *request = check_request(&task, &fixture.error);
    assert_non_null(request);
    assert_int_equal(json_unpack(request, "{s:s, s:i}", "folder", &folder, "case", &which), 0);
    assert_string_equal(folder, "a folder");
    assert_int_equal(which, JOB_AWKWARD);
    assert_success(job_from_json(json_object_get(request, "job"), &read, &fixture.error), &fixture.error);
    assert_string_equal(read->program.path, job->program.path);
    job_free(read);
    json_decref(request);

    free(job->program.path);
    job->program.path = strdup("\xff\xfe.cu"); /* a path that is not UTF-8 */
    assert_null(check_request(&task, &fixture.error));
    assert_mentions(fixture.error.text, "UTF-8");
    job_free(job);
    fixture_free(&fixture);
}

static bool answer(json_t *json, bool *last, bool *unusable, struct error *error)
{
    const struct message message = {.json = json};
    bool done = check_answer(&message, last, unusable, error);
    json_decref(json);
    return done;
}

static void an_answer_is_taken_apart(void **state)
{
    (void)state;
    struct error error = {0}, sent = {0};
    bool last = true, unusable = true;
    assert_true(answer(json_object(), &last, &unusable, &error));
    assert_false(last || unusable);

    error_set(&sent, ERROR_FAULT, "a trap");
    assert_false(answer(json_pack("{s:o, s:b}", "error", error_to_json(&sent), "last", 1), &last, &unusable, &error));
    assert_true(last && !unusable);
    assert_int_equal(error.code, ERROR_FAULT);
    assert_string_equal(error.text, "a trap");

    error_set(&sent, ERROR_WORK, "no sanitizer");
    assert_false(
        answer(json_pack("{s:o, s:b}", "error", error_to_json(&sent), "unusable", 1), &last, &unusable, &error));
    assert_true(unusable && !last);
}

static void other_roles_are_left_alone(void **state)
{
    (void)state;
    assert_int_equal(check_worker_main("measure", -1), -1);
    assert_int_equal(check_worker_main("", -1), -1);
    assert_string_not_equal(check_roles[CHECK_BOUNDS], check_roles[CHECK_RACES]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_request_carries_the_task),
        cmocka_unit_test(an_answer_is_taken_apart),
        cmocka_unit_test(other_roles_are_left_alone),
    };
    return cmocka_run_group_tests(tests, scratch_folder_create, scratch_folder_remove);
}

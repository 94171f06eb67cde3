/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/unit/workers/crew_fixture.h"

#include "tests/unit/expect.h"
#include "tuner/cluster/hand_message.h"
#include "tuner/cluster/hand_request.h"

static json_t *open_request(void)
{
    static const char *const folders[] = {"/a", "/b\xc3\xa9\xe9"};
    static const int ordinals[] = {2, 5};
    const struct device_description description = device("cuda", 0);
    const struct crew_plan plan = {.device = &description,
                                   .ordinals = ordinals,
                                   .ordinal_count = 2,
                                   .compile_jobs = 7,
                                   .core_part = 1,
                                   .core_parts = 3,
                                   .no_cache = true,
                                   .source_folders = folders,
                                   .source_folder_count = 2,
                                   .compile_deadline = 11,
                                   .measure_deadline = 12,
                                   .patience = 13,
                                   .lock_patience = 14};
    struct device_description target = description;
    target.memory_bytes = 12345;
    return hand_open_request(&plan, &target, "/a/template", "0123456789abcdef");
}

static void test_a_session_reads_back_as_it_was(void **state)
{
    (void)state;
    struct hand_opening opening;
    struct error error = {0};
    json_t *request = open_request();
    assert_success(hand_opening_read(request, &opening, &error), &error);
    json_decref(request); /* the opening keeps it */
    const struct crew_plan *plan = &opening.plan;
    assert_string_equal(plan->device->kind, "cuda");
    assert_int_equal(opening.target.memory_bytes, 12345);
    assert_int_equal(plan->ordinal_count, 2);
    assert_true(plan->ordinals[0] == 2 && plan->ordinals[1] == 5);
    assert_int_equal(plan->compile_jobs, 7);
    assert_true(plan->core_part == 1 && plan->core_parts == 3);
    assert_true(plan->no_cache && !plan->unconfined && !plan->compiles_only);
    assert_int_equal(plan->source_folder_count, 2);
    assert_string_equal(plan->source_folders[1], "/b\xc3\xa9\xe9");
    assert_true(plan->compile_deadline == 11 && plan->measure_deadline == 12);
    assert_true(plan->patience == 13 && plan->lock_patience == 14);
    assert_string_equal(opening.template_path, "/a/template");
    assert_string_equal(opening.template_hash, "0123456789abcdef");
    hand_opening_clear(&opening);
}

static void refuses_opening(const char *member, json_t *value, const char *says)
{
    struct hand_opening opening;
    struct error error = {0};
    json_t *request = open_request();
    assert_int_equal(json_object_set_new(request, member, value), 0);
    assert_false(hand_opening_read(request, &opening, &error));
    assert_int_equal(error.code, ERROR_MESSAGE);
    assert_mentions(error.text, says);
    hand_opening_clear(&opening);
    json_decref(request);
}

static void test_sessions_that_cannot_be_are_refused(void **state)
{
    (void)state;
    json_t *many = json_array();
    for (int i = 0; i <= CREW_DEVICES_MOST; i++)
        json_array_append_new(many, json_integer(i));
    refuses_opening("ordinals", many, "too many devices");
    refuses_opening("source_folders", json_pack("[s, i]", "/a", 1), "source_folders");
    refuses_opening("hash", json_null(), "open");
    refuses_opening("more", json_true(), "open");
}

static struct candidate *given_candidate(void)
{
    static const char *const limit = "registers <= 64";
    struct candidate *given = candidate("source.cu", 3);
    assert_true(limits_parse(&limit, 1, &given->limits, NULL));
    given->effort = (struct evaluation_effort){.samples = 20, .energy = true, .limits = given->limits};
    given->expected_seconds = 0.5;
    given->measurer = 0;
    given->compile_seconds = 0.25;
    given->spill_bytes = 16;
    return given;
}

static void test_a_candidate_reads_back_as_it_was(void **state)
{
    (void)state;
    struct error error = {0};
    struct candidate *given = given_candidate(), *got = NULL;
    struct message message = {.json = hand_evaluate_request(given, 42)};
    const json_t *order = message.json;
    assert_success(hand_candidate_read(&message, &got, &order, &error), &error);
    assert_null(order);
    assert_int_equal(got->index, 42);
    assert_true(got->effort.incumbent_ns == 77);
    assert_string_equal(got->job->program.path, "source.cu");
    assert_int_equal(got->effort.samples, 20);
    assert_true(got->effort.energy);
    assert_string_equal(limits_condition(got->effort.limits), limits_condition(given->limits));
    assert_true(got->expected_seconds == 0.5);
    assert_int_equal(got->measurer, 0);
    assert_true(got->compile_seconds == 0.25);
    assert_int_equal(got->spill_bytes, 16);
    assert_null(got->image);
    candidate_free(got);
    candidate_free(given);
    message_clear(&message);
}

static void test_a_candidate_to_be_lowered_comes_with_an_order(void **state)
{
    (void)state;
    struct error error = {0};
    struct candidate *given = given_candidate(), *got = NULL;
    struct message message = {.json = hand_evaluate_request(given, 42)};
    const json_t *order = NULL;
    json_object_del(message.json, "job");
    json_object_set_new(message.json, "lower", json_integer(5));
    assert_success(hand_candidate_read(&message, &got, &order, &error), &error);
    assert_null(got->job);
    assert_int_equal(json_integer_value(order), 5);
    assert_int_equal(got->effort.samples, 20);
    candidate_free(got);
    candidate_free(given);
    message_clear(&message);
}

static void test_candidates_that_cannot_be_are_refused(void **state)
{
    (void)state;
    static const char *const members[] = {"token", "samples", "lower"};
    for (size_t i = 0; i < sizeof members / sizeof *members; i++) {
        struct error error = {0};
        struct candidate *given = given_candidate(), *got;
        struct message message = {.json = hand_evaluate_request(given, 42)};
        const json_t *order;
        json_object_set_new(message.json, members[i], json_integer(-1));
        assert_false(hand_candidate_read(&message, &got, &order, &error));
        assert_int_equal(error.code, ERROR_MESSAGE);
        candidate_free(given);
        message_clear(&message);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_session_reads_back_as_it_was),
        cmocka_unit_test(test_sessions_that_cannot_be_are_refused),
        cmocka_unit_test(test_a_candidate_reads_back_as_it_was),
        cmocka_unit_test(test_a_candidate_to_be_lowered_comes_with_an_order),
        cmocka_unit_test(test_candidates_that_cannot_be_are_refused),
    };
    return cmocka_run_group_tests_name("hand_request", tests, NULL, NULL);
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/unit/cluster/cluster_fixture.h"

#include "tests/unit/advanced_clock.h"
#include "tuner/cluster/hand_image.h"
#include "tuner/job/job.h"

static void submit(struct cluster_fixture *fixture, size_t count)
{
    for (size_t i = 0; i < count; i++)
        fleet_submit(fixture->fleet, new_candidate(i));
    step(fixture);
}

/* One is finished: with this index. */
static struct candidate *one_finished(struct cluster_fixture *fixture, size_t index)
{
    struct candidate *candidate = fleet_finished(fixture->fleet);
    assert_non_null(candidate);
    assert_int_equal(candidate->index, index);
    assert_null(fleet_finished(fixture->fleet));
    return candidate;
}

static void test_work_goes_to_whoever_asks_for_it(void **state)
{
    (void)state;
    struct cluster_fixture fixture;
    fixture_open(&fixture, FIXTURE_HANDS);
    assert_int_equal(fleet_room(fixture.fleet), 0);
    has_room(&fixture, 0, 1, 0);
    has_room(&fixture, 2, 2, 0);
    assert_int_equal(fleet_room(fixture.fleet), 3);
    submit(&fixture, 3);
    assert_int_equal(fleet_room(fixture.fleet), 0);
    assert_int_equal(fleet_inside(fixture.fleet), 3);
    hears_token(&fixture, 0);
    hears_token(&fixture, 2);
    hears_token(&fixture, 2);
    assert_true(hears_nothing(&fixture, 0) && hears_nothing(&fixture, 1) && hears_nothing(&fixture, 2));
    has_room(&fixture, 2, 2, 1); /* said before the second arrived there */
    assert_int_equal(fleet_room(fixture.fleet), 1);
    fixture_free(&fixture);
}

static void test_what_a_hand_has_evaluated_comes_back_as_from_a_crew(void **state)
{
    (void)state;
    struct cluster_fixture fixture;
    fixture_open(&fixture, FIXTURE_HANDS);
    has_room(&fixture, 1, 5, 0);
    submit(&fixture, 2);
    hears_token(&fixture, 1);
    finishes(&fixture, 1, hears_token(&fixture, 1), 1234);
    step(&fixture);
    struct candidate *candidate = one_finished(&fixture, 1);
    assert_true(candidate->evaluation.time_ns == 1234);
    assert_string_equal(candidate->evaluation.awkward, "");
    assert_true(candidate->image_hash != 0);
    assert_int_equal(fleet_inside(fixture.fleet), 1);
    candidate_free(candidate);
    fixture_free(&fixture);
}

static void test_an_answer_counts_once_and_only_from_whom_was_asked(void **state)
{
    (void)state;
    struct cluster_fixture fixture;
    fixture_open(&fixture, FIXTURE_HANDS);
    has_room(&fixture, 1, 5, 0);
    submit(&fixture, 1);
    uint64_t token = hears_token(&fixture, 1);
    finishes(&fixture, 0, token, 1);
    channel_number(fixture.ends[1], fixture.session - 1); /* an earlier session */
    finishes(&fixture, 1, token, 2);
    channel_number(fixture.ends[1], fixture.session);
    finishes(&fixture, 1, token, 3);
    finishes(&fixture, 1, token, 4);
    step(&fixture);
    struct candidate *candidate = one_finished(&fixture, 0);
    assert_true(candidate->evaluation.time_ns == 3);
    assert_int_equal(fleet_inside(fixture.fleet), 0);
    candidate_free(candidate);
    fixture_free(&fixture);
}

static void test_what_a_lost_hand_had_goes_to_another(void **state)
{
    (void)state;
    struct cluster_fixture fixture;
    fixture_open(&fixture, FIXTURE_HANDS);
    has_room(&fixture, 0, 2, 0);
    submit(&fixture, 2);
    is_gone(&fixture, 0);
    step(&fixture);
    assert_int_equal(fleet_inside(fixture.fleet), 2);
    assert_mentions(fixture.notice, "going on without first (rank 1)");
    assert_int_equal(fleet_room(fixture.fleet), 0);
    has_room(&fixture, 1, 3, 0);
    assert_int_equal(fleet_room(fixture.fleet), 1); /* the two come first */
    step(&fixture);
    finishes(&fixture, 1, hears_token(&fixture, 1), 7);
    hears_token(&fixture, 1);
    step(&fixture);
    struct candidate *candidate = fleet_finished(fixture.fleet);
    assert_non_null(candidate);
    assert_int_equal(candidate->evaluation.outcome, OUTCOME_OK);
    candidate_free(candidate);
    fixture_free(&fixture);
}

/* It may be what ends them. */
static void test_a_candidate_is_lost_with_two_hands_at_most(void **state)
{
    (void)state;
    struct cluster_fixture fixture;
    fixture_open(&fixture, FIXTURE_HANDS);
    has_room(&fixture, 0, 1, 0);
    submit(&fixture, 1);
    is_gone(&fixture, 0);
    step(&fixture);
    has_room(&fixture, 1, 1, 0);
    step(&fixture);
    hears_token(&fixture, 1);
    is_gone(&fixture, 1);
    step(&fixture);
    struct candidate *candidate = one_finished(&fixture, 0);
    assert_int_equal(candidate->evaluation.outcome, OUTCOME_CRASH);
    assert_int_equal(candidate->evaluation.transient, 1);
    candidate_free(candidate);
    fixture_free(&fixture);
}

static void test_without_any_hand_the_work_ends(void **state)
{
    (void)state;
    struct cluster_fixture fixture;
    fixture_open(&fixture, 1); /* the others only compile */
    is_gone(&fixture, 0);
    assert_false(fleet_step(fixture.fleet, 0, &fixture.error));
    assert_mentions(fixture.error.text, "connection");
    fixture_free(&fixture);
}

static void test_a_fault_of_the_template_ends_the_work_at_once(void **state)
{
    (void)state;
    struct cluster_fixture fixture;
    struct error fault = {0};
    error_set(&fault, ERROR_WORK, "the bus is gone");
    fixture_open(&fixture, FIXTURE_HANDS);
    says(&fixture, 1, hand_failed(&fault));
    step(&fixture);
    assert_mentions(fixture.notice, "the bus is gone");
    error_set(&fault, ERROR_INPUT, "the reference is broken");
    says(&fixture, 2, hand_failed(&fault));
    assert_false(fleet_step(fixture.fleet, 0, &fixture.error));
    assert_string_equal(fixture.error.text, "the reference is broken");
    fixture_free(&fixture);
}

static void test_nonsense_loses_a_hand(void **state)
{
    (void)state;
    struct cluster_fixture fixture;
    fixture_open(&fixture, FIXTURE_HANDS);
    has_room(&fixture, 1, 1, 0);
    submit(&fixture, 1);
    says(&fixture, 1, json_pack("{s:s, s:i}", "hand", "finished", "token", -1));
    step(&fixture);
    assert_true(hands_is_lost(fixture.hands, 1));
    assert_mentions(fixture.notice, "malformed");
    assert_int_equal(fleet_inside(fixture.fleet), 1);
    fixture_free(&fixture);
}

static void test_silence_loses_a_hand_only_while_it_has_work(void **state)
{
    (void)state;
    struct cluster_fixture fixture;
    fixture_open(&fixture, FIXTURE_HANDS);
    has_room(&fixture, 1, 1, 0);
    clock_ahead += 3600;
    submit(&fixture, 1);
    assert_false(hands_is_lost(fixture.hands, 1)); /* it could not have answered yet */
    hears_token(&fixture, 1);
    clock_ahead += 3600;
    step(&fixture);
    assert_true(hands_is_lost(fixture.hands, 1));
    assert_mentions(fixture.notice, "it has work and is silent");
    assert_int_equal(fleet_inside(fixture.fleet), 1);
    fixture_free(&fixture);
}

/* All but what is being measured, which comes back as usual. */
static void test_dropped_candidates_are_given_back(void **state)
{
    (void)state;
    struct cluster_fixture fixture;
    fixture_open(&fixture, FIXTURE_HANDS);
    has_room(&fixture, 1, 2, 0);
    submit(&fixture, 2);
    uint64_t first = hears_token(&fixture, 1), second = hears_token(&fixture, 1);
    fleet_drop_waiting(fixture.fleet);
    step(&fixture);
    struct message drop = hears(&fixture, 1, "drop");
    message_clear(&drop);
    assert_true(hears_nothing(&fixture, 0)); /* which had nothing */
    says(&fixture, 1, hand_returned(json_pack("[I]", (json_int_t)second), &no_load));
    step(&fixture);
    assert_int_equal(fleet_inside(fixture.fleet), 1);
    finishes(&fixture, 1, first, 5);
    step(&fixture);
    candidate_free(one_finished(&fixture, 0));
    assert_int_equal(fleet_inside(fixture.fleet), 0);
    fixture_free(&fixture);
}

static void test_an_image_goes_from_where_it_was_compiled_to_where_it_is_measured(void **state)
{
    (void)state;
    struct cluster_fixture fixture;
    char text[3000];
    void *image = NULL;
    size_t bytes = 0;
    memset(text, 'x', sizeof text);
    fixture_open(&fixture, 1);
    has_room(&fixture, 0, 1, 0);
    has_room(&fixture, 2, 1, 0);
    submit(&fixture, 1);
    struct candidate compiled = {.image = text, .image_bytes = sizeof text, .spill_bytes = 12, .compile_seconds = 3};
    compiled.index = (size_t)hears_token(&fixture, 2);
    assert_true(hears_nothing(&fixture, 0));
    struct message message;
    assert_true(hand_compiled(&compiled, &no_load, &message, NULL));
    sends(&fixture, 2, &message);
    step(&fixture);
    step(&fixture);
    message = hears(&fixture, 0, "evaluate");
    assert_true(message.blob_bytes < sizeof text / 4);
    assert_true(hand_image_unpack(message.blob, message.blob_bytes, &image, &bytes, NULL));
    assert_int_equal(bytes, sizeof text);
    assert_memory_equal(image, text, bytes);
    assert_int_equal(json_integer_value(json_object_get(message.json, "spill_bytes")), 12);
    assert_true(json_number_value(json_object_get(message.json, "compile_seconds")) == 3);
    finishes(&fixture, 0, (uint64_t)json_integer_value(json_object_get(message.json, "token")), 9);
    step(&fixture);
    candidate_free(one_finished(&fixture, 0));
    free(image);
    message_clear(&message);
    fixture_free(&fixture);
}

static void test_finals_stay_on_the_first_device(void **state)
{
    (void)state;
    struct cluster_fixture fixture;
    fixture_open(&fixture, FIXTURE_HANDS);
    has_room(&fixture, 1, 9, 0);
    for (size_t i = 0; i < 2; i++) {
        struct candidate *finalist = new_candidate(i);
        finalist->measurer = 0;
        fleet_submit(fixture.fleet, finalist);
    }
    step(&fixture);
    hears_token(&fixture, 0);
    hears_token(&fixture, 0);
    is_gone(&fixture, 0);
    step(&fixture);
    step(&fixture);
    hears_token(&fixture, 1);
    hears_token(&fixture, 1);
    fixture_free(&fixture);
}

static void test_what_cannot_be_launched_is_finished_as_by_a_crew(void **state)
{
    (void)state;
    struct cluster_fixture fixture;
    fixture_open(&fixture, FIXTURE_HANDS);
    struct candidate *given = new_candidate(4);
    job_free(given->job);
    given->job = NULL;
    fleet_submit(fixture.fleet, given);
    struct candidate *candidate = one_finished(&fixture, 4);
    assert_non_null(candidate->evaluation.awkward);
    candidate_free(candidate);
    fixture_free(&fixture);
}

static void test_hands_are_told_once_that_no_more_will_come(void **state)
{
    (void)state;
    struct cluster_fixture fixture;
    fixture_open(&fixture, FIXTURE_HANDS);
    fleet_close(fixture.fleet);
    fleet_close(fixture.fleet);
    step(&fixture);
    struct message closing = hears(&fixture, 0, "closing");
    assert_true(json_is_true(json_object_get(closing.json, "closing")));
    message_clear(&closing);
    assert_true(hears_nothing(&fixture, 0));
    fixture_free(&fixture);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_work_goes_to_whoever_asks_for_it),
        cmocka_unit_test(test_what_a_hand_has_evaluated_comes_back_as_from_a_crew),
        cmocka_unit_test(test_an_answer_counts_once_and_only_from_whom_was_asked),
        cmocka_unit_test(test_what_a_lost_hand_had_goes_to_another),
        cmocka_unit_test(test_a_candidate_is_lost_with_two_hands_at_most),
        cmocka_unit_test(test_without_any_hand_the_work_ends),
        cmocka_unit_test(test_a_fault_of_the_template_ends_the_work_at_once),
        cmocka_unit_test(test_nonsense_loses_a_hand),
        cmocka_unit_test(test_silence_loses_a_hand_only_while_it_has_work),
        cmocka_unit_test(test_dropped_candidates_are_given_back),
        cmocka_unit_test(test_an_image_goes_from_where_it_was_compiled_to_where_it_is_measured),
        cmocka_unit_test(test_finals_stay_on_the_first_device),
        cmocka_unit_test(test_what_cannot_be_launched_is_finished_as_by_a_crew),
        cmocka_unit_test(test_hands_are_told_once_that_no_more_will_come),
    };
    return cmocka_run_group_tests_name("fleet", tests, NULL, NULL);
}

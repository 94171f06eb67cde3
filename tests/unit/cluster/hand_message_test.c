/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/unit/expect.h"
#include "tuner/cluster/hand_message.h"

#include <stdlib.h>

static const struct hand_load load = {.room = 7, .received = 11, .crew = {2, 1, 4, 3, 5}, .held_up = 1.5};

/* Reads `json`, which it takes over. */
static bool read_report(json_t *json, struct hand_report *report, struct message *message, struct error *error)
{
    assert_non_null(json);
    *message = (struct message){.json = json};
    return hand_report_read(message, report, error);
}

/* Takes the message over. */
static void refuses_message(struct message *message, const char *says)
{
    struct hand_report report;
    struct error error = {0};
    assert_false(hand_report_read(message, &report, &error));
    assert_int_equal(error.code, ERROR_MESSAGE);
    assert_mentions(error.text, says);
    message_clear(message);
}

static void refuses(json_t *json, const char *says)
{
    assert_non_null(json);
    refuses_message(&(struct message){.json = json}, says);
}

static struct candidate done_candidate(void)
{
    static char text[] = "slow", image[] = "image";
    static double samples[] = {2, 3};
    return (struct candidate){.index = 42,
                              .image = image,
                              .image_bytes = sizeof image,
                              .from_cache = true,
                              .compile_seconds = 0.25,
                              .spill_bytes = 16,
                              .evaluation = {.outcome = OUTCOME_OK,
                                             .message = text,
                                             .time_ns = 2.5,
                                             .compile_seconds = 0.5,
                                             .samples_ns = samples,
                                             .sample_count = 2}};
}

static void test_an_evaluation_reads_back_as_it_was(void **state)
{
    (void)state;
    struct hand_report report;
    struct message message;
    struct error error = {0};
    const struct candidate done = done_candidate();
    assert_success(hand_finished(&done, &load, false, &message, &error), &error);
    assert_success(hand_report_read(&message, &report, &error), &error);
    assert_int_equal(report.event, HAND_FINISHED);
    assert_int_equal(report.token, 42);
    assert_true(report.from_cache && report.image_hash != 0 && !report.image);
    assert_true(report.evaluation.time_ns == 2.5 && report.evaluation.compile_seconds == 0.5);
    assert_int_equal(report.evaluation.sample_count, 2);
    assert_int_equal(report.load.room, 7);
    assert_int_equal(report.load.received, 11);
    assert_int_equal(report.load.crew.compilers, 2);
    assert_int_equal(report.load.crew.queued, 5);
    assert_true(report.load.held_up == 1.5);
    hand_report_clear(&report);
    message_clear(&message);
}

/* Behind the evaluation, of a finalist; and alone. */
static void test_an_image_goes_with_its_message(void **state)
{
    (void)state;
    struct hand_report report;
    struct message message;
    struct error error = {0};
    const struct candidate done = done_candidate();
    assert_success(hand_finished(&done, &load, true, &message, &error), &error);
    assert_success(hand_report_read(&message, &report, &error), &error);
    assert_true(report.evaluation.time_ns == 2.5);
    assert_int_equal(report.image_bytes, done.image_bytes);
    assert_memory_equal(report.image, done.image, done.image_bytes);
    hand_report_clear(&report);
    message_clear(&message);
    assert_success(hand_compiled(&done, &load, &message, &error), &error);
    assert_success(hand_report_read(&message, &report, &error), &error);
    assert_int_equal(report.event, HAND_COMPILED);
    assert_int_equal(report.spill_bytes, 16);
    assert_memory_equal(report.image, done.image, done.image_bytes);
    hand_report_clear(&report);
    message_clear(&message);
}

static void test_small_messages_read_back(void **state)
{
    (void)state;
    struct hand_report report;
    struct message message;
    struct error error = {0}, failure = {0};
    assert_success(read_report(hand_notice("look here"), &report, &message, &error), &error);
    assert_int_equal(report.event, HAND_NOTICE);
    assert_string_equal(report.text, "look here");
    message_clear(&message);
    error_set(&failure, ERROR_INPUT, "it is broken");
    assert_success(read_report(hand_failed(&failure), &report, &message, &error), &error);
    assert_int_equal(report.event, HAND_FAILED);
    assert_int_equal(report.failure.code, ERROR_INPUT);
    assert_string_equal(report.failure.text, "it is broken");
    message_clear(&message);
    assert_success(read_report(hand_returned(json_pack("[i, i]", 5, 6), &load), &report, &message, &error), &error);
    assert_int_equal(json_array_size(report.list), 2);
    message_clear(&message);
    assert_success(read_report(hand_refused(9, &load), &report, &message, &error), &error);
    assert_int_equal(report.event, HAND_REFUSED);
    assert_int_equal(report.token, 9);
    assert_int_equal(report.load.received, 11);
    message_clear(&message);
}

static void test_what_cannot_be_is_refused(void **state)
{
    (void)state;
    struct hand_load impossible = load;
    refuses(json_pack("{s:s}", "hand", "waves"), "unknown");
    refuses(json_object(), "unknown");
    refuses(hand_returned(json_pack("[s]", "5"), &load), "tokens");
    refuses(json_pack("{s:s, s:s}", "hand", "refused", "token", "5"), "refused");
    refuses(json_pack("{s:s, s:[]}", "hand", "devices", "devices"), "compilers");
    refuses(hand_devices(NULL, 0, json_pack("{s:i}", "cuda", 13)), "compilers");
    refuses(json_pack("{s:s, s:{}, s:i, s:i}", "hand", "devices", "compilers", "error", 1, "more", 1),
            "something else");
    impossible.held_up = -1;
    refuses(hand_load_message(&impossible), "load");
    impossible = load;
    impossible.room = SIZE_MAX;
    refuses(hand_load_message(&impossible), "load");
}

/* A message that a candidate is finished, with another value of a member (NULL: none) and so many bytes. */
static struct message altered(const struct candidate *done, const char *name, json_t *value, size_t bytes)
{
    struct message message;
    assert_true(hand_finished(done, &load, true, &message, NULL));
    if (name)
        assert_int_equal(json_object_set_new(message.json, name, value), 0);
    if (bytes < message.blob_bytes)
        message.blob_bytes = bytes;
    return message;
}

static void test_candidates_that_cannot_be_finished_so_are_refused(void **state)
{
    (void)state;
    struct candidate done = done_candidate();
    struct message message = altered(&done, NULL, NULL, SIZE_MAX);
    size_t evaluation = (size_t)json_integer_value(json_object_get(message.json, "evaluation")),
           all = message.blob_bytes;
    message_clear(&message);
    const struct {
        const char *name;
        json_t *value;
        size_t bytes;
        const char *says;
    } cases[] = {
        {"token", json_integer(-1), all, "token"},
        {"more", json_true(), all, "finished"},
        {"evaluation", json_integer(-1), all, "not all there"},
        {"evaluation", json_integer((json_int_t)all + 1), all, "not all there"},
        {"evaluation", json_integer((json_int_t)evaluation - 1), all, "wrong length"},
        {"evaluation", json_integer(0), all, "cut short"},
        {NULL, NULL, evaluation - 1, "not all there"},
        {NULL, NULL, all - 1, "damaged image"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        message = altered(&done, cases[i].name, cases[i].value, cases[i].bytes);
        refuses_message(&message, cases[i].says);
    }
    done.evaluation.time_ns = -3;
    message = altered(&done, NULL, NULL, all);
    refuses_message(&message, "time_ns");
    done.image = NULL;
    assert_true(hand_compiled(&done, &load, &message, NULL));
    refuses_message(&message, "impossible image");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_an_evaluation_reads_back_as_it_was),
        cmocka_unit_test(test_an_image_goes_with_its_message),
        cmocka_unit_test(test_small_messages_read_back),
        cmocka_unit_test(test_what_cannot_be_is_refused),
        cmocka_unit_test(test_candidates_that_cannot_be_finished_so_are_refused),
    };
    return cmocka_run_group_tests_name("hand_message", tests, NULL, NULL);
}

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
static bool read(json_t *json, struct hand_report *report, struct message *message, struct error *error)
{
    assert_non_null(json);
    *message = (struct message){.json = json};
    return hand_report_read(message, report, error);
}

static void refuses(json_t *json, const char *says)
{
    struct hand_report report;
    struct message message;
    struct error error = {0};
    assert_false(read(json, &report, &message, &error));
    assert_int_equal(error.code, ERROR_MESSAGE);
    assert_mentions(error.text, says);
    message_clear(&message);
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
    assert_success(read(hand_finished(&done, &load), &report, &message, &error), &error);
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

static void test_small_messages_read_back(void **state)
{
    (void)state;
    struct hand_report report;
    struct message message;
    struct error error = {0}, failure = {0};
    assert_success(read(hand_notice("look here"), &report, &message, &error), &error);
    assert_int_equal(report.event, HAND_NOTICE);
    assert_string_equal(report.text, "look here");
    message_clear(&message);
    error_set(&failure, ERROR_INPUT, "it is broken");
    assert_success(read(hand_failed(&failure), &report, &message, &error), &error);
    assert_int_equal(report.event, HAND_FAILED);
    assert_int_equal(report.failure.code, ERROR_INPUT);
    assert_string_equal(report.failure.text, "it is broken");
    message_clear(&message);
    assert_success(read(hand_returned(json_pack("[i, i]", 5, 6), &load), &report, &message, &error), &error);
    assert_int_equal(json_array_size(report.list), 2);
    message_clear(&message);
    assert_success(read(hand_refused(9, &load), &report, &message, &error), &error);
    assert_int_equal(report.event, HAND_REFUSED);
    assert_int_equal(report.token, 9);
    assert_int_equal(report.load.received, 11);
    message_clear(&message);
}

static void test_what_cannot_be_is_refused(void **state)
{
    (void)state;
    const struct candidate done = done_candidate();
    struct hand_load impossible = load;
    refuses(json_pack("{s:s}", "hand", "waves"), "unknown");
    refuses(json_object(), "unknown");
    json_t *finished = hand_finished(&done, &load);
    json_object_set_new(finished, "token", json_integer(-1));
    refuses(finished, "token");
    finished = hand_finished(&done, &load);
    json_object_set_new(json_object_get(finished, "evaluation"), "time_ns", json_real(-3));
    refuses(finished, "time_ns");
    finished = hand_finished(&done, &load);
    json_object_set_new(finished, "more", json_true());
    refuses(finished, "finished");
    refuses(hand_compiled(&done, &load), "impossible image"); /* there is none */
    refuses(hand_returned(json_pack("[s]", "5"), &load), "tokens");
    refuses(json_pack("{s:s, s:s}", "hand", "refused", "token", "5"), "refused");
    impossible.held_up = -1;
    refuses(hand_load_message(&impossible), "load");
    impossible = load;
    impossible.room = SIZE_MAX;
    refuses(hand_load_message(&impossible), "load");
}

static bool unpack(void *bytes, size_t count, struct error *error)
{
    const struct message message = {.blob = bytes, .blob_bytes = count};
    void *image;
    size_t size;
    bool read = hand_image(&message, &image, &size, error);
    free(image);
    return read;
}

static void test_a_damaged_image_is_refused(void **state)
{
    (void)state;
    char noise[] = "this is not compressed";
    /* a frame that promises a terabyte, and one of 4 bytes that has none */
    unsigned char large[] = {0x28, 0xb5, 0x2f, 0xfd, 0xe0, 0, 0, 0, 0, 0, 1, 0, 0, 1, 0, 0};
    unsigned char cut[] = {0x28, 0xb5, 0x2f, 0xfd, 0x20, 4};
    struct error error = {0};
    assert_false(unpack(noise, sizeof noise, &error));
    assert_mentions(error.text, "length");
    assert_false(unpack(large, sizeof large, &error));
    assert_mentions(error.text, "length");
    assert_false(unpack(cut, sizeof cut, &error));
    assert_mentions(error.text, "damaged");
    assert_int_equal(error.code, ERROR_MESSAGE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_an_evaluation_reads_back_as_it_was),
        cmocka_unit_test(test_small_messages_read_back),
        cmocka_unit_test(test_what_cannot_be_is_refused),
        cmocka_unit_test(test_a_damaged_image_is_refused),
    };
    return cmocka_run_group_tests_name("hand_message", tests, NULL, NULL);
}

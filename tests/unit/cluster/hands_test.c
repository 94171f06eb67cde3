/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/unit/cluster/cluster_fixture.h"

#include "tuner/cluster/hands_state.h"
#include "tuner/json/json_text.h"

#include <poll.h>
#include <stdlib.h>
#include <string.h>

static void test_hands_say_who_they_are(void **state)
{
    (void)state;
    struct cluster_fixture fixture;
    fixture_greet(&fixture);
    assert_int_equal(hands_count(fixture.hands), FIXTURE_HANDS);
    assert_string_equal(hands_name(fixture.hands, 0), "first (rank 1)");
    assert_string_equal(hands_node(fixture.hands, 2), "node");
    assert_string_equal(hands_cores(fixture.hands, 2), "1-0");
    fixture_free(&fixture);
}

static void greet_with(const char *member, json_t *value, const char *says_so)
{
    struct cluster_fixture fixture;
    int sockets[FIXTURE_HANDS];
    fixture_ends(&fixture, sockets);
    for (size_t i = 0; i < FIXTURE_HANDS; i++) {
        json_t *hello = hand_hello("host", "node", "1-0");
        if (i == 1)
            json_object_set(hello, member, value);
        says(&fixture, i, hello);
    }
    json_decref(value);
    assert_false(hands_create(sockets, FIXTURE_HANDS, NULL, &fixture.hands, &fixture.error));
    assert_mentions(fixture.error.text, says_so);
    fixture.hands = NULL;
    fixture_free(&fixture);
}

static void test_another_program_is_refused(void **state)
{
    (void)state;
    greet_with("protocol", json_integer(HAND_PROTOCOL + 1), "host runs tune");
    greet_with("version", json_string("9.8.7"), "9.8.7");
}

/* One sends nonsense, and one has ended. */
static void test_who_does_not_say_hello_is_left_out(void **state)
{
    (void)state;
    struct cluster_fixture fixture;
    int sockets[FIXTURE_HANDS];
    fixture_ends(&fixture, sockets);
    json_t *nonsense = hand_hello("host", "node", "1-0");
    json_object_set_new(nonsense, "node", json_integer(1));
    says(&fixture, 0, hand_hello("host", "node", "1-0"));
    says(&fixture, 1, nonsense);
    is_gone(&fixture, 2);
    assert_success(hands_create(sockets, FIXTURE_HANDS, note_of_hands, &fixture.hands, &fixture.error),
                   &fixture.error);
    assert_mentions(fixture_noted, "going on without rank 2: it sent a malformed message");
    assert_mentions(fixture_noted, "going on without rank 3: its connection has ended");
    assert_true(!hands_is_lost(fixture.hands, 0) && hands_is_lost(fixture.hands, 1) &&
                hands_is_lost(fixture.hands, 2));
    fixture_free(&fixture);
}

static void test_devices_of_all_hands(void **state)
{
    (void)state;
    struct cluster_fixture fixture;
    struct error failure = {0};
    fixture_greet(&fixture);
    struct found_device found[2] = {{.ordinal = 3, .description = fixture.device},
                                    {.ordinal = 5, .description = fixture.device}};
    error_set(&failure, ERROR_WORK, "no driver");
    says(&fixture, 0, hand_devices(found, 2, json_object()));
    says(&fixture, 1, hand_devices_failed(&failure, json_object()));
    is_gone(&fixture, 2);
    assert_success(hands_ask_devices(fixture.hands, "all", &fixture.error), &fixture.error);
    assert_success(hands_await_devices(fixture.hands, &fixture.error), &fixture.error);
    struct message request = hears(&fixture, 0, "devices");
    assert_string_equal(json_string_value(json_object_get(request.json, "device")), "all");
    message_clear(&request);
    assert_int_equal(hands_device_count(fixture.hands, 0), 2);
    assert_int_equal(hands_device(fixture.hands, 0, 1)->ordinal, 5);
    assert_string_equal(hands_device(fixture.hands, 0, 1)->description.name, "fake device");
    assert_int_equal(hands_device_count(fixture.hands, 1), 0);
    assert_int_equal(hands_device_count(fixture.hands, 2), 0);
    assert_true(hands_is_lost(fixture.hands, 2) && !hands_is_lost(fixture.hands, 1));
    assert_mentions(fixture_noted, "no device on host (rank 2): no driver");
    assert_mentions(fixture_noted, "going on without host (rank 3)");
    fixture_free(&fixture);
}

static void test_a_hand_with_devices_that_cannot_be_is_lost(void **state)
{
    (void)state;
    struct cluster_fixture fixture;
    fixture_greet(&fixture);
    const struct found_device good = {.ordinal = 3, .description = fixture.device};
    const struct found_device impossible = {.ordinal = -1, .description = fixture.device};
    says(&fixture, 0, hand_devices(&good, 1, json_object()));
    says(&fixture, 1, hand_devices(&impossible, 1, json_object()));
    says(&fixture, 2, hand_devices(&good, 1, json_object()));
    assert_success(hands_ask_devices(fixture.hands, "all", &fixture.error), &fixture.error);
    assert_success(hands_await_devices(fixture.hands, &fixture.error), &fixture.error);
    assert_true(hands_is_lost(fixture.hands, 1));
    assert_mentions(fixture_noted, "rank 2): it sent a malformed message");
    assert_int_equal(hands_device_count(fixture.hands, 0) + hands_device_count(fixture.hands, 2), 2);
    fixture_free(&fixture);
}

/* By a device, without one, and where --device means none that there is. */
static void test_who_has_which_compiler(void **state)
{
    (void)state;
    struct cluster_fixture fixture;
    struct error failure = {0};
    fixture_greet(&fixture);
    struct device_description gpu = fixture.device;
    snprintf(gpu.compiler, sizeof gpu.compiler, "NVRTC 13.0.88");
    struct device_description older = gpu, other = gpu;
    snprintf(older.compiler, sizeof older.compiler, "NVRTC 12.9.86");
    snprintf(other.kind, sizeof other.kind, "other");
    const struct found_device found = {.ordinal = 0, .description = gpu};
    error_set(&failure, ERROR_WORK, "no such device");
    assert_false(hands_has_compiler(fixture.hands, 1, &gpu)); /* nobody was asked */
    says(&fixture, 0, hand_devices(&found, 1, json_pack("{s:s}", "other", gpu.compiler)));
    says(&fixture, 1, hand_devices(NULL, 0, json_pack("{s:s}", "cuda", gpu.compiler)));
    says(&fixture, 2, hand_devices_failed(&failure, json_pack("{s:s}", "cuda", older.compiler)));
    assert_success(hands_ask_devices(fixture.hands, NULL, &fixture.error), &fixture.error);
    assert_success(hands_await_devices(fixture.hands, &fixture.error), &fixture.error);
    const struct device_description *wanted[] = {&gpu, &older, &other};
    static const bool expected[FIXTURE_HANDS][3] = {{true, false, true}, {true, false, false}, {false, true, false}};
    for (size_t i = 0; i < FIXTURE_HANDS; i++) {
        for (size_t j = 0; j < 3; j++)
            assert_int_equal(hands_has_compiler(fixture.hands, i, wanted[j]), expected[i][j]);
    }
    hands_lose(fixture.hands, 1, "test");
    assert_false(hands_has_compiler(fixture.hands, 1, &gpu));
    fixture_free(&fixture);
}

static bool wakes(const struct hands *hands)
{
    struct pollfd entry = {.fd = hands_wake(hands), .events = POLLIN};
    return poll(&entry, 1, 0) == 1;
}

/* More than a socket takes goes on as soon as the hand has read some of it. */
static void test_room_for_what_is_queued_wakes(void **state)
{
    (void)state;
    enum { BYTES = 4 << 20 };
    struct cluster_fixture fixture;
    fixture_greet(&fixture);
    char *text = malloc(BYTES + 1);
    assert_non_null(text);
    memset(text, 'x', BYTES);
    text[BYTES] = '\0';
    json_t *request = json_pack("{s:s, s:s}", "request", "say", "text", text);
    assert_success(hands_ask(fixture.hands, 1, 0, request, NULL, 0, &fixture.error), &fixture.error);
    assert_true(hands_flush(fixture.hands));
    assert_false(wakes(fixture.hands));
    struct message message;
    bool ended = false, taken = false;
    while (!taken) {
        assert_success(channel_fill(fixture.ends[1], &ended, &fixture.error), &fixture.error);
        assert_success(channel_take(fixture.ends[1], &message, &taken, &fixture.error), &fixture.error);
        assert_true(taken || wakes(fixture.hands));
        assert_success(hands_receive(fixture.hands, 0, 0, NULL, NULL, &fixture.error), &fixture.error);
    }
    assert_string_equal(json_string_value(json_object_get(message.json, "text")), text);
    assert_false(hands_flush(fixture.hands) || wakes(fixture.hands));
    message_clear(&message);
    json_decref(request);
    free(text);
    fixture_free(&fixture);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_hands_say_who_they_are),
        cmocka_unit_test(test_another_program_is_refused),
        cmocka_unit_test(test_who_does_not_say_hello_is_left_out),
        cmocka_unit_test(test_devices_of_all_hands),
        cmocka_unit_test(test_a_hand_with_devices_that_cannot_be_is_lost),
        cmocka_unit_test(test_who_has_which_compiler),
        cmocka_unit_test(test_room_for_what_is_queued_wakes),
    };
    return cmocka_run_group_tests_name("hands", tests, NULL, NULL);
}

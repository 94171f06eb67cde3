/* SPDX-License-Identifier: Apache-2.0 */
/* Framing: messages are reassembled however the socket splits them, and malformed ones are refused. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tuner/workers/message.h"

#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

struct pair {
    struct channel *a, *b;
};

static int open_pair(void **state)
{
    struct error error;
    int sockets[2];
    struct pair *pair = calloc(1, sizeof *pair);
    assert_non_null(pair);
    assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, sockets), 0);
    assert_true(channel_create(sockets[0], &pair->a, &error));
    assert_true(channel_create(sockets[1], &pair->b, &error));
    *state = pair;
    return 0;
}

static int close_pair(void **state)
{
    struct pair *pair = *state;
    channel_free(pair->a);
    channel_free(pair->b);
    free(pair);
    return 0;
}

static json_t *numbered(int number)
{
    json_t *json = json_pack("{s:i}", "number", number);
    assert_non_null(json);
    return json;
}

static unsigned char pattern(size_t i)
{
    return (unsigned char)(i * 2654435761u >> 13);
}

/* Far larger than a socket buffer: neither end may block while the other is not reading. */
static void test_large_blob_without_blocking(void **state)
{
    enum { BYTES = 5 * 1000 * 1000 + 3 };
    struct pair *pair = *state;
    struct error error;
    unsigned char *blob = malloc(BYTES);
    assert_non_null(blob);
    for (size_t i = 0; i < BYTES; i++)
        blob[i] = pattern(i);
    json_t *json = numbered(7);
    assert_true(channel_queue(pair->a, json, blob, BYTES, &error));
    json_decref(json);
    memset(blob, 0, BYTES); /* the queue holds its own copy */
    free(blob);

    struct message message;
    bool taken = false, ended = false;
    int rounds = 0;
    while (!taken) {
        assert_true(channel_flush(pair->a, &error));
        assert_true(channel_fill(pair->b, &ended, &error));
        assert_false(ended);
        assert_true(channel_take(pair->b, &message, &taken, &error));
        rounds++;
    }
    assert_true(rounds > 1);
    assert_false(channel_has_queued(pair->a));
    assert_int_equal(json_integer_value(json_object_get(message.json, "number")), 7);
    assert_int_equal(message.blob_bytes, BYTES);
    const unsigned char *bytes = message.blob;
    for (size_t i = 0; i < BYTES; i++) {
        if (bytes[i] != pattern(i))
            fail_msg("byte %zu is wrong", i);
    }
    message_clear(&message);
}

/* Two messages arriving a byte at a time are each delivered with their last byte, not before. */
static void test_byte_by_byte(void **state)
{
    static const char text[] = "{\"number\":1}";
    struct pair *pair = *state;
    struct error error;
    struct message_header header = {MESSAGE_MAGIC, sizeof text - 1, 3, 9};
    unsigned char bytes[2 * (sizeof header + sizeof text - 1 + 3)];
    size_t half = sizeof bytes / 2;
    for (size_t i = 0; i < 2; i++) {
        memcpy(bytes + i * half, &header, sizeof header);
        memcpy(bytes + i * half + sizeof header, text, sizeof text - 1);
        memcpy(bytes + i * half + sizeof header + sizeof text - 1, i == 0 ? "abc" : "xyz", 3);
    }
    size_t messages = 0;
    for (size_t i = 0; i < sizeof bytes; i++) {
        struct message message;
        bool taken, ended;
        assert_int_equal(write(channel_socket(pair->a), bytes + i, 1), 1);
        assert_true(channel_fill(pair->b, &ended, &error));
        assert_true(channel_take(pair->b, &message, &taken, &error));
        assert_int_equal(taken, (i + 1) % half == 0);
        if (!taken)
            continue;
        assert_int_equal(message.number, 9);
        assert_int_equal(message.blob_bytes, 3);
        assert_memory_equal(message.blob, messages == 0 ? "abc" : "xyz", 3);
        message_clear(&message);
        messages++;
    }
    assert_int_equal(messages, 2);
}

static void test_many_messages_at_once(void **state)
{
    struct pair *pair = *state;
    struct error error;
    bool ended;
    for (int i = 0; i < 100; i++) {
        json_t *json = numbered(i);
        assert_true(channel_queue(pair->a, json, NULL, 0, &error));
        json_decref(json);
    }
    assert_true(channel_flush(pair->a, &error));
    assert_true(channel_fill(pair->b, &ended, &error));
    for (int i = 0; i <= 100; i++) {
        struct message message;
        bool taken;
        assert_true(channel_take(pair->b, &message, &taken, &error));
        assert_int_equal(taken, i < 100);
        if (taken)
            assert_int_equal(json_integer_value(json_object_get(message.json, "number")), i);
        message_clear(&message);
    }
}

static void refuse(const struct pair *pair, const void *bytes, size_t count)
{
    struct error error = {0};
    struct message message;
    bool taken, ended;
    assert_int_equal(write(channel_socket(pair->a), bytes, count), (ssize_t)count);
    assert_true(channel_fill(pair->b, &ended, &error));
    assert_false(channel_take(pair->b, &message, &taken, &error));
    assert_false(taken);
    assert_int_equal(error.code, ERROR_MESSAGE);
    assert_ptr_equal(strstr(error.text, "it sent a malformed message: "), error.text);
    assert_null(message.json);
    assert_null(message.blob);
}

static void test_wrong_magic(void **state)
{
    refuse(*state, "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n", 36);
}

static void test_json_length_over_the_limit(void **state)
{
    const struct message_header header = {MESSAGE_MAGIC, (uint32_t)MESSAGE_JSON_MOST + 1, 0, 9};
    refuse(*state, &header, sizeof header);
}

static void test_blob_length_over_the_limit(void **state)
{
    const struct message_header header = {MESSAGE_MAGIC, 2, UINT64_MAX, 9};
    refuse(*state, &header, sizeof header);
}

static void test_broken_json(void **state)
{
    static const char *const texts[] = {"{\"a\":", "[1, 2]", "{\"a\":\"\xff\"}", "", "{\"a\":1,\"a\":2}", "{} {}"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        void *pair = NULL;
        unsigned char bytes[64];
        struct message_header header = {MESSAGE_MAGIC, (uint32_t)strlen(texts[i]), 0, 9};
        memcpy(bytes, &header, sizeof header);
        memcpy(bytes + sizeof header, texts[i], strlen(texts[i]));
        open_pair(&pair);
        refuse(pair, bytes, sizeof header + strlen(texts[i]));
        close_pair(&pair);
    }
    (void)state;
}

/* A header may announce a gigabyte; only what arrives is allocated, and end of file is still detected. */
static void test_end_of_file_within_a_message(void **state)
{
    struct pair *pair = *state;
    struct error error;
    struct message message;
    bool taken, ended;
    const struct message_header header = {MESSAGE_MAGIC, 2, MESSAGE_BLOB_MOST, 9};
    assert_int_equal(write(channel_socket(pair->a), &header, sizeof header), sizeof header);
    channel_free(pair->a);
    pair->a = NULL;
    assert_true(channel_fill(pair->b, &ended, &error));
    assert_true(ended);
    assert_true(channel_take(pair->b, &message, &taken, &error));
    assert_false(taken);
}

static void test_sending_to_a_closed_socket_is_an_error_not_a_signal(void **state)
{
    struct pair *pair = *state;
    struct error error = {0};
    json_t *json = numbered(1);
    channel_free(pair->b);
    pair->b = NULL;
    assert_false(channel_send(pair->a, json, NULL, 0, &error));
    assert_int_equal(error.code, ERROR_SYSTEM);
    json_decref(json);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_large_blob_without_blocking, open_pair, close_pair),
        cmocka_unit_test_setup_teardown(test_byte_by_byte, open_pair, close_pair),
        cmocka_unit_test_setup_teardown(test_many_messages_at_once, open_pair, close_pair),
        cmocka_unit_test_setup_teardown(test_wrong_magic, open_pair, close_pair),
        cmocka_unit_test_setup_teardown(test_json_length_over_the_limit, open_pair, close_pair),
        cmocka_unit_test_setup_teardown(test_blob_length_over_the_limit, open_pair, close_pair),
        cmocka_unit_test(test_broken_json),
        cmocka_unit_test_setup_teardown(test_end_of_file_within_a_message, open_pair, close_pair),
        cmocka_unit_test_setup_teardown(test_sending_to_a_closed_socket_is_an_error_not_a_signal, open_pair,
                                        close_pair),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

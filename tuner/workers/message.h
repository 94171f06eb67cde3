/* SPDX-License-Identifier: Apache-2.0 */
/*
 * message.h - messages between the parent and its workers: a JSON object, optionally followed by a blob of bytes.
 *
 * On the socket a message is a magic number, the two lengths and the number of its request, all in native byte order,
 * the JSON text and the blob. What answers a request, or notes something about it, carries the request's number, so
 * that nothing can be taken for an answer to another one.
 *
 * A kernel runs in the worker's process: it may have overwritten its memory, or written to its socket. So what a
 * worker sends is checked like a stranger's file: lengths against limits before anything is kept, the JSON for
 * duplicate members, and each field by whoever reads it (message_malformed). Memory is allocated only for bytes that
 * have arrived. Only channel_send and channel_receive block.
 */
#ifndef TUNE_WORKERS_MESSAGE_H
#define TUNE_WORKERS_MESSAGE_H

#include "tuner/error/error.h"

#include <jansson.h>
#include <stdint.h>

enum { MESSAGE_MAGIC = 0x454e5554, MESSAGE_JSON_MOST = 128 << 20, MESSAGE_BLOB_MOST = 1 << 30 };

struct message_header {
    uint32_t magic;
    uint32_t json_bytes;
    uint64_t blob_bytes;
    uint64_t number;
};

struct message {
    uint64_t number; /* of the request that it is, or answers */
    json_t *json;
    void *blob; /* NULL: none */
    size_t blob_bytes;
};

/* Free the contents of a received message. */
void message_clear(struct message *message);

/* ERROR_MESSAGE: "it sent a malformed message: ...". Always returns false. */
bool message_malformed(struct error *error, const char *format, ...) __attribute__((format(printf, 2, 3)));

#define message_malformed(...) error_is_false(message_malformed(__VA_ARGS__))

/* One end of a stream socket, which it owns. */
struct channel;

bool channel_create(int socket, struct channel **result, struct error *error);
void channel_free(struct channel *channel);
int channel_socket(const struct channel *channel);

/* What is queued or sent from now on carries this number. channel_receive sets it to that of the message received. */
void channel_number(struct channel *channel, uint64_t number);

/* Refuse larger messages than these; the limits above are the defaults. */
void channel_bound(struct channel *channel, size_t json_most, size_t blob_most);

/* Queue a copy of a message for sending. */
bool channel_queue(struct channel *channel, const json_t *json, const void *blob, size_t blob_bytes,
                   struct error *error);
bool channel_has_queued(const struct channel *channel);

/* Send as much of the queue as the socket accepts now. False: the peer is gone. */
bool channel_flush(struct channel *channel, struct error *error);

/* Receive what has arrived, some megabytes at most. `*ended`: the peer has closed the socket and everything it sent
 * has been received. */
bool channel_fill(struct channel *channel, bool *ended, struct error *error);

/* Take the next complete message from what was received; `*taken`: there was one. ERROR_MESSAGE: it is malformed. */
bool channel_take(struct channel *channel, struct message *message, bool *taken, struct error *error);

/* Blocking, for the worker: send a message, and wait for the next one. */
bool channel_send(struct channel *channel, const json_t *json, const void *blob, size_t blob_bytes,
                  struct error *error);
bool channel_receive(struct channel *channel, struct message *message, bool *ended, struct error *error);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * message.h - what parent and worker say to each other: a JSON object and, with some, a blob of bytes.
 *
 * On the socket a message is a magic number, the two lengths in the machine's byte order, the JSON text and the blob.
 * A worker may have been scribbled over by a kernel, so the reader believes nothing: lengths are checked against
 * limits and memory is taken only for bytes that did arrive. Sends and receives never block unless the name says so.
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
};

struct message {
    json_t *json;
    void *blob; /* NULL if there is none */
    size_t blob_bytes;
};

/* Release what a received message holds. */
void message_clear(struct message *message);

/* One end of a stream socket. It owns the socket. */
struct channel;

bool channel_create(int socket, struct channel **result, struct error *error);
void channel_free(struct channel *channel);
int channel_socket(const struct channel *channel);

/* Append a message to what is to be sent (copies it). */
bool channel_queue(struct channel *channel, const json_t *json, const void *blob, size_t blob_bytes,
                   struct error *error);
bool channel_has_queued(const struct channel *channel);

/* Send as much of the queue as the socket takes now. False: the other end is gone. */
bool channel_flush(struct channel *channel, struct error *error);

/* Receive what has arrived; `*ended` once the other end has closed the socket and all of it was received. */
bool channel_fill(struct channel *channel, bool *ended, struct error *error);

/* Take the next whole message of what was received; `*taken` tells if there was one. False: not our protocol. */
bool channel_take(struct channel *channel, struct message *message, bool *taken, struct error *error);

/* For the worker, which has nothing better to do than wait: send all, and wait for the next message. */
bool channel_send(struct channel *channel, const json_t *json, const void *blob, size_t blob_bytes,
                  struct error *error);
bool channel_receive(struct channel *channel, struct message *message, bool *ended, struct error *error);

#endif

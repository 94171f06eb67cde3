/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/workers/message.h"

#include "tuner/json/json_text.h"

#include <errno.h>
#include <inttypes.h>
#include <poll.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum {
    RECEIVE_CHUNK = 64 << 10,
    KEPT_CAPACITY = 1 << 20,
    FILL_MOST = 16 << 20, /* at a time: a peer may send faster than this reads */
};

/* Bytes [start, end) of `bytes` are in use. */
struct buffer {
    char *bytes;
    size_t start, end, capacity;
};

struct channel {
    int socket;
    uint64_t number;
    size_t json_most, blob_most;
    struct buffer incoming, outgoing;
};

void message_clear(struct message *message)
{
    json_decref(message->json);
    free(message->blob);
    *message = (struct message){0};
}

bool(message_malformed)(struct error *error, const char *format, ...)
{
    char what[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(what, sizeof what, format, arguments);
    va_end(arguments);
    return error_set(error, ERROR_MESSAGE, "it sent a malformed message: %s", what);
}

bool channel_create(int socket, struct channel **result, struct error *error)
{
    struct channel *channel = calloc(1, sizeof *channel);
    if (!channel)
        return error_out_of_memory(error);
    channel->socket = socket;
    channel_bound(channel, MESSAGE_JSON_MOST, MESSAGE_BLOB_MOST);
    *result = channel;
    return true;
}

void channel_free(struct channel *channel)
{
    if (!channel)
        return;
    close(channel->socket);
    free(channel->incoming.bytes);
    free(channel->outgoing.bytes);
    free(channel);
}

int channel_socket(const struct channel *channel)
{
    return channel->socket;
}

void channel_number(struct channel *channel, uint64_t number)
{
    channel->number = number;
}

void channel_bound(struct channel *channel, size_t json_most, size_t blob_most)
{
    channel->json_most = json_most;
    channel->blob_most = blob_most;
}

/* Make room for `more` bytes behind the used ones. */
static bool buffer_reserve(struct buffer *buffer, size_t more, struct error *error)
{
    size_t used = buffer->end - buffer->start;
    if (buffer->start > 0 && (used == 0 || buffer->capacity - buffer->end < more)) {
        memmove(buffer->bytes, buffer->bytes + buffer->start, used);
        buffer->start = 0;
        buffer->end = used;
    }
    if (buffer->capacity - buffer->end >= more)
        return true;
    size_t capacity = buffer->capacity ? buffer->capacity : RECEIVE_CHUNK;
    while (capacity - used < more)
        capacity *= 2;
    char *bytes = realloc(buffer->bytes, capacity);
    if (!bytes)
        return error_out_of_memory(error);
    buffer->bytes = bytes;
    buffer->capacity = capacity;
    return true;
}

static void buffer_append(struct buffer *buffer, const void *bytes, size_t count)
{
    if (count > 0)
        memcpy(buffer->bytes + buffer->end, bytes, count);
    buffer->end += count;
}

/* Do not keep the memory of a burst of large images for the rest of the sweep. */
static void buffer_shrink(struct buffer *buffer)
{
    if (buffer->start != buffer->end || buffer->capacity <= KEPT_CAPACITY)
        return;
    free(buffer->bytes);
    *buffer = (struct buffer){0};
}

bool channel_queue(struct channel *channel, const json_t *json, const void *blob, size_t blob_bytes,
                   struct error *error)
{
    char *text = json_print(json, JSON_COMPACT);
    if (!text)
        return error_out_of_memory(error);
    struct message_header header = {MESSAGE_MAGIC, 0, blob_bytes, channel->number};
    size_t json_bytes = strlen(text);
    bool done = false;
    if (json_bytes > MESSAGE_JSON_MOST || blob_bytes > MESSAGE_BLOB_MOST) {
        error_set(error, ERROR_RESOURCES, "a message of %zu + %zu bytes is too large", json_bytes, blob_bytes);
        goto out;
    }
    header.json_bytes = (uint32_t)json_bytes;
    if (!buffer_reserve(&channel->outgoing, sizeof header + json_bytes + blob_bytes, error))
        goto out;
    buffer_append(&channel->outgoing, &header, sizeof header);
    buffer_append(&channel->outgoing, text, json_bytes);
    buffer_append(&channel->outgoing, blob, blob_bytes);
    done = true;
out:
    free(text);
    return done;
}

bool channel_has_queued(const struct channel *channel)
{
    return channel->outgoing.end > channel->outgoing.start;
}

bool channel_flush(struct channel *channel, struct error *error)
{
    struct buffer *out = &channel->outgoing;
    while (out->start < out->end) {
        ssize_t sent =
            send(channel->socket, out->bytes + out->start, out->end - out->start, MSG_DONTWAIT | MSG_NOSIGNAL);
        if (sent < 0 && (errno == EAGAIN || errno == EWOULDBLOCK))
            return true;
        if (sent < 0 && errno != EINTR)
            return error_set(error, ERROR_SYSTEM, "cannot send to the other process: %s", strerror(errno));
        if (sent > 0)
            out->start += (size_t)sent;
    }
    buffer_shrink(out);
    return true;
}

bool channel_fill(struct channel *channel, bool *ended, struct error *error)
{
    struct buffer *in = &channel->incoming;
    size_t filled = 0;
    *ended = false;
    while (filled < FILL_MOST) {
        if (!buffer_reserve(in, RECEIVE_CHUNK, error))
            return false;
        ssize_t got = recv(channel->socket, in->bytes + in->end, in->capacity - in->end, MSG_DONTWAIT);
        if (got > 0) {
            in->end += (size_t)got;
            filled += (size_t)got;
            continue;
        }
        /* A peer that dies before reading everything resets the connection: that too is the end. */
        if (got == 0 || errno == ECONNRESET) {
            *ended = true;
            return true;
        }
        if (errno == EAGAIN || errno == EWOULDBLOCK)
            return true;
        if (errno != EINTR)
            return error_set(error, ERROR_SYSTEM, "cannot receive from the other process: %s", strerror(errno));
    }
    return true;
}

static bool parse(const char *text, size_t json_bytes, size_t blob_bytes, struct message *message,
                  struct error *error)
{
    struct error reason = {0};
    if (!json_parse(text, json_bytes, JSON_REJECT_DUPLICATES, NULL, "a message", &message->json, &reason)) {
        if (reason.code == ERROR_OUT_OF_MEMORY)
            return error_out_of_memory(error);
        return message_malformed(error, "%s", reason.text);
    }
    if (!json_is_object(message->json)) {
        message_clear(message);
        return message_malformed(error, "not a JSON object");
    }
    if (blob_bytes > 0) {
        message->blob = malloc(blob_bytes);
        if (!message->blob) {
            message_clear(message);
            return error_out_of_memory(error);
        }
        memcpy(message->blob, text + json_bytes, blob_bytes);
        message->blob_bytes = blob_bytes;
    }
    return true;
}

bool channel_take(struct channel *channel, struct message *message, bool *taken, struct error *error)
{
    struct buffer *in = &channel->incoming;
    struct message_header header;
    *message = (struct message){0};
    *taken = false;
    size_t arrived = in->end - in->start;
    if (arrived >= sizeof header.magic)
        memcpy(&header.magic, in->bytes + in->start, sizeof header.magic);
    if (arrived >= sizeof header.magic && header.magic != MESSAGE_MAGIC)
        return message_malformed(error, "bytes that are none");
    if (arrived < sizeof header)
        return true;
    memcpy(&header, in->bytes + in->start, sizeof header);
    if (header.json_bytes > channel->json_most || header.blob_bytes > channel->blob_most)
        return message_malformed(error, "%" PRIu32 " + %" PRIu64 " bytes long", header.json_bytes, header.blob_bytes);
    size_t blob_bytes = (size_t)header.blob_bytes;
    size_t whole = sizeof header + header.json_bytes + blob_bytes;
    if (arrived < whole)
        return true;
    if (!parse(in->bytes + in->start + sizeof header, header.json_bytes, blob_bytes, message, error))
        return false;
    message->number = header.number;
    in->start += whole;
    buffer_shrink(in);
    *taken = true;
    return true;
}

static bool wait_for(const struct channel *channel, short events, struct error *error)
{
    struct pollfd entry = {.fd = channel->socket, .events = events};
    if (poll(&entry, 1, -1) < 0 && errno != EINTR)
        return error_set(error, ERROR_SYSTEM, "cannot wait for the other process: %s", strerror(errno));
    return true;
}

bool channel_send(struct channel *channel, const json_t *json, const void *blob, size_t blob_bytes,
                  struct error *error)
{
    if (!channel_queue(channel, json, blob, blob_bytes, error) || !channel_flush(channel, error))
        return false;
    while (channel_has_queued(channel)) {
        if (!wait_for(channel, POLLOUT, error) || !channel_flush(channel, error))
            return false;
    }
    return true;
}

bool channel_receive(struct channel *channel, struct message *message, bool *ended, struct error *error)
{
    bool taken = false;
    *ended = false;
    for (;;) {
        if (!channel_take(channel, message, &taken, error))
            return false;
        if (taken || *ended) {
            *ended = !taken;
            if (taken)
                channel_number(channel, message->number);
            return true;
        }
        if (!wait_for(channel, POLLIN, error) || !channel_fill(channel, ended, error))
            return false;
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/cluster/hands_state.h"

#include "tuner/device/monotonic.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <unistd.h>

enum {
    EVENTS = 256, /* taken at a time */
    HAND_JSON_MOST = 32 << 20,
    HAND_BLOB_MOST = 512 << 20,
};

size_t hands_count(const struct hands *hands)
{
    return hands->count;
}

const char *hands_name(const struct hands *hands, size_t hand)
{
    return hands->links[hand].name;
}

const char *hands_node(const struct hands *hands, size_t hand)
{
    return hands->links[hand].node;
}

const char *hands_cores(const struct hands *hands, size_t hand)
{
    return hands->links[hand].cores;
}

bool hands_is_lost(const struct hands *hands, size_t hand)
{
    return !hands->links[hand].channel;
}

size_t hands_device_count(const struct hands *hands, size_t hand)
{
    return hands_is_lost(hands, hand) ? 0 : hands->links[hand].device_count;
}

const struct found_device *hands_device(const struct hands *hands, size_t hand, size_t which)
{
    return &hands->links[hand].devices[which];
}

bool hands_has_compiler(const struct hands *hands, size_t hand, const struct device_description *device)
{
    for (size_t i = 0; i < hands_device_count(hands, hand); i++) {
        const struct device_description *seen = &hands_device(hands, hand, i)->description;
        if (strcmp(seen->kind, device->kind) == 0 && strcmp(seen->compiler, device->compiler) == 0)
            return true;
    }
    const char *name = json_string_value(json_object_get(hands->links[hand].compilers, device->kind));
    return name && !hands_is_lost(hands, hand) && strcmp(name, device->compiler) == 0;
}

uint64_t hands_new_session(struct hands *hands)
{
    return ++hands->session;
}

int hands_wake(const struct hands *hands)
{
    return hands->wake;
}

double hands_silence(const struct hands *hands, size_t hand)
{
    return monotonic_seconds() - hands->links[hand].heard;
}

void hands_lose(struct hands *hands, size_t hand, const char *why)
{
    struct hand_link *link = &hands->links[hand];
    if (!link->channel)
        return;
    channel_free(link->channel); /* which takes it off the descriptors that are waited for */
    link->channel = NULL;
    snprintf(link->lost, sizeof link->lost, "%s", why);
}

/* ---- bytes */

bool hands_ask(struct hands *hands, size_t hand, uint64_t session, const json_t *request, const void *image,
               size_t image_bytes, struct error *error)
{
    struct hand_link *link = &hands->links[hand];
    if (!link->channel)
        return true;
    channel_number(link->channel, session);
    return hand_queue(link->channel, request, image, image_bytes, error);
}

static void await_room(struct hands *hands, size_t hand, bool stuck)
{
    struct hand_link *link = &hands->links[hand];
    struct epoll_event event = {.events = EPOLLIN | (stuck ? (uint32_t)EPOLLOUT : 0), .data.u64 = hand};
    if (stuck != link->stuck && epoll_ctl(hands->wake, EPOLL_CTL_MOD, channel_socket(link->channel), &event) == 0)
        link->stuck = stuck;
}

bool hands_flush(struct hands *hands)
{
    bool left = false;
    for (size_t i = 0; i < hands->count; i++) {
        struct channel *channel = hands->links[i].channel;
        if (!channel || !channel_has_queued(channel))
            continue;
        if (!channel_flush(channel, NULL)) {
            hands_lose(hands, i, "its connection has ended");
            continue;
        }
        bool stuck = channel_has_queued(channel);
        await_room(hands, i, stuck);
        left = left || stuck;
    }
    return left;
}

static bool take_message(struct hands *hands, size_t hand, const struct message *message, uint64_t session,
                         hands_taker *take, void *context, struct error *error)
{
    struct hand_report report;
    struct error reason = {0};
    if (message->number != session)
        return true; /* of an earlier session */
    if (!hand_report_read(message, &report, &reason)) {
        if (reason.code == ERROR_MESSAGE) {
            hands_lose(hands, hand, reason.text);
            return true;
        }
        if (error)
            *error = reason;
        return false;
    }
    bool taken = take(hand, &report, NULL, context, error);
    hand_report_clear(&report);
    return taken;
}

static bool take_messages(struct hands *hands, size_t hand, uint64_t session, hands_taker *take, void *context,
                          struct error *error)
{
    struct hand_link *link = &hands->links[hand];
    while (link->channel) {
        struct message message;
        struct error reason = {0};
        bool taken = false;
        if (!channel_take(link->channel, &message, &taken, &reason)) {
            if (reason.code != ERROR_MESSAGE)
                return error_out_of_memory(error);
            hands_lose(hands, hand, reason.text);
            return true;
        }
        if (!taken)
            return true;
        bool handled = take_message(hands, hand, &message, session, take, context, error);
        message_clear(&message);
        if (!handled)
            return false;
    }
    return true;
}

static bool receive_from(struct hands *hands, size_t hand, uint64_t session, hands_taker *take, void *context,
                         struct error *error)
{
    struct hand_link *link = &hands->links[hand];
    bool ended = false;
    if (!link->channel)
        return true;
    if (!channel_fill(link->channel, &ended, error))
        return false;
    link->heard = monotonic_seconds();
    if (!take_messages(hands, hand, session, take, context, error))
        return false;
    if (ended)
        hands_lose(hands, hand, "its connection has ended");
    return true;
}

bool hands_tell_losses(struct hands *hands, hands_taker *take, void *context, struct error *error)
{
    for (size_t i = 0; i < hands->count; i++) {
        struct hand_link *link = &hands->links[i];
        if (!link->lost[0])
            continue;
        char why[sizeof link->lost];
        memcpy(why, link->lost, sizeof why);
        link->lost[0] = '\0';
        if (!take(i, NULL, why, context, error))
            return false;
    }
    return true;
}

bool hands_receive(struct hands *hands, uint64_t session, int milliseconds, hands_taker *take, void *context,
                   struct error *error)
{
    struct epoll_event events[EVENTS];
    hands_flush(hands);
    int count = epoll_wait(hands->wake, events, EVENTS, milliseconds);
    if (count < 0 && errno != EINTR)
        return error_set(error, ERROR_SYSTEM, "cannot wait for the other ranks: %s", strerror(errno));
    for (int i = 0; i < count; i++) {
        if ((events[i].events & ~(uint32_t)EPOLLOUT) != 0 &&
            !receive_from(hands, (size_t)events[i].data.u64, session, take, context, error))
            return false;
    }
    hands_flush(hands);
    return hands_tell_losses(hands, take, context, error);
}

/* ---- connections */

static bool connect_one(struct hands *hands, size_t hand, int socket, struct error *error)
{
    struct hand_link *link = &hands->links[hand];
    struct epoll_event event = {.events = EPOLLIN, .data.u64 = hand};
    link->heard = monotonic_seconds();
    if (!channel_create(socket, &link->channel, error)) {
        close(socket);
        return false;
    }
    channel_bound(link->channel, HAND_JSON_MOST, HAND_BLOB_MOST);
    if (asprintf(&link->name, "rank %zu", hand + 1) < 0) {
        link->name = NULL;
        return error_out_of_memory(error);
    }
    return epoll_ctl(hands->wake, EPOLL_CTL_ADD, socket, &event) == 0 ||
           error_set(error, ERROR_SYSTEM, "cannot wait for rank %zu: %s", hand + 1, strerror(errno));
}

static bool connect_all(struct hands *hands, const int *sockets, struct error *error)
{
    bool connected = true;
    for (size_t i = 0; i < hands->count; i++) {
        if (connected)
            connected = connect_one(hands, i, sockets[i], error);
        else
            close(sockets[i]);
    }
    return connected;
}

bool hands_create(const int *sockets, size_t count, hands_notice *notice, struct hands **result, struct error *error)
{
    struct hands *hands = calloc(1, sizeof *hands);
    if (hands)
        hands->links = calloc(count + 1, sizeof *hands->links);
    if (!hands || !hands->links) {
        for (size_t i = 0; i < count; i++)
            close(sockets[i]);
        free(hands);
        return error_out_of_memory(error);
    }
    hands->count = count;
    hands->notice = notice;
    hands->wake = epoll_create1(EPOLL_CLOEXEC);
    if (connect_all(hands, sockets, error) && hands_greet(hands, error)) {
        *result = hands;
        return true;
    }
    hands_free(hands);
    return false;
}

void hands_free(struct hands *hands)
{
    if (!hands)
        return;
    for (size_t i = 0; i < hands->count; i++) {
        struct hand_link *link = &hands->links[i];
        channel_free(link->channel);
        free(link->name);
        free(link->node);
        free(link->cores);
        free(link->devices);
        json_decref(link->compilers);
    }
    if (hands->wake >= 0)
        close(hands->wake);
    free(hands->links);
    free(hands);
}

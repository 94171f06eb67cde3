/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cluster_fixture.h - rank 0 with hands that the test plays itself, at the other ends of their sockets.
 */
#ifndef TUNE_TESTS_UNIT_CLUSTER_CLUSTER_FIXTURE_H
#define TUNE_TESTS_UNIT_CLUSTER_CLUSTER_FIXTURE_H

#include "tests/unit/workers/crew_fixture.h"

#include "tests/unit/expect.h"
#include "tuner/cluster/fleet.h"

#include <sys/socket.h>
#include <unistd.h>

enum { FIXTURE_HANDS = 3 };

struct cluster_fixture {
    struct hands *hands;
    struct channel *ends[FIXTURE_HANDS]; /* NULL: this hand is gone */
    struct hand_share shares[FIXTURE_HANDS];
    struct fleet_away away;
    struct device_description device;
    struct crew_plan plan;
    struct fleet *fleet;
    uint64_t session;
    char notice[1024]; /* the latest */
    struct error error;
};

static const struct hand_load no_load = {0};

static inline void take_fixture_notice(const char *text, void *context)
{
    struct cluster_fixture *fixture = context;
    snprintf(fixture->notice, sizeof fixture->notice, "%s", text);
}

/* What the user was told of hands outside of sessions. */
static char fixture_noted[2048];

static inline void note_of_hands(const char *text)
{
    size_t length = strlen(fixture_noted);
    snprintf(fixture_noted + length, sizeof fixture_noted - length, "%s\n", text);
}

/* A hand sends a message, which is taken over. */
static inline void sends(struct cluster_fixture *fixture, size_t hand, struct message *message)
{
    struct error error = {0};
    assert_success(channel_send(fixture->ends[hand], message->json, message->blob, message->blob_bytes, &error),
                   &error);
    message_clear(message);
}

static inline void says(struct cluster_fixture *fixture, size_t hand, json_t *json)
{
    assert_non_null(json);
    sends(fixture, hand, &(struct message){.json = json});
}

/* What a hand was asked next; the caller clears it. */
static inline struct message hears(struct cluster_fixture *fixture, size_t hand, const char *request)
{
    struct message message;
    bool ended = false;
    assert_true(channel_receive(fixture->ends[hand], &message, &ended, NULL) && !ended);
    assert_string_equal(json_string_value(json_object_get(message.json, "request")), request);
    return message;
}

static inline uint64_t hears_token(struct cluster_fixture *fixture, size_t hand)
{
    struct message message = hears(fixture, hand, "evaluate");
    uint64_t token = (uint64_t)json_integer_value(json_object_get(message.json, "token"));
    message_clear(&message);
    return token;
}

/* Has everything that this hand was sent been heard? */
static inline bool hears_nothing(const struct cluster_fixture *fixture, size_t hand)
{
    char byte;
    return recv(channel_socket(fixture->ends[hand]), &byte, 1, MSG_PEEK | MSG_DONTWAIT) < 0;
}

static inline void fixture_ends(struct cluster_fixture *fixture, int sockets[FIXTURE_HANDS])
{
    *fixture = (struct cluster_fixture){.device = {.kind = "cuda", .name = "fake device", .architecture = "fake"}};
    fixture_noted[0] = '\0';
    for (size_t i = 0; i < FIXTURE_HANDS; i++) {
        int pair[2];
        assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair), 0);
        assert_true(channel_create(pair[1], &fixture->ends[i], NULL));
        sockets[i] = pair[0];
    }
}

/* Three hands that have said hello. */
static inline void fixture_greet(struct cluster_fixture *fixture)
{
    int sockets[FIXTURE_HANDS];
    fixture_ends(fixture, sockets);
    for (size_t i = 0; i < FIXTURE_HANDS; i++)
        says(fixture, i, hand_hello(i == 0 ? "first" : "host", "node", "1-0"));
    assert_success(hands_create(sockets, FIXTURE_HANDS, note_of_hands, &fixture->hands, &fixture->error),
                   &fixture->error);
    for (size_t i = 0; i < FIXTURE_HANDS; i++) {
        struct message hello = hears(fixture, i, "hello");
        message_clear(&hello);
    }
}

/* And a session with all of them, of which those from `compilers` on have no device. The crew of rank 0 only
 * compiles, by its plan; NULL: there is none. */
static inline void fixture_open_beside(struct cluster_fixture *fixture, size_t compilers,
                                       const struct crew_plan *crew)
{
    static const struct fleet_subject subject = {"/a/template", "0123456789abcdef"};
    fixture_greet(fixture);
    for (size_t i = 0; i < FIXTURE_HANDS; i++)
        fixture->shares[i] = (struct hand_share){.hand = i,
                                                 .device = fixture->device,
                                                 .ordinal_count = i < compilers ? 1 : 0,
                                                 .core_part = (unsigned)i,
                                                 .core_parts = FIXTURE_HANDS};
    fixture->away = (struct fleet_away){.hands = fixture->hands,
                                        .shares = fixture->shares,
                                        .share_count = FIXTURE_HANDS,
                                        .no_crew = true,
                                        .compiles = crew != NULL};
    fixture->plan = crew ? *crew : (struct crew_plan){0};
    fixture->plan.device = &fixture->device;
    fixture->plan.notice = take_fixture_notice;
    fixture->plan.notice_context = fixture;
    fixture->session = 1;
    for (size_t i = 0; i < FIXTURE_HANDS; i++) {
        channel_number(fixture->ends[i], fixture->session);
        says(fixture, i, hand_load_message(&no_load));
    }
    assert_success(fleet_create(&fixture->plan, &fixture->away, &subject, &fixture->fleet, &fixture->error),
                   &fixture->error);
    for (size_t i = 0; i < FIXTURE_HANDS; i++) {
        struct message open = hears(fixture, i, "open");
        assert_int_equal(open.number, fixture->session);
        assert_int_equal(json_integer_value(json_object_get(open.json, "core_part")), i);
        assert_int_equal(json_integer_value(json_object_get(open.json, "core_parts")), FIXTURE_HANDS);
        message_clear(&open);
    }
}

static inline void fixture_open(struct cluster_fixture *fixture, size_t compilers)
{
    fixture_open_beside(fixture, compilers, NULL);
}

static inline void step(struct cluster_fixture *fixture)
{
    assert_success(fleet_step(fixture->fleet, 0, &fixture->error), &fixture->error);
}

static inline void has_room(struct cluster_fixture *fixture, size_t hand, size_t room, uint64_t received)
{
    const struct hand_load load = {.room = room, .received = received};
    says(fixture, hand, hand_load_message(&load));
    step(fixture);
}

static inline void is_gone(struct cluster_fixture *fixture, size_t hand)
{
    channel_free(fixture->ends[hand]);
    fixture->ends[hand] = NULL;
}

static inline struct candidate *new_candidate(size_t index)
{
    struct candidate *given = candidate("source.cu", index);
    given->awkward = strdup("");
    return given;
}

/* The hand has evaluated what it knows as `token`. */
static inline void finishes(struct cluster_fixture *fixture, size_t hand, uint64_t token, double time_ns)
{
    char message[] = "", image[] = "image";
    struct candidate done = {.index = (size_t)token,
                             .image = image,
                             .image_bytes = sizeof image,
                             .evaluation = {.outcome = OUTCOME_OK, .message = message, .time_ns = time_ns}};
    struct message answer;
    assert_true(hand_finished(&done, &no_load, false, &answer, NULL));
    sends(fixture, hand, &answer);
}

static inline void fixture_free(struct cluster_fixture *fixture)
{
    fleet_free(fixture->fleet);
    hands_free(fixture->hands);
    for (size_t i = 0; i < FIXTURE_HANDS; i++)
        channel_free(fixture->ends[i]);
}

#endif

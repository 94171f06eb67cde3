/* SPDX-License-Identifier: Apache-2.0 */
/*
 * hand_message.h - messages between rank 0 of a job and its hands, the other ranks.
 *
 * They are those of tuner/workers/message.h, over whatever carries bytes to a hand: a socket pair here, MPI between
 * nodes. A message's number is that of the session it belongs to (fleet.h), and 0 outside of any: what arrives late
 * from an earlier session is told apart by it. What a message has besides its JSON is an image (hand_image.h); before
 * it, in a message that a candidate is finished, its evaluation as bytes (tuner/evaluation/packing.h): rank 0 reads
 * one for each, and JSON would take most of its time.
 *
 * Rank 0 sends {"request": NAME, ...}: hello, devices, say, open, evaluate, drop, closing, close. A hand sends
 * {"hand": NAME, ...}; this module reads those. A hand runs this same program, but on a node that may be out of
 * order, so everything is checked: types, lengths, ranges.
 */
#ifndef TUNE_CLUSTER_HAND_MESSAGE_H
#define TUNE_CLUSTER_HAND_MESSAGE_H

#include "tuner/workers/crew.h"
#include "tuner/workers/describe.h"
#include "tuner/workers/message.h"

enum { HAND_PROTOCOL = 5 }; /* to be raised by every change of the messages */

/* How much a hand has to do, and how much more it asks for. */
struct hand_load {
    size_t room;       /* candidates that it could take when it had received */
    uint64_t received; /* so many of this session */
    struct crew_load crew;
    double held_up; /* seconds; crew_seconds_held_up */
};

enum hand_event {
    HAND_HELLO,    /* host, node, cores */
    HAND_DEVICES,  /* its devices, or `failure`; `compilers` */
    HAND_LOAD,     /* load */
    HAND_FINISHED, /* a candidate's evaluation; with its image, if that was wanted */
    HAND_COMPILED, /* its image, to be measured elsewhere */
    HAND_REFUSED,  /* a candidate that this hand cannot lower */
    HAND_RETURNED, /* `list` of the numbers of candidates that were dropped */
    HAND_NOTICE,   /* text for the user */
    HAND_FAILED,   /* the session has ended there, with `failure` */
};

struct hand_report {
    enum hand_event event;
    uint64_t token;                         /* of the candidate */
    const char *host, *node, *text, *cores; /* of the message, as is `list` */
    const json_t *list;
    json_t *compilers;            /* for kinds of which it has no device: their names by the kind; of the message */
    struct found_device *devices; /* allocated; NULL: there is a failure */
    size_t device_count;
    struct error failure;
    struct hand_load load;
    struct evaluation evaluation;
    bool from_cache;
    double compile_seconds;
    int64_t spill_bytes;
    uint64_t image_hash; /* 0: it has none */
    void *image;         /* decompressed; allocated */
    size_t image_bytes;
};

/* Read what a hand sent. ERROR_MESSAGE: it is malformed; of a hello with another protocol or version, ERROR_INPUT.
 * The report refers to the message. */
bool hand_report_read(const struct message *message, struct hand_report *report, struct error *error);
void hand_report_clear(struct hand_report *report);

/* ---- what hands send: new references; NULL: out of memory */
json_t *hand_hello(const char *host, const char *node, const char *cores);
json_t *hand_devices(const struct found_device *devices, size_t count, json_t *compilers); /* taken over, here and */
json_t *hand_devices_failed(const struct error *failure, json_t *compilers);               /* here */
json_t *hand_load_message(const struct hand_load *load);
json_t *hand_refused(uint64_t token, const struct hand_load *load);
json_t *hand_returned(json_t *tokens, const struct hand_load *load);
json_t *hand_notice(const char *text);
json_t *hand_failed(const struct error *failure);

/* ---- those with bytes besides the JSON: the caller clears them */
bool hand_finished(const struct candidate *candidate, const struct hand_load *load, bool with_image,
                   struct message *message, struct error *error);
bool hand_compiled(const struct candidate *candidate, const struct hand_load *load, struct message *message,
                   struct error *error);

/* Queue a message with an image (NULL: none). */
bool hand_queue(struct channel *channel, const json_t *json, const void *image, size_t image_bytes,
                struct error *error);

#endif

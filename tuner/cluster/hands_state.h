/* SPDX-License-Identifier: Apache-2.0 */
/*
 * hands_state.h - what the parts of hands.h share: hands.c, the connections, and hands_questions.c, what is asked
 * outside of sessions.
 */
#ifndef TUNE_CLUSTER_HANDS_STATE_H
#define TUNE_CLUSTER_HANDS_STATE_H

#include "tuner/cluster/hands.h"

struct hand_link {
    struct channel *channel; /* NULL: lost */
    char *name, *node, *cores;
    struct found_device *devices;
    size_t device_count;
    json_t *compilers; /* for other kinds of devices: their names by the kind */
    double heard;      /* when it sent something last */
    bool answered;
    bool stuck;     /* more is queued than its socket takes: that it takes more wakes, too */
    char lost[256]; /* why, until the session has been told */
};

struct hands {
    struct hand_link *links;
    size_t count;
    int wake; /* epoll */
    uint64_t session;
    hands_notice *notice;
};

/* Send what is queued, as far as the sockets take it; returns whether something is left. */
bool hands_flush(struct hands *hands);

/* Call `take` for each hand that was lost since it was told of the last. */
bool hands_tell_losses(struct hands *hands, hands_taker *take, void *context, struct error *error);

/* Wait until each that is not lost has said who it is. */
bool hands_greet(struct hands *hands, struct error *error);

#endif

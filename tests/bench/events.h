/* SPDX-License-Identifier: Apache-2.0 */
/*
 * events.h - what simulations of hands share: what happens at which time, and how long a candidate takes according to
 * a recording.
 */
#ifndef TUNE_TESTS_BENCH_EVENTS_H
#define TUNE_TESTS_BENCH_EVENTS_H

#include "tuner/formats/recording_file.h"

enum stage { ARRIVING, COMPILING, MEASURING };

/* A stage of a candidate ends. */
struct event {
    double time, seconds; /* the latter: that it took */
    size_t hand;
    enum stage stage;
    uint64_t token; /* of the candidate */
};

/* A heap; all zero: none. */
struct events {
    struct event *list; /* the earliest first */
    size_t count, room;
};

void events_push(struct events *events, struct event event);
struct event events_pop(struct events *events); /* the earliest; there is one */

/* What a stage of some result of the recording took, drawn by a number. */
double recorded_seconds(const struct recording *recording, uint64_t number, enum stage stage);

/* A number among the arguments of a program. */
double argument(int count, char **arguments, int which, double otherwise);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * lock_wait.h - waiting for a device's lock: for whom, and for how long.
 *
 * Anyone can hold a lock that all users share. A tune that measures holds it for one evaluation at a time, so a
 * process that keeps it for minutes is stuck or not meant well, and a sweep must not wait for it for ever: after a
 * few seconds the user is told who holds the lock, and once one process has held it for the whole patience, work goes
 * on without the lock, with a warning. That holder is not waited for again.
 */
#ifndef TUNE_WORKERS_LOCK_WAIT_H
#define TUNE_WORKERS_LOCK_WAIT_H

#include "tuner/workers/device_lock.h"

enum { LOCK_PATIENCE = 300 }; /* seconds: the default */

struct lock_wait {
    double since;  /* when this wait began */
    double looked; /* when the holder was looked up last */
    struct lock_holder holder;
    double held_since;  /* when that holder was seen first */
    bool told, gave_up; /* `gave_up`: on this holder, for good */
};

enum lock_step {
    LOCK_WAIT,
    LOCK_TELL,  /* tell the user `text` and wait */
    LOCK_GO_ON, /* without the lock; tell the user `text` unless it is "" */
};

/* A new wait begins. */
void lock_wait_begin(struct lock_wait *wait, double now);

/* Is it time to look up who holds the lock? That is not free. */
bool lock_wait_wants_look(const struct lock_wait *wait, double now);

/* The lock is still not ours; `holder` is who has it now. `device` is a name for the text. */
enum lock_step lock_wait_step(struct lock_wait *wait, const struct lock_holder *holder, const char *device,
                              double patience, double now, char *text, size_t size);

/* The time that waiting for locks has cost. */
struct lock_toll {
    double paid;  /* seconds, of what is over */
    double since; /* when the present standstill began, if there is one */
    bool stands;
};

/* From now on work does or does not stand still. */
void lock_toll_note(struct lock_toll *toll, bool stands, double now);

double lock_toll_seconds(const struct lock_toll *toll, double now);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * online_state.h - what the parts of online tuning share: its life (online.c), the calls that try (online_calls.c),
 * and the thread (online_work.c). Internal to these.
 */
#ifndef TUNE_LIBRARY_ONLINE_STATE_H
#define TUNE_LIBRARY_ONLINE_STATE_H

#include "tuner/library/laps.h"
#include "tuner/library/online.h"
#include "tuner/library/rehearsal.h"
#include "tuner/library/trials.h"

/* What has become of the call that is being tried. */
enum slot { SLOT_FREE, SLOT_QUEUED, SLOT_JUDGED /* by the thread */ };

struct online {
    struct tune_kernel *kernel;
    struct contenders contenders;
    struct tune_answer *answer; /* that it began with; held */
    struct attached *attached;  /* held */
    char *database, *cache;
    atomic_bool on;          /* calls may try */
    _Atomic uint64_t passed; /* calls that found the lock taken */
    pthread_mutex_t lock;    /* of all that follows */
    pthread_cond_t work;     /* there is some for the thread */
    bool stored;
    const char *why; /* nothing is tried; NULL: something is */
    bool refused;
    struct trials trials;
    struct laps laps;
    struct rehearsal *rehearsal;     /* NULL: not needed yet */
    const struct version *incumbent; /* what calls are to launch: the kernel's newest version */
    enum slot slot;
    enum trial_kind kind; /* of that call */
    double host_ns;       /* that the call took beside launching what it would have launched anyway */
};

/* All of these under the lock. */

/* No more of it: calls launch what is best by now. The first reason counts. */
void online_stop(struct online *online, const char *why);
void online_stop_refused(struct online *online, const char *why);

/* The version of the kernel that a candidate has. */
static inline struct version *online_version(const struct online *online, size_t candidate)
{
    return &online->kernel->versions[KERNEL_CANDIDATES + candidate];
}

/* The candidate that contended may have got its verdict. */
void online_follow(struct online *online, size_t contending);
/* It gets this one, TRIALS_UNFIT or TRIALS_WRONG, unless the device is lost. */
void online_reject(struct online *online, enum trials_verdict verdict);

#endif

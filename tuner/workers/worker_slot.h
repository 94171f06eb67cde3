/* SPDX-License-Identifier: Apache-2.0 */
/*
 * worker_slot.h - the places that workers fill, and what compile and measure workers do differently. For crew.c
 * alone.
 *
 * A slot holds one worker and the candidate in its hands; its kind says how the worker is opened and asked, and what
 * an answer or a death means. Candidates go from queue to queue of the pool that all slots share.
 */
#ifndef TUNE_WORKERS_WORKER_SLOT_H
#define TUNE_WORKERS_WORKER_SLOT_H

#include "tuner/workers/crew.h"
#include "tuner/workers/device_lock.h"
#include "tuner/workers/worker_process.h"

enum slot_state {
    SLOT_EMPTY,
    SLOT_OPENING,
    SLOT_READY,
    SLOT_BUSY,
    SLOT_GIVEN_UP, /* its workers never came to work any more */
};

struct worker_slot {
    const struct slot_kind *kind;
    enum slot_state state;
    struct worker *worker;
    struct candidate *candidate;
    struct candidate *ahead; /* sent behind `candidate`; the worker begins it when it has answered */
    size_t served;           /* candidates that this worker had in its hands before */
    double started;          /* when the worker was given what it does now */

    bool has_opened; /* one of its workers has */
    unsigned losses; /* in a row, of workers that had done nothing yet */
    double first_loss, start_not_before;

    /* of a measuring slot */
    int ordinal;
    char uuid[64]; /* of its device, once that was opened; it must not change */
    struct device_lock *lock;
    bool waits; /* for the lock, since */
    bool wait_told;
    double waits_since;
};

/* What the slots of a crew share. */
struct worker_pool {
    struct crew_plan plan;
    struct candidate_queue waiting, compiled, finished;
    struct worker_slot *compilers, *measurers;
    size_t compiler_count, measurer_count;
    bool closing;        /* no more candidates come: those that take long go first */
    bool template_works; /* its setup and reference have come to their end at least once */
    bool lock_missed;    /* a device has no lock, and the user knows */
};

struct slot_kind {
    const char *role;
    json_t *(*open_request)(const struct worker_pool *pool, const struct worker_slot *slot, struct error *error);
    bool (*opened)(struct worker_pool *pool, struct worker_slot *slot, struct message *answer, struct error *error);
    /* Hand the worker the next candidate that is for it, if there is one and its time has come. */
    bool (*give)(struct worker_pool *pool, struct worker_slot *slot, double incumbent_ns, struct error *error);
    /* The same while it is busy: one to go on with at once. NULL: this kind's workers have one at a time. */
    bool (*give_ahead)(struct worker_pool *pool, struct worker_slot *slot, double incumbent_ns, struct error *error);
    /* The candidate's answer came: hand the candidate on. False ends the work. */
    bool (*answered)(struct worker_pool *pool, struct worker_slot *slot, struct message *answer, struct error *error);
    /* The worker died over the candidate, or was killed because it was late. False ends the work. */
    bool (*died)(struct worker_pool *pool, struct worker_slot *slot, struct error *error);
    bool (*late)(struct worker_pool *pool, struct worker_slot *slot, struct error *error);
};

extern const struct slot_kind compile_slot_kind, measure_slot_kind;

/* Let go of the device, or leave the queue for it. */
void slot_leave_device(struct worker_slot *slot);

/* End the worker and let go of its device. The candidates stay. */
void slot_vacate(struct worker_slot *slot);

/* Put a candidate in the worker's hands with its request, which is taken over (NULL: `error` is set). */
bool slot_give(struct worker_slot *slot, struct candidate *candidate, json_t *request, double deadline,
               struct error *error);

/* The same for the candidate behind the one in its hands. */
bool slot_give_ahead(struct worker_slot *slot, struct candidate *candidate, json_t *request, double deadline,
                     struct error *error);

/* The worker has answered and goes on: what was sent ahead is in its hands now. */
void slot_go_on(struct worker_slot *slot);

/* The candidate in its hands, which has been served. */
struct candidate *slot_take_candidate(struct worker_slot *slot);

/* Seconds since the worker was given what it does. */
double slot_seconds(const struct worker_slot *slot);

/* Was the worker ended by someone else: a user, a memory-pressure killer, a machine that shuts down? */
bool slot_killed_by_stranger(const struct worker_slot *slot);

/* The candidate in the hands of a worker that failed for reasons of its own gets another chance, once. */
bool try_again(struct candidate *candidate, struct candidate_queue *queue);

/* Tell the user. */
void pool_notice(const struct worker_pool *pool, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif

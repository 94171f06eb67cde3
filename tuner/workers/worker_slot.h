/* SPDX-License-Identifier: Apache-2.0 */
/*
 * worker_slot.h - slots for workers, and how compile and measuring slots differ. Internal to the crew.
 *
 * A slot holds one worker and the candidate that it is working on; its kind says how the worker is opened and given
 * work, and what an answer or a death means. Candidates move between the queues of the pool that all slots share.
 */
#ifndef TUNE_WORKERS_WORKER_SLOT_H
#define TUNE_WORKERS_WORKER_SLOT_H

#include "tuner/workers/crew.h"
#include "tuner/workers/lock_wait.h"
#include "tuner/workers/worker_process.h"

enum slot_state {
    SLOT_EMPTY,
    SLOT_OPENING,
    SLOT_READY,
    SLOT_BUSY,
    SLOT_GIVEN_UP, /* its workers kept failing */
};

struct worker_slot {
    const struct slot_kind *kind;
    enum slot_state state;
    struct worker *worker;
    struct candidate *candidate;
    struct candidate *ahead; /* sent after `candidate`; the worker starts on it once it has answered */
    size_t served;           /* candidates that this worker has finished */
    double started;          /* when the worker was given its present work */

    bool has_opened; /* one of its workers has opened the device */
    unsigned losses; /* workers lost in a row before they did any work */
    double first_loss, start_not_before;

    /* Of a measuring slot: */
    int ordinal;
    char uuid[64]; /* of its device, once opened; it must not change */
    struct device_lock *lock;
    bool waits; /* for the lock */
    struct lock_wait wait;
};

/* Shared by all slots of a crew. */
struct worker_pool {
    struct crew_plan plan;
    struct compile_cache *images; /* where what workers offer is stored */
    struct candidate_queue waiting, compiled, finished;
    struct worker_slot *compilers, *measurers;
    size_t compiler_count, measurer_count;
    bool closing;        /* no more candidates will come: the slow ones go first */
    bool template_works; /* its setup and reference have completed at least once */
    bool lock_missed;    /* a device has no lock, and the user has been told */
    unsigned troubles;   /* candidates in a row that the machine failed, twice each */
};

struct slot_kind {
    const char *role;
    json_t *(*open_request)(const struct worker_pool *pool, const struct worker_slot *slot, struct error *error);
    bool (*opened)(struct worker_pool *pool, struct worker_slot *slot, struct message *answer, struct error *error);
    /* Give the worker its next candidate, if there is one and it may start now. */
    bool (*give)(struct worker_pool *pool, struct worker_slot *slot, struct error *error);
    /* The same while it is busy: one to continue with at once. NULL: workers of this kind take one at a time. */
    bool (*give_ahead)(struct worker_pool *pool, struct worker_slot *slot, struct error *error);
    /* The answer has come: pass the candidate on. False ends the work. */
    bool (*answered)(struct worker_pool *pool, struct worker_slot *slot, struct message *answer, struct error *error);
    /* The worker died while it had the candidate, or was killed for being late. False ends the work. */
    bool (*died)(struct worker_pool *pool, struct worker_slot *slot, struct error *error);
    bool (*late)(struct worker_pool *pool, struct worker_slot *slot, struct error *error);
    /* It offers an image beside its answer. NULL: workers of this kind do not. */
    void (*made)(const struct worker_pool *pool, const struct worker_slot *slot, struct message *message);
};

extern const struct slot_kind compile_slot_kind, measure_slot_kind;

/* Release the device, or stop waiting for it. */
void slot_leave_device(struct worker_slot *slot);

/* End the worker and release its device. The slot keeps its candidates. */
void slot_vacate(struct worker_slot *slot);

/* Give the worker a candidate with its request, which is consumed (NULL: `error` is set already). */
bool slot_give(struct worker_slot *slot, struct candidate *candidate, json_t *request, double deadline,
               struct error *error);

/* The same for the candidate after the present one. */
bool slot_give_ahead(struct worker_slot *slot, struct candidate *candidate, json_t *request, double deadline,
                     struct error *error);

/* The worker has answered and continues with what was sent ahead. */
void slot_go_on(struct worker_slot *slot);

/* Take the slot's candidate, which is finished. */
struct candidate *slot_take_candidate(struct worker_slot *slot);

/* Seconds since the worker was given its present work. */
double slot_seconds(const struct worker_slot *slot);

/* Must the candidate not be given to this worker, which others have used? A second attempt takes a fresh one; the
 * candidate is put back and the slot vacated. */
bool slot_makes_way(struct worker_slot *slot, struct candidate *candidate, struct candidate_queue *queue);

/* A candidate that may have failed for reasons not its own gets a second attempt, once. */
bool try_again(struct candidate *candidate, struct candidate_queue *queue);

/*
 * The candidate failed for a transient reason (transient.h): it gets its second attempt, or is finished with a row
 * that says so. False ends the work: the machine has failed several candidates in a row.
 */
bool slot_trouble(struct worker_pool *pool, const struct worker_slot *slot, struct candidate *candidate,
                  struct candidate_queue *queue, enum outcome outcome, const struct error *reason,
                  struct error *error);

/* Pass on a finished candidate, with the device that measured it. */
void slot_hand_over(struct worker_pool *pool, const struct worker_slot *slot, struct candidate *candidate);

/* Tell the user something. */
void pool_notice(const struct worker_pool *pool, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif

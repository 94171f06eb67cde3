/*
 * post.h - the places that workers fill, and what compile and measure workers do differently. For crew.c alone.
 *
 * A post holds one worker and the candidate in its hands; its trade says how the worker is opened and asked, and what
 * an answer or a death means. Candidates go from queue to queue of the workshop that all posts share.
 */
#ifndef TUNE_ENGINE_POST_H
#define TUNE_ENGINE_POST_H

#include "tuner/engine/crew.h"
#include "tuner/engine/device_lock.h"
#include "tuner/engine/worker_process.h"

enum post_state {
    POST_EMPTY,
    POST_OPENING,
    POST_READY,
    POST_BUSY,
    POST_GIVEN_UP, /* its workers never came to work any more */
};

struct post {
    const struct trade *trade;
    enum post_state state;
    struct worker *worker;
    struct candidate *candidate;
    struct candidate *ahead; /* sent behind `candidate`; the worker begins it when it has answered */
    size_t served;           /* candidates that this worker had in its hands before */
    double started;          /* when the worker was given what it does now */

    bool has_opened; /* one of its workers has */
    unsigned losses; /* in a row, of workers that had done nothing yet */
    double first_loss, start_not_before;

    /* of a measuring post */
    int ordinal;
    char uuid[64]; /* of its device, once that was opened; it must not change */
    struct device_lock *lock;
    bool waits; /* for the lock, since */
    bool wait_told;
    double waits_since;
};

/* What the posts of a crew share. */
struct workshop {
    struct crew_plan plan;
    struct candidate_queue waiting, compiled, finished;
    struct post *compilers, *measurers;
    size_t compiler_count, measurer_count;
    bool closing;        /* no more candidates come: those that take long go first */
    bool template_works; /* its setup and reference have come to their end at least once */
    bool lock_missed;    /* a device has no lock, and the user knows */
};

struct trade {
    const char *role;
    json_t *(*open_request)(const struct workshop *shop, const struct post *post, struct error *error);
    bool (*opened)(struct workshop *shop, struct post *post, struct message *answer, struct error *error);
    /* Hand the worker the next candidate that is for it, if there is one and its time has come. */
    bool (*give)(struct workshop *shop, struct post *post, double incumbent_ns, struct error *error);
    /* The same while it is busy: one to go on with at once. NULL: this trade's workers have one at a time. */
    bool (*give_ahead)(struct workshop *shop, struct post *post, double incumbent_ns, struct error *error);
    /* The candidate's answer came: hand the candidate on. False ends the work. */
    bool (*answered)(struct workshop *shop, struct post *post, struct message *answer, struct error *error);
    /* The worker died over the candidate, or was killed because it was late. False ends the work. */
    bool (*died)(struct workshop *shop, struct post *post, struct error *error);
    bool (*late)(struct workshop *shop, struct post *post, struct error *error);
};

extern const struct trade compile_trade, measure_trade;

/* Let go of the device, or leave the queue for it. */
void post_leave_device(struct post *post);

/* End the worker and let go of its device. The candidates stay. */
void post_vacate(struct post *post);

/* Put a candidate in the worker's hands with its request, which is taken over (NULL: `error` is set). */
bool post_give(struct post *post, struct candidate *candidate, json_t *request, double deadline, struct error *error);

/* The same for the candidate behind the one in its hands. */
bool post_give_ahead(struct post *post, struct candidate *candidate, json_t *request, double deadline,
                     struct error *error);

/* The worker has answered and goes on: what was sent ahead is in its hands now. */
void post_go_on(struct post *post);

/* The candidate in its hands, which has been served. */
struct candidate *post_take_candidate(struct post *post);

/* Seconds since the worker was given what it does. */
double post_seconds(const struct post *post);

/* Was the worker ended by someone else: a user, a memory-pressure killer, a machine that shuts down? */
bool post_killed_by_stranger(const struct post *post);

/* The candidate in the hands of a worker that failed for reasons of its own gets another chance, once. */
bool try_again(struct candidate *candidate, struct candidate_queue *queue);

/* Tell the user. */
void workshop_notice(const struct workshop *shop, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif

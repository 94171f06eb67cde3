/*
 * post.h - the places that workers fill: what compile and measure workers do differently.
 *
 * A post holds one worker and the candidate in its hands; its trade says how the worker is opened, asked, and what an
 * answer or a death means. Candidates go from queue to queue of the workshop that all posts share. For crew.c alone.
 */
#ifndef TUNE_ENGINE_POST_H
#define TUNE_ENGINE_POST_H

#include "tuner/engine/crew.h"
#include "tuner/engine/worker_process.h"

enum post_state { POST_EMPTY, POST_OPENING, POST_READY, POST_BUSY };

/* What the posts of a crew share. */
struct workshop {
    struct crew_plan plan;
    struct candidate_queue waiting, compiled, finished;
    bool template_works; /* its setup and reference have come to their end at least once */
};

struct post {
    const struct trade *trade;
    size_t served; /* candidates that this worker had in its hands before */
    enum post_state state;
    struct worker *worker;
    struct candidate *candidate;
};

struct trade {
    const char *role;
    json_t *(*open_request)(const struct workshop *shop, struct error *error);
    bool (*opened)(const struct workshop *shop, struct message *answer, struct error *error);
    /* Hand the candidate that is next in its queue to the worker. */
    bool (*give)(struct workshop *shop, struct post *post, double incumbent_ns, struct error *error);
    /* The candidate's answer came: hand the candidate on. False ends the work. */
    bool (*answered)(struct workshop *shop, struct post *post, struct message *answer, struct error *error);
    /* The worker died over the candidate, or was killed because it was late. False ends the work. */
    bool (*died)(struct workshop *shop, struct post *post, struct error *error);
    bool (*late)(struct workshop *shop, struct post *post, struct error *error);
};

extern const struct trade compile_trade, measure_trade;

int workshop_ordinal(const struct workshop *shop);

/* End the worker. The candidate stays. */
void post_vacate(struct post *post);

/* The candidate in its hands, which has been served. */
struct candidate *post_take_candidate(struct post *post);

/* Was the worker ended by someone else: a user, a memory-pressure killer, a machine that shuts down? */
bool post_killed_by_stranger(const struct post *post);

/* The candidate in the hands of a worker that failed for reasons of its own gets another chance, once. */
bool try_again(struct candidate *candidate, struct candidate_queue *queue);

#endif

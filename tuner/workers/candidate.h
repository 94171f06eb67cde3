/* SPDX-License-Identifier: Apache-2.0 */
/*
 * candidate.h - a configuration on its way through the compile and measuring workers, and its evaluation.
 */
#ifndef TUNE_WORKERS_CANDIDATE_H
#define TUNE_WORKERS_CANDIDATE_H

#include "tuner/measure/evaluate.h"

struct candidate {
    struct candidate *next;        /* in a queue */
    size_t index;                  /* of the configuration in the problem */
    char *text;                    /* its canonical text */
    char *awkward;                 /* where it is validated besides the tuned sizes, "" for nowhere; see problem.h */
    struct job *job;               /* NULL: it could not be lowered, or is yet to be: */
    const struct problem *problem; /* of one that is yet to be lowered, and must outlive it; else NULL */
    uint64_t seed;                 /* to lower it with */
    void *image;                   /* NULL until compiled; for each case if they differ (images.h) */
    size_t image_bytes;
    void *tuned_image; /* that of the tuned size, while that of the awkward size is compiled; else NULL */
    size_t tuned_image_bytes;
    double tuned_seconds;                    /* to compile it */
    double expected_seconds;                 /* to compile; an estimate to order by */
    double compile_seconds, measure_seconds; /* the latter: spent by workers that were lost */
    int64_t spill_bytes;
    bool from_cache;     /* the image, or the compiler's error, came from the cache */
    uint64_t image_hash; /* of an image that lies elsewhere; 0: of none */
    unsigned losses;     /* of hands that had it */
    unsigned attempts;   /* workers lost while they had it, not through its fault */
    int measurer;        /* index of the device that must measure it; -1: any */
    struct evaluation_effort effort;
    const double *incumbent_ns;   /* goes into the effort when it is measured, and must live until then; NULL: the
                                   * effort has it */
    void *asker;                  /* for whoever submitted it */
    struct limits *limits;        /* what the effort refers to, if they are the candidate's own */
    struct evaluation evaluation; /* valid once finished */
};

/*
 * Lower configuration `index` to a job. One that cannot be lowered, because it needs more than the device has or an
 * expression of the template fails for it, comes back finished, without a job. False: the machine is at fault.
 */
bool candidate_create(const struct problem *problem, size_t index, uint64_t seed, struct candidate **result,
                      struct error *error);

/* The same in two steps, for candidates that are lowered elsewhere: what is needed to tell them apart, and the job.
 */
bool candidate_describe(const struct problem *problem, size_t index, uint64_t seed, struct candidate **result,
                        struct error *error);
bool candidate_lower(struct candidate *candidate, struct error *error);
void candidate_free(struct candidate *candidate);

/* Does it use the host's cores beside a device of another kind? NULL does not. */
bool candidate_is_hosted(const struct candidate *candidate);

/* Finish it as a failure. */
void candidate_fail(struct candidate *candidate, enum outcome outcome, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* A finished candidate's evaluation also says what was asked: its work, where it was validated and, of a timeout, the
 * time that was allowed. To be called once. */
void candidate_complete(struct candidate *candidate, double compile_deadline, double measure_deadline);

/* First in, first out; what was taken too early can be put back at the front. */
struct candidate_queue {
    struct candidate *first, *last;
    size_t count;
};
void candidate_push(struct candidate_queue *queue, struct candidate *candidate);
void candidate_put_back(struct candidate_queue *queue, struct candidate *candidate);
struct candidate *candidate_pop(struct candidate_queue *queue); /* NULL when it is empty */
/* The one expected to take longest to compile; the first among equals. */
struct candidate *candidate_pop_longest(struct candidate_queue *queue);
void candidate_queue_clear(struct candidate_queue *queue);

#endif

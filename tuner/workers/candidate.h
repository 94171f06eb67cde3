/* SPDX-License-Identifier: Apache-2.0 */
/*
 * candidate.h - a configuration on its way through compiling and measuring, and what became of it.
 */
#ifndef TUNE_WORKERS_CANDIDATE_H
#define TUNE_WORKERS_CANDIDATE_H

#include "tuner/measure/evaluate.h"

struct candidate {
    struct candidate *next; /* in a queue */
    size_t index;           /* of the problem's configuration */
    char *text;             /* its canonical text */
    struct job *job;        /* NULL if it could not be lowered */
    void *image;            /* NULL until compiled */
    size_t image_bytes;
    double expected_seconds;                 /* of compiling; only to order by */
    double compile_seconds, measure_seconds; /* the latter only what lost workers took */
    int64_t spill_bytes;
    bool from_cache;                 /* its image, or the compiler's refusal, was made before */
    unsigned attempts;               /* workers that were lost over it through no fault of its own */
    int measurer;                    /* which of the crew's devices has to measure it; -1: any */
    struct evaluation_effort effort; /* the incumbent's time is put in when its turn comes */
    struct evaluation evaluation;    /* once it is finished */
};

/*
 * Lower configuration `index`. One that needs more than the device has comes back finished (without a job); false if
 * the template cannot be evaluated for it.
 */
bool candidate_create(const struct problem *problem, size_t index, uint64_t seed, struct candidate **result,
                      struct error *error);
void candidate_free(struct candidate *candidate);

/* Finish it without a measurement. */
void candidate_fail(struct candidate *candidate, enum outcome outcome, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* First in, first out; but what was taken out too early may be put back where it was. */
struct candidate_queue {
    struct candidate *first, *last;
    size_t count;
};
void candidate_push(struct candidate_queue *queue, struct candidate *candidate);
void candidate_put_back(struct candidate_queue *queue, struct candidate *candidate);
struct candidate *candidate_pop(struct candidate_queue *queue); /* NULL when it is empty */
/* The one that is expected to take longest to compile; the first of equals. */
struct candidate *candidate_pop_longest(struct candidate_queue *queue);
void candidate_queue_clear(struct candidate_queue *queue);

#endif

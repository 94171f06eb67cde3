/* SPDX-License-Identifier: Apache-2.0 */
/*
 * unrolling.h - what the parts of steps_lower share: the list of steps that grows, and which buffer a name means
 * while swaps are carried out.
 */
#ifndef TUNE_JOB_UNROLLING_H
#define TUNE_JOB_UNROLLING_H

#include "tuner/job/lowering.h"

/* The block that is lowered. */
enum part { PART_SETUP, PART_PREPARE, PART_LAUNCH, PART_FINISH, PART_VERIFY, PART_REFERENCE };

struct step_list;

struct unrolling {
    const struct lowering *lowering;
    enum part part;
    bool (*lower_block)(struct unrolling *unrolling, const struct block *block, struct step_list *list);
    const struct job_case *now;
    const size_t *results;
    struct job_program *program;
    size_t *names;    /* names[i]: the buffer that the i-th name currently means */
    bool moves;       /* swaps are steps: it depends on counts or flags whether or how often they take place */
    unsigned nesting; /* of steps inside a step */
    size_t spent;     /* statements executed */
};

struct step_list {
    struct job_step *steps;
    size_t count, capacity;
};

/* A new step at the end of the list, zeroed; NULL when out of memory. */
struct job_step *unrolling_append(const struct unrolling *unrolling, struct step_list *list, enum job_step_kind kind);

/* The buffer that a name currently means, and its index. NULL, with an error at `place`: its extent is not known
 * here.
 */
const struct job_buffer *unrolling_buffer(const struct unrolling *unrolling, size_t name, struct place place,
                                          size_t *buffer);

/* Set a local name of the template: it is known now. */
void unrolling_set(const struct unrolling *unrolling, size_t slot, struct value value);

/* One statement more; ERROR_INPUT: there are more than STEPS_LIMIT. */
enum { STEPS_LIMIT = 1000 * 1000 };
bool unrolling_spend(struct unrolling *unrolling, const struct statement *statement);

/* May the statement write to the buffer? Inputs must not change. */
bool unrolling_may_write(const struct unrolling *unrolling, const struct statement *statement,
                         const struct job_buffer *buffer);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * unrolling.h - what the parts of steps_lower share: the list of steps that grows, and which buffer a name means
 * while swaps are carried out.
 */
#ifndef TUNE_JOB_UNROLLING_H
#define TUNE_JOB_UNROLLING_H

#include "tuner/job/lowering.h"

struct unrolling {
    const struct lowering *lowering;
    const struct job_case *now;
    const size_t *results;
    struct job_program *program;
    size_t *names;     /* names[i]: the buffer that the i-th name currently means */
    bool makes_inputs; /* this is the setup, which may write `in` buffers */
    size_t spent;      /* statements executed */
};

struct step_list {
    struct job_step *steps;
    size_t count, capacity;
};

/* A new step at the end of the list, zeroed; NULL when out of memory. */
struct job_step *unrolling_append(const struct unrolling *unrolling, struct step_list *list, enum job_step_kind kind);

/* The buffer that a name currently means, and its index. */
const struct job_buffer *unrolling_buffer(const struct unrolling *unrolling, size_t name, size_t *buffer);

/* May the statement write to the buffer? Inputs must not change. */
bool unrolling_may_write(const struct unrolling *unrolling, const struct statement *statement,
                         const struct job_buffer *buffer);

#endif

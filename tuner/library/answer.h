/* SPDX-License-Identifier: Apache-2.0 */
/*
 * answer.h - what an answer of tune_best holds: what it says of itself, and what it takes to load its kernels.
 *
 * Answers are immutable and shared: the table of answers and every caller hold a reference each. They outlive the
 * handle that gave them.
 */
#ifndef TUNE_LIBRARY_ANSWER_H
#define TUNE_LIBRARY_ANSWER_H

#include "tuner/library/topic.h"
#include "tuner/library/tune.h"
#include "tuner/space/problem.h"

#include <pthread.h>
#include <stdatomic.h>

struct tune_answer {
    atomic_size_t references;
    struct topic *topic;        /* the template and the device; held */
    struct size_setting *sizes; /* all of the template's, with its names */
    bool with_inputs;           /* do the template's data files fit these? */
    struct tune_answer_info info;
    struct tune_parameter *parameters;
    size_t parameter_count;
    pthread_mutex_t making; /* of the problem */
    struct problem *problem;
};

/*
 * An answer for a topic at these sizes, which it takes, with this configuration (canonical JSON). All else of `info`
 * is copied, but for what follows from these. ERROR_INPUT: the configuration is not one of the template's.
 */
bool answer_create(struct topic *topic, struct size_setting *sizes, bool with_inputs, const char *configuration,
                   const struct tune_answer_info *info, struct tune_answer **answer, struct error *error);

/* An answer for the same problem as another one, with this configuration. Likewise. */
bool answer_create_like(const struct tune_answer *answer, const char *configuration,
                        const struct tune_answer_info *info, struct tune_answer **result, struct error *error);

/* Another reference; give it back by tune_answer_free. */
struct tune_answer *answer_keep(const struct tune_answer *answer);

/*
 * The problem whose only configuration is the answer's: job_lower(problem, 0, seed, ...) lowers it. Made when it is
 * first asked for, by any thread; belongs to the answer, which must be held as long as the problem is used.
 *
 * The template is topic->own->template, the device topic->device.
 */
bool answer_problem(const struct tune_answer *answer, const struct problem **problem, struct error *error);

#endif

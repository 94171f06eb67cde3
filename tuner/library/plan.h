/* SPDX-License-Identifier: Apache-2.0 */
/*
 * plan.h - a block as a flat list of launches, copies and fills, ready to be queued.
 *
 * That is possible if nothing of it depends on data, not even where a buffer is, all is in one stream, and there are
 * no textures: then all that changes from call to call is where the program's buffers are. A plan does not change, so
 * any number of threads may queue it at once, without locks or allocations.
 */
#ifndef TUNE_LIBRARY_PLAN_H
#define TUNE_LIBRARY_PLAN_H

#include "tuner/library/code.h"
#include "tuner/library/passed.h"
#include "tuner/measure/instance.h"

struct plan;

/* What a plan is made of; the plan refers to the code and to the addresses of the instance. */
struct plan_parts {
    const struct code *code;
    const struct passed *passed;
    const struct instance *instance; /* with the memory that is the kernel's own */
};

/* `*result` is NULL if the steps are not as flat as that. `begins`: scratch buffers get their initial values first;
 * `ends`: results are copied back last (passed.h). */
bool plan_make(const struct plan_parts *parts, const struct job_steps *steps, bool begins, bool ends,
               struct plan **result, struct error *error);
void plan_free(struct plan *plan);

/* Queue it in the kernel's context. `buffers` are those of struct passed. */
bool plan_queue(const struct plan *plan, void *stream, const struct tune_buffer *buffers, struct error *error);
/* The same in any context, for a plan that is one launch: false, and nothing is queued, unless it is, the kernel's
 * context is current, and nothing is special. */
bool plan_queue_at_once(const struct plan *plan, void *stream, const struct tune_buffer *buffers);

#endif

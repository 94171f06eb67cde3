/* SPDX-License-Identifier: Apache-2.0 */
/*
 * lowering.h - what the parts of job_lower share: the configuration's values, and expressions evaluated with them.
 */
#ifndef TUNE_JOB_LOWERING_H
#define TUNE_JOB_LOWERING_H

#include "tuner/job/job.h"

struct late;

struct lowering {
    const struct template *template;
    const struct space *space;
    const struct device_description *device;
    const struct inputs *inputs; /* the template's data files; may be NULL */
    struct value *slots;         /* at the sizes of the current case */
    struct job *job;
    struct late *late; /* what counts decide (late.h); NULL: the template has none */
    bool *textured;    /* by buffer of the case: a launch sees it as a texture */
    bool *moved;       /* by buffer of the case: a step swaps it */
    bool *hosted;      /* by buffer of the case: a launch on the host takes it */
    struct error *error;
};

/* Evaluate; if a let has no value, the error says why. A NULL expression yields the `absent` value. */
bool lowering_value(const struct lowering *lowering, const struct expr *expr, struct value *result);
bool lowering_integer(const struct lowering *lowering, const struct expr *expr, int64_t absent, int64_t *result);
bool lowering_number(const struct lowering *lowering, const struct expr *expr, double absent, double *result);
bool lowering_truth(const struct lowering *lowering, const struct expr *expr, bool absent, bool *result);
/* Of a list; the caller frees `*values`. */
bool lowering_list(const struct lowering *lowering, const struct expr *expr, struct value **values, size_t *count);

/* A place as workers know it; `before` is the line of the part before it, whose excerpt will do; 0: none. False: out
 * of memory. */
bool lowering_place(struct place place, unsigned before, struct job_place *result);

bool lowering_out_of_memory(const struct lowering *lowering);

#endif

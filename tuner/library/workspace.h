/* SPDX-License-Identifier: Apache-2.0 */
/*
 * workspace.h - the buffers of a kernel handle: those that launches keep to themselves, in memory of the handle's
 * own, and those that the program passes with each call.
 *
 * It is a bare instance of the job (tuner/measure/instance.h), which tuner/measure/steps.h can run.
 */
#ifndef TUNE_LIBRARY_WORKSPACE_H
#define TUNE_LIBRARY_WORKSPACE_H

#include "tuner/library/code.h"
#include "tuner/library/passed.h"
#include "tuner/measure/instance.h"

struct workspace {
    struct validation_kernels filler; /* the code's, on a view of its device */
    struct instance instance;
    struct instance_textures textures;
    const struct passed *passed;
    const struct job_buffer *initial; /* the job's buffers */
};

/* In the device's context. `view` and `passed` must outlive it. Clear it in any case. */
bool workspace_open(const struct code *code, struct device *view, const struct passed *passed,
                    struct workspace *workspace, struct error *error);
void workspace_clear(struct workspace *workspace);

/* Bytes of memory of its own, at present. */
uint64_t workspace_bytes(const struct workspace *workspace);

/* The passed buffers' memory is this from here on. `goes_on`: buffers stay swapped as the block before has left them,
 * else each has its own memory again. */
void workspace_bind(struct workspace *workspace, const struct tune_buffer *buffers, bool goes_on);

/* Queue: give scratch buffers that the steps use their initial values. */
bool workspace_begin(struct workspace *workspace, const struct job_steps *steps, struct error *error);

/* Queue: results that are in other memory than the program's are copied there. ERROR_INPUT: what the steps have
 * swapped, as often as the data wanted, cannot be put back. */
bool workspace_end(struct workspace *workspace, struct error *error);

#endif

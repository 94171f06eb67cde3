/* SPDX-License-Identifier: Apache-2.0 */
/*
 * code.h - a configuration's kernels, loaded: its job, its image from the cache or the compiler, its module.
 *
 * Handles share it; nothing of it changes, except for the variables of its source on the device.
 */
#ifndef TUNE_LIBRARY_CODE_H
#define TUNE_LIBRARY_CODE_H

#include "tuner/library/attached.h"
#include "tuner/library/tune.h"
#include "tuner/measure/program.h"
#include "tuner/measure/validation_kernels.h"

struct code {
    atomic_size_t users;
    struct attached *attached;
    struct code *origin; /* whose job and image it has; NULL: its own */
    struct job *job;
    void *image;
    size_t image_bytes;
    bool from_cache;
    struct program program;
    /* What steps need beside it (tuner/measure/steps.h): the device, its description, and the kernels that fill
     * buffers, which are loaded only if any block fills one with more than repeated bytes. */
    struct validation_kernels filler;
};

struct code_request {
    struct attached *attached;
    const struct problem *problem;
    const char *cache; /* the folder of images; NULL: the user's */
};

/* TUNE_ERROR_COMPILE: it does not compile, or needs more than the device has. In the context of `attached`. */
enum tune_code code_load(const struct code_request *request, struct code **result, struct tune_error *error);
/* The same in a module of its own, with variables of its own. */
enum tune_code code_load_again(struct code *code, struct code **result, struct tune_error *error);
struct code *code_share(struct code *code);
void code_release(struct code *code);

/* Is the image in the cache? Then nothing is compiled to load it. */
bool code_is_cached(const struct code_request *request);

static inline const struct job_case *code_case(const struct code *code)
{
    return &code->job->cases[JOB_TUNED];
}

/* Are all bytes of what these fill a buffer with the same? */
bool code_fills_bytes(const struct job_step *step, const struct layout *layout);
bool code_begins_with_bytes(const struct job_buffer *buffer, unsigned char *byte);

#endif

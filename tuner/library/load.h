/* SPDX-License-Identifier: Apache-2.0 */
/*
 * load.h - the kernel of an answer, now or in a thread.
 */
#ifndef TUNE_LIBRARY_LOAD_H
#define TUNE_LIBRARY_LOAD_H

#include "tuner/library/answer.h"
#include "tuner/library/calls.h"
#include "tuner/library/kernel.h"
#include "tuner/library/online.h"

struct load_request {
    struct attachments *attachments;
    const char *cache; /* the folder of images; NULL: the user's */
    const struct tune_answer *answer;
    const struct tune_answer *meanwhile; /* launched while a thread compiles `answer`; NULL: wait for it */
    const struct calls_place *calls;     /* NULL: nobody is told of launches */
    /* What else is tried while the program runs (online.h). NULL: nothing. Its answer, device and cache are set here,
     * its contenders taken. */
    struct online_request *online;
};

enum tune_code load_kernel(const struct load_request *request, struct tune_kernel **result, struct tune_error *error);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * checker.h - run one job on the CPU device under one kind of check. For a worker process: a kernel at fault may end
 * it.
 */
#ifndef TUNE_CHECK_CHECKER_H
#define TUNE_CHECK_CHECKER_H

#include "tuner/job/job.h"

enum check_tool { CHECK_BOUNDS, CHECK_RACES, CHECK_TOOLS };

/* What the check of one job needs to know. */
struct check_order {
    const struct job *job;
    size_t which;       /* JOB_TUNED or JOB_AWKWARD */
    const char *folder; /* for the compiler, and of the files below */
};
/* In that folder: the module, for the names of places in it; and the flaws, a line each. */
#define CHECK_MODULE_FILE "kernel.so"
#define CHECK_FLAWS_FILE  "flaws"

struct checker; /* an open CPU device */

bool checker_create(enum check_tool tool, struct checker **result, struct error *error);
void checker_free(struct checker *checker);

/*
 * Compile the job's program with instrumentation and run its sequences once. ERROR_INPUT: the template's setup is at
 * fault, or the source does not compile, which is also told as a flaw; ERROR_FAULT: the device is dead and the
 * process must end (told as a flaw).
 */
bool checker_run(struct checker *checker, const struct check_order *order, struct error *error);

/*
 * Did checker_run fail because here not even a trivial kernel can be compiled and loaded with the tool's options?
 * Then its error has the compiler's words, and says nothing about the job.
 */
bool checker_is_unusable(const struct checker *checker);

/* For the handler of a signal: tell that the running kernel touched what is not there. */
void checker_tell_signal(const struct checker *checker, int signal, const void *address, uintptr_t code);

#endif

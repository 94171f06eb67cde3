/* SPDX-License-Identifier: Apache-2.0 */
/*
 * checker.h - run one job on the CPU device under one tool. Runs in a worker process, which a faulty kernel may kill.
 */
#ifndef TUNE_CHECK_CHECKER_H
#define TUNE_CHECK_CHECKER_H

#include "tuner/cache/compile_cache.h"
#include "tuner/check/instrument.h"

/* One job to check. */
struct check_task {
    const struct job *job;
    size_t which;       /* JOB_TUNED or JOB_AWKWARD */
    const char *folder; /* for temporary files, the module and the diagnostics (collect.h) */
};

struct checker; /* an open CPU device */

bool checker_create(enum check_tool tool, struct checker **result, struct error *error);
void checker_free(struct checker *checker);

/* Call `offer` with images that are compiled from now on and belong into the cache, which is only read. */
void checker_offer_to(struct checker *checker, void (*offer)(const struct compile_offer *made, void *context),
                      void *context);

/*
 * Compile the job's program with instrumentation and run its sequences once. ERROR_INPUT: the template's setup is
 * wrong, or the source does not compile, which is also a diagnostic. ERROR_FAULT: the device is dead and the process
 * must end; the fault is also a diagnostic.
 */
bool checker_run(struct checker *checker, const struct check_task *task, struct error *error);

/*
 * Did checker_run fail because the tool cannot compile and load even a trivial kernel here? Then its error quotes the
 * compiler and says nothing about the job.
 */
bool checker_is_unusable(const struct checker *checker);

/* In a signal handler: report that the running kernel caused the signal, by an access to `address` or otherwise. */
void checker_report_signal(const struct checker *checker, int signal, const void *address, uintptr_t code);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * guardian.h - a process between a worker and its parent, so that nothing of a worker outlives it.
 *
 * A kernel on the CPU device is native code: it can start processes that leave their group and session, and ignore
 * signals. The guardian runs none of that code. It ends when its worker, its parent, or a SIGTERM ends it, with the
 * worker's exit status or signal, and it ends the worker and all its descendants first. Where the kernel allows it,
 * these are in a process namespace, which the kernel ends as a whole; elsewhere the guardian adopts orphans
 * (PR_SET_CHILD_SUBREAPER) and kills them until there are none. The worker itself dies with its guardian, by SIGKILL.
 *
 *     parent -- guardian -- [first process of the namespace] -- worker -- compiler, ...
 */
#ifndef TUNE_WORKERS_GUARDIAN_H
#define TUNE_WORKERS_GUARDIAN_H

#include "tuner/error/error.h"

#include <stdbool.h>
#include <sys/types.h>

struct guardian_plan {
    int socket;   /* to the parent; the guardian waits for the first request, then leaves it to the worker */
    pid_t parent; /* whose death ends everything; 0: unknown */
    bool own_namespace;
    int processes_most; /* in the namespace, as far as the kernel can bound them */
};

/* Become a guardian, and start a worker: returns in the worker only. Call it with a single thread. */
bool guardian_enter(const struct guardian_plan *plan, struct error *error);

/* Does the kernel allow this process a process namespace? */
bool guardian_has_namespace(void);

#endif

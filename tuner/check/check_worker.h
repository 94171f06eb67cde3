/* SPDX-License-Identifier: Apache-2.0 */
/*
 * check_worker.h - the worker process that runs checks, and its messages.
 *
 * Its only request carries a job, the case to run, and a folder created by the parent, in which the worker leaves the
 * module and the diagnostics (collect.h). An answer without "error" means that the sequences ran to completion; after
 * an answer with "last" the worker exits.
 */
#ifndef TUNE_CHECK_CHECK_WORKER_H
#define TUNE_CHECK_CHECK_WORKER_H

#include "tuner/check/checker.h"
#include "tuner/workers/message.h"

extern const char *const check_roles[]; /* by enum check_tool, for worker_start */

/* The parent's side. Returns a new reference. */
json_t *check_request(const struct check_task *task, struct error *error);
/* False: the check failed with `error`. `*last`: the worker exits. `*unusable`: its tool does not work here. */
bool check_answer(const struct message *answer, bool *last, bool *unusable, struct error *error);

/*
 * The worker's side: the whole life of a worker process in one of the roles above, or in PLAIN_RUN_ROLE
 * (plain_run.h). The bounds check re-executes the program with the runtime of AddressSanitizer preloaded. Returns the
 * exit status, or -1 for any other role.
 */
int check_worker_main(const char *role, int socket);

#endif

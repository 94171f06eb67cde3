/* SPDX-License-Identifier: Apache-2.0 */
/*
 * check_worker.h - the worker that runs checks, and the messages it understands.
 *
 * Its only request has a job, which of its cases, and the folder that the parent made for what it leaves there
 * (checker.h). An answer without "error" means that the sequences ran to their end; with "last" the worker ends.
 */
#ifndef TUNE_CHECK_CHECK_WORKER_H
#define TUNE_CHECK_CHECK_WORKER_H

#include "tuner/check/checker.h"
#include "tuner/workers/message.h"

extern const char *const check_roles[]; /* by enum check_tool: what worker_start is told */

/* The parent's side. A request is a new reference. */
json_t *check_request(const struct check_order *order, struct error *error);
/* False: `error` says what went wrong. `*last`: the worker ends now. `*unusable`: its tool does not work here. */
bool check_answer(const struct message *answer, bool *last, bool *unusable, struct error *error);

/*
 * The worker's side: the whole of a worker's process, for the roles above. The check of bounds starts the program
 * anew with the run time of AddressSanitizer preloaded. A run for another program's eyes (plain_run.h) starts here
 * too. Returns the exit status, or -1: the role is another's.
 */
int check_worker_main(const char *role, int socket);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * worker_main.h - the body of a worker process.
 */
#ifndef TUNE_WORKERS_WORKER_MAIN_H
#define TUNE_WORKERS_WORKER_MAIN_H

#include "tuner/workers/message.h"

/* Be the worker of a role, "compile" or "measure"; main() calls it when started as one, with the socket to the
 * parent. Returns the exit status. */
int worker_main(const char *role, int socket);

/* The same for a role that is defined elsewhere: set the process up as a worker and let `serve` answer. */
int worker_serve(int socket, bool (*serve)(struct channel *channel, struct error *error));

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * worker_process.h - a child process as its parent sees it: start, ask, wait, end.
 *
 * A worker is this same program, run again as `--worker ROLE SOCKET`. It has a process group of its own, so that
 * Ctrl-C reaches the parent alone and a compiler it runs ends with it; what it prints goes to a pipe whose last lines
 * explain a crash; its TMPDIR is a folder that goes when it ends. It dies with its parent.
 *
 * Each request has a deadline. A worker answers it, dies, or is killed when the deadline has passed. Before it
 * answers it may send notes, objects {"note": TEXT} about what it is doing, of which the last one is kept. One more
 * request may be sent ahead: the worker finds it in its socket when it has answered the current one, and need not
 * wait for its parent.
 */
#ifndef TUNE_WORKERS_WORKER_PROCESS_H
#define TUNE_WORKERS_WORKER_PROCESS_H

#include "tuner/workers/message.h"

#include <sys/types.h>

enum {
    WORKERS_MOST = 128,        /* in one worker_wait */
    WORKER_OUT_OF_MEMORY = 71, /* exit status of a worker that could not allocate */
};

struct worker;

/* Start a worker with a folder of its own inside `scratch_folder`. */
bool worker_start(const char *role, const char *scratch_folder, struct worker **result, struct error *error);

/* Send a request that must be answered within `seconds`, to a worker that has none. */
bool worker_ask(struct worker *worker, const json_t *request, const void *blob, size_t blob_bytes, double seconds,
                struct error *error);

/* Send a request behind the current one, at most one at a time. It becomes the current one when worker_next has given
 * out the answer before; its `seconds` begin then. */
bool worker_ask_ahead(struct worker *worker, const json_t *request, const void *blob, size_t blob_bytes,
                      double seconds, struct error *error);

/* Move bytes to and from `workers` (NULL entries are skipped) until something happens, a deadline passes, a signal
 * arrives, or `milliseconds` are over. */
bool worker_wait(struct worker *const *workers, size_t count, int milliseconds, struct error *error);

enum worker_event {
    WORKER_NOTHING,
    WORKER_ANSWER, /* `answer` is filled in; the caller clears it */
    WORKER_DIED,   /* ended by itself, killed by a stranger, or sent a malformed message (then it was killed) */
    WORKER_LATE,   /* over its deadline and killed */
};

/* What has happened to the worker. After WORKER_DIED and WORKER_LATE only worker_end is left to call; a request that
 * was sent ahead has not been begun. */
enum worker_event worker_next(struct worker *worker, struct message *answer);

/* After WORKER_DIED: was it for lack of memory, in the worker (which then exits with WORKER_OUT_OF_MEMORY) or here?
 * Then its request is not to blame. */
bool worker_lacked_memory(const struct worker *worker);

/* After WORKER_DIED: the signal it died of, or 0. */
int worker_signal(const struct worker *worker);

/* After WORKER_DIED: how it ended and the last it printed, for people. What it printed about earlier requests is left
 * out; but if the request was sent ahead, what was printed just before the answer that preceded it may be there. The
 * text belongs to the worker. */
const char *worker_obituary(struct worker *worker);

/* The last note about the current request; "" if there was none. */
const char *worker_note(const struct worker *worker);

pid_t worker_pid(const struct worker *worker);

/* Let an idle worker go by itself: the first half of worker_end, for many at a time. */
void worker_dismiss(struct worker *worker);

/* End the worker: kill it unless it was idle and goes by itself, reap it, remove its folder. NULL is allowed. */
void worker_end(struct worker *worker);

#endif

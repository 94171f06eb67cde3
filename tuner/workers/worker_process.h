/* SPDX-License-Identifier: Apache-2.0 */
/*
 * worker_process.h - a worker process as its parent sees it: start, ask, wait, end.
 *
 * A worker is this same program, run again as `--worker ROLE SOCKET`. It has its own process group, so that Ctrl-C
 * reaches only the parent. What it prints goes to a pipe, whose last lines explain a crash. Its TMPDIR is a folder
 * that is removed when it ends. The process that is started is the worker's guardian (guardian.h): a SIGTERM to it
 * ends the worker and everything that the worker has started, and so does the parent's death.
 *
 * Each request has a deadline: the worker answers, dies, or is killed once the deadline has passed. Time during which
 * this process itself did not run does not count. Before it answers a worker may send notes, objects {"note": TEXT}
 * that say what it is doing; the last one is kept. Requests are numbered from a random number on, and whatever does
 * not carry the current one is malformed: it ends the worker, and is never taken for another's answer. One more
 * request may be sent ahead: the worker finds it in its socket once it has answered the current one, and need not
 * wait for its parent.
 */
#ifndef TUNE_WORKERS_WORKER_PROCESS_H
#define TUNE_WORKERS_WORKER_PROCESS_H

#include "tuner/workers/confinement.h"
#include "tuner/workers/message.h"

#include <sys/types.h>

enum {
    WORKERS_MOST = 128,        /* in one worker_wait */
    WORKER_OUT_OF_MEMORY = 71, /* exit status of a worker that could not allocate */
    WORKER_OF_MACHINE = 72,    /* and of one that the machine failed otherwise (error_is_of_machine) */
};

struct worker;

/* Start a worker with its own folder inside `scratch_folder`, confined unless `confinement` is NULL. */
bool worker_start(const char *role, const struct confinement *confinement, const char *scratch_folder,
                  struct worker **result, struct error *error);

/* From now on the worker, and what it has started, may take so many bytes of memory (process_memory.h; 0: any
 * number). worker_wait ends it if it takes more. */
void worker_bound_memory(struct worker *worker, uint64_t bytes);

/* Send a request, to be answered within `seconds`, to an idle worker. */
bool worker_ask(struct worker *worker, const json_t *request, const void *blob, size_t blob_bytes, double seconds,
                struct error *error);

/* Send one more request after the current one. It becomes the current one, and its `seconds` start, when worker_next
 * has returned the current answer. */
bool worker_ask_ahead(struct worker *worker, const json_t *request, const void *blob, size_t blob_bytes,
                      double seconds, struct error *error);

/* Move bytes to and from `workers` (NULL entries are skipped) until something happens, a deadline passes, a signal
 * arrives, or `milliseconds` have passed. */
bool worker_wait(struct worker *const *workers, size_t count, int milliseconds, struct error *error);

/* The same; it ends as well when descriptor `wake` can be read (-1: none). */
bool worker_wait_or(struct worker *const *workers, size_t count, int wake, int milliseconds, struct error *error);

enum worker_event {
    WORKER_NOTHING,
    WORKER_ANSWER, /* `answer` is filled in; the caller clears it */
    WORKER_MADE,   /* so it is, with an image that the worker offers before it answers (image_offer.h) */
    WORKER_DIED, /* exited, was killed from outside, sent a malformed message or took too much memory (and was killed
                    for it) */
    WORKER_LATE, /* exceeded its deadline and was killed */
};

/* What has happened to the worker. After WORKER_DIED and WORKER_LATE only worker_end may be called; a request that
 * was sent ahead has not been started. */
enum worker_event worker_next(struct worker *worker, struct message *answer);

/* Wait, however long that takes, until anything has happened. WORKER_NOTHING: this process cannot wait. */
enum worker_event worker_await(struct worker *worker, struct message *answer, struct error *error);

/* After WORKER_DIED: did memory run out, in the worker (which then exits with WORKER_OUT_OF_MEMORY) or here? */
bool worker_lacked_memory(const struct worker *worker);

/* After WORKER_DIED: was it killed from outside, or failed by the machine? After WORKER_LATE: was it stopped while
 * its deadline passed? If so, its request is not to blame (transient.h). */
bool worker_is_blameless(const struct worker *worker);

/* After WORKER_DIED: was it killed for a malformed message? */
bool worker_sent_nonsense(const struct worker *worker);

/* After WORKER_DIED: was it killed for the memory that it took? */
bool worker_took_too_much(const struct worker *worker);

/* After WORKER_DIED: the signal that killed it, or 0. */
int worker_signal(const struct worker *worker);

/* After WORKER_DIED: how it ended and what it printed last, for an error message. Output about earlier requests is
 * left out, except that for a request sent ahead, the output just before the preceding answer may be included. The
 * text belongs to the worker. */
const char *worker_obituary(struct worker *worker);

/* The last note about the current request; "": none. */
const char *worker_note(const struct worker *worker);

pid_t worker_pid(const struct worker *worker);

/* Tell an idle worker to exit: the first half of worker_end, for ending many at a time. */
void worker_dismiss(struct worker *worker);

/* What it answered makes no sense: worker_end then kills it at once. */
void worker_distrust(struct worker *worker);

/* End the worker: kill it unless it is idle and exits by itself; reap it; remove its folder. NULL is allowed. */
void worker_end(struct worker *worker);

#endif

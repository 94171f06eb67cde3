/* SPDX-License-Identifier: Apache-2.0 */
/*
 * measure_worker.h - the worker that owns the device, and the requests it answers.
 *
 * "count" counts the devices of a kind; "describe" describes one or all of them; "compiler" names the compiler for a
 * kind, also where there is no such device; "open" prepares one for evaluations
 * and returns its description; "evaluate" carries a job, the compiled image as the blob, and the incumbent's time.
 * Before it answers, the worker sends a note whenever one of the template's own sequences begins: they can hang or
 * crash too; and it offers what it has compiled (image_offer.h). If the device does not survive an evaluation, the
 * answer says "last" and the worker exits.
 */
#ifndef TUNE_WORKERS_MEASURE_WORKER_H
#define TUNE_WORKERS_MEASURE_WORKER_H

#include "tuner/measure/evaluate.h"
#include "tuner/workers/message.h"

/* The parent's side. Requests are new references. An answer that is not as described is ERROR_MESSAGE. */
json_t *measure_count_request(const char *kind, struct error *error);
json_t *measure_compiler_request(const char *kind, struct error *error);
json_t *measure_describe_request(const char *kind, int ordinal, struct error *error); /* -1: all of them */
/* The same, of a worker whose next request will be to open it, and which therefore begins with that at once. */
json_t *measure_forerun_request(const char *kind, int ordinal, bool use_cache, struct error *error);
/* `first` is a job that is likely to be evaluated soon (NULL: unknown): what it needs beside its own kernels is
 * compiled meanwhile. */
json_t *measure_open_request(const struct device_description *device, int ordinal, bool use_cache,
                             const struct job *first, struct error *error);
json_t *measure_evaluate_request(const struct job *job, const struct evaluation_effort *effort, struct error *error);

/* False: the worker could not count them. Having no device is not a failure; `why` then gives the reason. */
bool measure_count_answer(const struct message *answer, int *count, struct error *why);
/* How many devices an answer to "describe" has, and one of them; false if that one could not be described. */
bool measure_describe_count(const struct message *answer, size_t *count, struct error *error);
bool measure_describe_answer(const struct message *answer, size_t index, int *ordinal,
                             struct device_description *description, struct error *error);
/* "": there is none. */
bool measure_compiler_answer(const struct message *answer, char *name, size_t bytes, struct error *error);
bool measure_open_answer(const struct message *answer, struct device_description *description, struct error *error);

/* `*last`: the worker exits after this answer. False: there is no evaluation, and `error` says why (ERROR_INPUT: the
 * template's setup or reference is at fault). */
bool measure_evaluate_answer(const struct message *answer, struct evaluation *evaluation, bool *last,
                             struct error *error);

/* The worker's side: answer requests until the parent closes the socket or the device is lost. */
bool measure_worker(struct channel *channel, struct error *error);

#endif

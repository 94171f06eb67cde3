/* SPDX-License-Identifier: Apache-2.0 */
/*
 * measure_worker.h - the worker that owns the device, and the messages it understands.
 *
 * "count" counts a kind's devices; "describe" describes one or all of them; "open" makes one ready for evaluations
 * and answers with its description; "evaluate" has a job, the compiled image as the blob, and the best time so far.
 * Before the answer a note says which of the template's own sequences begins, for these may hang or crash as well.
 * After an evaluation that the device does not survive the answer says "last", and the worker ends.
 */
#ifndef TUNE_WORKERS_MEASURE_WORKER_H
#define TUNE_WORKERS_MEASURE_WORKER_H

#include "tuner/measure/evaluate.h"
#include "tuner/workers/message.h"

/* The parent's side; requests are new references. */
json_t *measure_count_request(const char *kind, struct error *error);
json_t *measure_describe_request(const char *kind, int ordinal, struct error *error); /* -1: all of them */
json_t *measure_open_request(const char *kind, int ordinal, bool use_cache, struct error *error);
json_t *measure_evaluate_request(const struct job *job, const struct evaluation_effort *effort, struct error *error);

/* False: the worker could not count; no device is no failure, and then `why` says why. */
bool measure_count_answer(const struct message *answer, int *count, struct error *why);
/* How many there are in an answer to "describe", and one of them: false if that one cannot be described. */
bool measure_describe_count(const struct message *answer, size_t *count, struct error *error);
bool measure_describe_answer(const struct message *answer, size_t index, int *ordinal,
                             struct device_description *description, struct error *error);
bool measure_open_answer(const struct message *answer, struct device_description *description, struct error *error);

/* `*last`: the worker ends after this answer. False: no evaluation came about, and `error` says why (ERROR_INPUT: the
 * template's setup or reference is at fault). */
bool measure_evaluate_answer(const struct message *answer, struct evaluation *evaluation, bool *last,
                             struct error *error);

/* The worker's side: answer until the parent closes the socket or the device is lost. */
bool measure_worker(struct channel *channel, struct error *error);

#endif

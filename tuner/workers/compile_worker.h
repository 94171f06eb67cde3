/* SPDX-License-Identifier: Apache-2.0 */
/*
 * compile_worker.h - the worker that runs a device's compiler, and the messages it understands.
 *
 * "open" tells it the device to compile for, once, and whether to use the cache of images. "compile" has the program;
 * the answer has the compiler's messages and, if it compiled, the image as the blob. An "error" in an answer means
 * that the compiler itself cannot be used.
 */
#ifndef TUNE_WORKERS_COMPILE_WORKER_H
#define TUNE_WORKERS_COMPILE_WORKER_H

#include "tuner/job/job.h"
#include "tuner/workers/message.h"

/* The parent's side; requests are new references. */
json_t *compile_open_request(const struct device_description *description, bool use_cache, struct error *error);
json_t *compile_request(const struct job_program *program, struct error *error);

/* Take the result out of an answer (its blob becomes the image). False: the answer's own error. */
bool compile_answer(struct message *answer, struct compile_result *result, struct error *error);
void compile_result_clear(struct compile_result *result);

/* The worker's side: answer until the parent closes the socket. */
bool compile_worker(struct channel *channel, struct error *error);

#endif

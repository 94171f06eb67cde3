/* SPDX-License-Identifier: Apache-2.0 */
/*
 * compile_worker.h - the worker that runs a device's compiler, and the requests it answers.
 *
 * "open" comes once and says which device to compile for and whether to use the image cache. "compile" carries the
 * program; the answer has the compiler's messages and, on success, the image as the blob, and offers it for the cache
 * if it was not found there (image_offer.h). An "error" in an answer means that the compiler itself does not work.
 */
#ifndef TUNE_WORKERS_COMPILE_WORKER_H
#define TUNE_WORKERS_COMPILE_WORKER_H

#include "tuner/job/job.h"
#include "tuner/workers/image_offer.h"

/* The parent's side. Requests are new references. */
json_t *compile_open_request(const struct device_description *description, bool use_cache, struct error *error);
json_t *compile_request(const struct job_program *program, struct error *error);

/* Check the answer to "open". False: the error that the worker reported, or ERROR_MESSAGE. */
bool compile_open_answer(const struct message *answer, struct error *error);

/* Take the result out of an answer; its blob becomes the image. `*offered`: it comes with an offer for the cache,
 * which refers to it. False: the error that the worker reported, or ERROR_MESSAGE. */
bool compile_answer(struct message *answer, struct compile_result *result, struct compile_offer *offer, bool *offered,
                    struct error *error);

/* The worker's side: answer requests until the parent closes the socket. */
bool compile_worker(struct channel *channel, struct error *error);

#endif

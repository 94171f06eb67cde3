/* SPDX-License-Identifier: Apache-2.0 */
/*
 * sham_worker.h - what worker processes of benchmarks share that answer without a compiler or a device.
 */
#ifndef TUNE_TESTS_BENCH_SHAM_WORKER_H
#define TUNE_TESTS_BENCH_SHAM_WORKER_H

#include "tuner/workers/message.h"

#include <stdlib.h>

/* `image` has as many bytes as was asked for, of zeros. False: the worker ends. */
typedef bool sham_answer(struct channel *channel, const char *role, const json_t *request, const void *image);

/* Takes over `json`. */
static inline bool sham_reply(struct channel *channel, json_t *json, const void *blob, size_t bytes)
{
    bool sent = channel_send(channel, json, blob, bytes, NULL);
    json_decref(json);
    return sent;
}

/* Serve until the parent has gone; returns the exit status. */
static inline int sham_worker(const char *role, int socket, size_t image_bytes, sham_answer *answer)
{
    struct channel *channel = NULL;
    struct message request;
    bool ended = false, served = true;
    void *image = calloc(1, image_bytes);
    if (!image || !channel_create(socket, &channel, NULL)) {
        free(image);
        return EXIT_FAILURE;
    }
    while (served && channel_receive(channel, &request, &ended, NULL) && !ended) {
        served = answer(channel, role, request.json, image);
        message_clear(&request);
    }
    channel_free(channel);
    free(image);
    return EXIT_SUCCESS;
}

#endif

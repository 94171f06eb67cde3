/* SPDX-License-Identifier: Apache-2.0 */
/*
 * forked_worker.h - a worker forked at the other end of a socket, without its program. Include cmocka.h first.
 */
#ifndef TUNE_TESTS_UNIT_WORKERS_FORKED_WORKER_H
#define TUNE_TESTS_UNIT_WORKERS_FORKED_WORKER_H

#include "tuner/workers/message.h"

#include <sys/socket.h>
#include <unistd.h>

/* Fork a process that runs `serve`; returns the channel to it. */
static inline struct channel *start_worker(bool (*serve)(struct channel *channel, struct error *error), pid_t *worker)
{
    int sockets[2];
    struct error error = {0};
    struct channel *channel = NULL;
    assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, sockets), 0);
    *worker = fork();
    if (*worker == 0) {
        close(sockets[0]);
        bool served = channel_create(sockets[1], &channel, &error) && serve(channel, &error);
        _exit(served ? 0 : 1);
    }
    close(sockets[1]);
    assert_true(channel_create(sockets[0], &channel, &error));
    return channel;
}

/* Send `request`, consuming it, and wait for the answer. */
static inline struct message ask(struct channel *channel, json_t *request)
{
    struct error error = {0};
    struct message answer;
    bool ended;
    assert_non_null(request);
    assert_true(channel_send(channel, request, NULL, 0, &error));
    json_decref(request);
    assert_true(channel_receive(channel, &answer, &ended, &error));
    assert_false(ended);
    return answer;
}

#endif

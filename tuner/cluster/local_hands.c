/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/cluster/local_hands.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

enum { HAND_SOCKET = 3, FIRST_FREE_DESCRIPTOR = 10 };

/* The environment without $TUNE_HANDS, and with $TUNE_NODE = `node`, unless there is one; the list is allocated. */
static char **hand_environment(char *node)
{
    size_t count = 0, kept = 0;
    while (environ[count])
        count++;
    char **list = calloc(count + 2, sizeof *list);
    for (size_t i = 0; list && i < count; i++) {
        if (strncmp(environ[i], "TUNE_HANDS=", strlen("TUNE_HANDS=")) != 0)
            list[kept++] = environ[i];
    }
    if (list && !getenv("TUNE_NODE"))
        list[kept] = node;
    return list;
}

/* Consumes `socket`, the hand's end. */
static bool start(int socket, size_t number, pid_t *pid, struct error *error)
{
    char node[48], descriptor[16];
    posix_spawn_file_actions_t actions;
    char *const arguments[] = {"tune", "--hand", descriptor, NULL};
    snprintf(node, sizeof node, "TUNE_NODE=hand-%zu", number);
    snprintf(descriptor, sizeof descriptor, "%d", HAND_SOCKET);
    char **environment = hand_environment(node);
    int failed = environment ? posix_spawn_file_actions_init(&actions) : ENOMEM;
    if (!failed) {
        failed = posix_spawn_file_actions_adddup2(&actions, socket, HAND_SOCKET);
        failed = failed ? failed : posix_spawn_file_actions_addclosefrom_np(&actions, HAND_SOCKET + 1);
        failed = failed ? failed : posix_spawn(pid, "/proc/self/exe", &actions, NULL, arguments, environment);
        posix_spawn_file_actions_destroy(&actions);
    }
    free(environment);
    close(socket);
    return !failed || error_set(error, ERROR_SYSTEM, "cannot start a hand: %s", strerror(failed));
}

static bool add(struct ranks *ranks, struct error *error)
{
    int ends[2];
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
        return error_set(error, ERROR_SYSTEM, "cannot start a hand: %s", strerror(errno));
    int high = fcntl(ends[1], F_DUPFD_CLOEXEC, FIRST_FREE_DESCRIPTOR);
    close(ends[1]);
    size_t number = ranks->hand_count;
    if (high < 0 || !start(high, number + 1, &ranks->hands[number], error)) {
        close(ends[0]);
        return high >= 0 ? false : error_set(error, ERROR_SYSTEM, "cannot start a hand: %s", strerror(errno));
    }
    ranks->sockets[number] = ends[0];
    ranks->hand_count++;
    return true;
}

bool local_hands_start(struct ranks *ranks, size_t count, struct error *error)
{
    ranks->sockets = calloc(count, sizeof *ranks->sockets);
    ranks->hands = calloc(count, sizeof *ranks->hands);
    if (!ranks->sockets || !ranks->hands) {
        ranks_leave(ranks);
        return error_out_of_memory(error);
    }
    bool done = true;
    while (done && ranks->hand_count < count)
        done = add(ranks, error);
    ranks->size = (int)ranks->hand_count + 1;
    for (size_t i = 0; !done && i < ranks->hand_count; i++)
        close(ranks->sockets[i]);
    if (!done)
        ranks_leave(ranks);
    return done;
}

void local_hands_end(struct ranks *ranks)
{
    for (size_t i = 0; i < ranks->hand_count; i++) {
        while (waitpid(ranks->hands[i], NULL, 0) < 0 && errno == EINTR)
            ;
    }
    free(ranks->hands);
    ranks->hands = NULL;
    ranks->hand_count = 0;
}

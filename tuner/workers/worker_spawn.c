/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/workers/worker_spawn.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum {
    WORKER_SOCKET = 3,          /* the socket's descriptor in the worker */
    FIRST_FREE_DESCRIPTOR = 10, /* the parent may have been started with 0, 1 or 2 closed */
};

static bool move_up(int *descriptor, struct error *error)
{
    int moved = fcntl(*descriptor, F_DUPFD_CLOEXEC, FIRST_FREE_DESCRIPTOR);
    if (moved < 0)
        return error_set(error, ERROR_SYSTEM, "cannot start a worker process: %s", strerror(errno));
    close(*descriptor);
    *descriptor = moved;
    return true;
}

static void close_pair(int pair[2])
{
    for (int i = 0; i < 2; i++) {
        if (pair[i] >= 0)
            close(pair[i]);
        pair[i] = -1;
    }
}

static bool is_set_by(const char *entry, const char *variable)
{
    return strncmp(entry, variable, strcspn(variable, "=") + 1) == 0;
}

/* The environment with the worker's folder as TMPDIR, and its confinement: one allocation that refers to the two. */
static char **worker_environment(char *folder, char *confinement)
{
    size_t count = 0;
    while (environ[count])
        count++;
    char **list = calloc(count + 3, sizeof *list);
    if (!list)
        return NULL;
    size_t kept = 0;
    for (size_t i = 0; i < count; i++) {
        if (!is_set_by(environ[i], folder) && !is_set_by(environ[i], confinement))
            list[kept++] = environ[i];
    }
    list[kept++] = folder;
    list[kept] = confinement;
    return list;
}

static int describe_child(posix_spawn_file_actions_t *actions, posix_spawnattr_t *attributes, int socket, int output)
{
    sigset_t none, all;
    sigemptyset(&none);
    sigfillset(&all);
    int failed = posix_spawn_file_actions_addopen(actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    failed = failed ? failed : posix_spawn_file_actions_adddup2(actions, output, STDOUT_FILENO);
    failed = failed ? failed : posix_spawn_file_actions_adddup2(actions, output, STDERR_FILENO);
    failed = failed ? failed : posix_spawn_file_actions_adddup2(actions, socket, WORKER_SOCKET);
    failed = failed ? failed : posix_spawn_file_actions_addclosefrom_np(actions, WORKER_SOCKET + 1);
    failed = failed ? failed : posix_spawnattr_setpgroup(attributes, 0);
    failed = failed ? failed : posix_spawnattr_setsigmask(attributes, &none);
    failed = failed ? failed : posix_spawnattr_setsigdefault(attributes, &all);
    short flags = POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF;
    return failed ? failed : posix_spawnattr_setflags(attributes, flags);
}

static bool spawn(const char *role, const struct confinement *confinement, const char *folder, int socket, int output,
                  pid_t *pid, struct error *error)
{
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    char number[16], variable[PATH_MAX];
    snprintf(number, sizeof number, "%d", WORKER_SOCKET);
    snprintf(variable, sizeof variable, "TMPDIR=%s", folder);
    char *const arguments[] = {"tune", "--worker", (char *)role, number, NULL};

    char *confined = confinement_variable(confinement, role);
    char **environment = confined ? worker_environment(variable, confined) : NULL;
    if (!environment) {
        free(confined);
        return error_out_of_memory(error);
    }
    int failed = posix_spawn_file_actions_init(&actions);
    if (failed)
        goto out_environment;
    failed = posix_spawnattr_init(&attributes);
    if (failed)
        goto out_actions;
    failed = describe_child(&actions, &attributes, socket, output);
    if (!failed)
        failed = posix_spawn(pid, "/proc/self/exe", &actions, &attributes, arguments, environment);
    posix_spawnattr_destroy(&attributes);
out_actions:
    posix_spawn_file_actions_destroy(&actions);
out_environment:
    free(environment);
    free(confined);
    return !failed || error_set(error, ERROR_SYSTEM, "cannot start a worker process: %s", strerror(failed));
}

/* Both pairs: [0] is the parent's end, [1] the worker's. */
static bool make_ends(int sockets[2], int output[2], struct error *error)
{
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, sockets) != 0 || pipe2(output, O_CLOEXEC) != 0)
        return error_set(error, ERROR_SYSTEM, "cannot start a worker process: %s", strerror(errno));
    for (int i = 0; i < 2; i++) {
        if (!move_up(&sockets[i], error) || !move_up(&output[i], error))
            return false;
    }
    if (fcntl(output[0], F_SETFL, O_NONBLOCK) != 0)
        return error_set(error, ERROR_SYSTEM, "cannot start a worker process: %s", strerror(errno));
    return true;
}

bool worker_spawn(const char *role, const struct confinement *confinement, const char *folder,
                  struct worker_spawned *spawned, struct error *error)
{
    int sockets[2] = {-1, -1}, output[2] = {-1, -1};
    bool done = make_ends(sockets, output, error) &&
                spawn(role, confinement, folder, sockets[1], output[1], &spawned->pid, error);
    if (done) {
        spawned->socket = sockets[0];
        spawned->output = output[0];
        sockets[0] = output[0] = -1;
    }
    close_pair(sockets);
    close_pair(output);
    return done;
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/check/program_output.h"

#include "tuner/device/monotonic.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static int start(char *const *arguments, const char *input, int output, pid_t *child)
{
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    if (posix_spawn_file_actions_init(&actions) != 0)
        return ENOMEM;
    int failed = posix_spawnattr_init(&attributes);
    if (failed) {
        posix_spawn_file_actions_destroy(&actions);
        return failed;
    }
    failed = posix_spawn_file_actions_addopen(&actions, 0, input ? input : "/dev/null", O_RDONLY, 0);
    failed = failed ? failed : posix_spawn_file_actions_adddup2(&actions, output, 1);
    failed = failed ? failed : posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0);
    failed = failed ? failed : posix_spawnattr_setpgroup(&attributes, 0);
    failed = failed ? failed : posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
    failed = failed ? failed : posix_spawnp(child, arguments[0], &actions, &attributes, arguments, environ);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    return failed;
}

/* Append what there is to read; false at its end. */
static bool append(int file, char **text, size_t *length, size_t *room)
{
    if (*length + 1 >= *room) {
        char *longer = realloc(*text, 2 * *room);
        if (!longer)
            return false;
        *text = longer;
        *room *= 2;
    }
    ssize_t got = read(file, *text + *length, *room - *length - 1);
    if (got <= 0)
        return got < 0 && errno == EINTR;
    *length += (size_t)got;
    return true;
}

static void read_all(int file, double seconds, char **text, size_t room)
{
    size_t length = 0;
    double end = monotonic_seconds() + seconds;
    for (;;) {
        double left = end - monotonic_seconds();
        struct pollfd ready = {.fd = file, .events = POLLIN};
        int polled = left > 0 ? poll(&ready, 1, (int)(left * 1000) + 1) : 0;
        if (polled == 0 || (polled < 0 && errno != EINTR) || (polled > 0 && !append(file, text, &length, &room)))
            break;
    }
    (*text)[length] = '\0';
}

bool program_output(char *const *arguments, const char *input, double seconds, char **output, struct error *error)
{
    enum { ROOM = 4096 };
    int ends[2];
    pid_t child;
    *output = NULL;
    if (pipe2(ends, O_CLOEXEC) != 0)
        return error_set(error, ERROR_SYSTEM, "cannot make a pipe: %s", strerror(errno));
    char *text = malloc(ROOM);
    int failed = text ? start(arguments, input, ends[1], &child) : ENOMEM;
    close(ends[1]);
    if (failed) {
        close(ends[0]);
        free(text);
        return error_set(error, ERROR_WORK, "cannot run %s: %s", arguments[0], strerror(failed));
    }
    read_all(ends[0], seconds, &text, ROOM);
    close(ends[0]);
    kill(-child, SIGKILL); /* it has ended, or is too late */
    while (waitpid(child, NULL, 0) < 0 && errno == EINTR)
        ;
    *output = text;
    return true;
}

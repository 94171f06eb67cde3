/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/device/cpu/child.h"

#include "tuner/evaluation/transient.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <spawn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

bool child_find(const char *name, char *path, size_t bytes)
{
    const char *folders = getenv("PATH");
    if (!folders)
        folders = "/usr/local/bin:/usr/bin:/bin";
    while (*folders) {
        size_t length = strcspn(folders, ":");
        int written = snprintf(path, bytes, "%.*s/%s", (int)length, folders, name);
        if (length > 0 && written > 0 && (size_t)written < bytes && access(path, X_OK) == 0)
            return true;
        folders += length;
        folders += *folders == ':';
    }
    return false;
}

/* The environment with TMPDIR and a fixed language; the strings are borrowed. */
static char **child_environment(char *tmpdir, char *language)
{
    size_t count = 0;
    while (environ[count])
        count++;
    char **child = calloc(count + 3, sizeof *child);
    if (!child)
        return NULL;
    size_t kept = 0;
    for (size_t i = 0; i < count; i++) {
        if (strncmp(environ[i], "TMPDIR=", 7) != 0 && strncmp(environ[i], "LC_ALL=", 7) != 0)
            child[kept++] = environ[i];
    }
    child[kept++] = tmpdir;
    child[kept] = language;
    return child;
}

/* The signals of the child, whatever a program that tune is a part of does with its own. */
static int set_signals(posix_spawnattr_t *attributes)
{
    sigset_t none, own;
    sigemptyset(&none);
    sigemptyset(&own);
    sigaddset(&own, SIGCHLD);
    sigaddset(&own, SIGPIPE);
    int failure = posix_spawnattr_setsigmask(attributes, &none);
    if (failure == 0)
        failure = posix_spawnattr_setsigdefault(attributes, &own);
    if (failure == 0)
        failure = posix_spawnattr_setflags(attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
    return failure;
}

static int spawn_with(pid_t *child, const posix_spawnattr_t *attributes, const char *const *arguments,
                      char *const *environment, int output)
{
    posix_spawn_file_actions_t actions;
    int failure = posix_spawn_file_actions_init(&actions);
    if (failure != 0)
        return failure;
    failure = posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
    if (failure == 0)
        failure = posix_spawn_file_actions_adddup2(&actions, output, 1);
    if (failure == 0)
        failure = posix_spawn_file_actions_adddup2(&actions, output, 2);
    if (failure == 0)
        failure = posix_spawn_file_actions_addclosefrom_np(&actions, 3);
    if (failure == 0)
        failure =
            posix_spawn(child, arguments[0], &actions, attributes, (char *const *)(uintptr_t)arguments, environment);
    posix_spawn_file_actions_destroy(&actions);
    return failure;
}

static int spawn(pid_t *child, const char *const *arguments, char *const *environment, int output)
{
    posix_spawnattr_t attributes;
    int failure = posix_spawnattr_init(&attributes);
    if (failure != 0)
        return failure;
    failure = set_signals(&attributes);
    if (failure == 0)
        failure = spawn_with(child, &attributes, arguments, environment, output);
    posix_spawnattr_destroy(&attributes);
    return failure;
}

bool child_run(const char *const *arguments, const char *tmpdir, int output, int *status, struct error *error)
{
    char language[] = "LC_ALL=C", folder[PATH_MAX];
    int length = snprintf(folder, sizeof folder, "TMPDIR=%s", tmpdir);
    if (length < 0 || (size_t)length >= sizeof folder)
        return error_set(error, ERROR_SYSTEM, "the path '%.200s...' is too long", tmpdir);
    char **environment = child_environment(folder, language);
    if (!environment)
        return error_out_of_memory(error);
    pid_t child = 0;
    int failure = spawn(&child, arguments, environment, output);
    free(environment);
    if (failure == ENOMEM)
        return error_out_of_memory(error);
    if (failure != 0)
        return error_set(error, transient_errno(failure) ? ERROR_SYSTEM : ERROR_WORK,
                         "cannot start the C++ compiler '%s': %s", arguments[0], strerror(failure));
    while (waitpid(child, status, 0) < 0) {
        if (errno == ECHILD) { /* the program ignores SIGCHLD, or waits for any child: the output must tell */
            *status = 0;
            return true;
        }
        if (errno != EINTR)
            return error_set(error, ERROR_SYSTEM, "lost the C++ compiler: %s", strerror(errno));
    }
    return true;
}

bool child_succeeded(int status)
{
    return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

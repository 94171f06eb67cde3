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

struct buffer {
    char *text;
    size_t length, capacity;
};

enum read_result { READ_MORE, READ_END, READ_OUT_OF_MEMORY };

static enum read_result read_some(int file, struct buffer *buffer)
{
    if (buffer->length + 1 >= buffer->capacity) {
        char *text = realloc(buffer->text, 2 * buffer->capacity);
        if (!text)
            return READ_OUT_OF_MEMORY;
        buffer->text = text;
        buffer->capacity *= 2;
    }
    ssize_t got = read(file, buffer->text + buffer->length, buffer->capacity - buffer->length - 1);
    if (got <= 0)
        return got < 0 && errno == EINTR ? READ_MORE : READ_END;
    buffer->length += (size_t)got;
    return READ_MORE;
}

/* Until the end of the output or the deadline. */
static bool read_all(int file, double seconds, struct buffer *buffer, struct error *error)
{
    enum read_result result = READ_MORE;
    double end = monotonic_seconds() + seconds;
    while (result == READ_MORE) {
        double left = end - monotonic_seconds();
        struct pollfd ready = {.fd = file, .events = POLLIN};
        int polled = left > 0 ? poll(&ready, 1, (int)(left * 1000) + 1) : 0;
        if (polled == 0 || (polled < 0 && errno != EINTR))
            break;
        if (polled > 0)
            result = read_some(file, buffer);
    }
    buffer->text[buffer->length] = '\0';
    return result != READ_OUT_OF_MEMORY || error_out_of_memory(error);
}

bool program_output(char *const *arguments, const char *input, double seconds, char **output, struct error *error)
{
    struct buffer buffer = {.capacity = 4096};
    int ends[2];
    pid_t child;
    *output = NULL;
    if (pipe2(ends, O_CLOEXEC) != 0)
        return error_set(error, ERROR_SYSTEM, "cannot create a pipe: %s", strerror(errno));
    buffer.text = malloc(buffer.capacity);
    int failed = buffer.text ? start(arguments, input, ends[1], &child) : ENOMEM;
    close(ends[1]);
    if (failed) {
        close(ends[0]);
        free(buffer.text);
        return failed == ENOMEM ? error_out_of_memory(error)
                                : error_set(error, ERROR_WORK, "cannot run %s: %s", arguments[0], strerror(failed));
    }
    bool done = read_all(ends[0], seconds, &buffer, error);
    close(ends[0]);
    kill(-child, SIGKILL); /* it has exited, or is late */
    while (waitpid(child, NULL, 0) < 0 && errno == EINTR)
        ;
    if (!done) {
        free(buffer.text);
        return false;
    }
    *output = buffer.text;
    return true;
}

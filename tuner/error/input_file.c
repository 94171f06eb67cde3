/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/error/input_file.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool fail(const char *path, int reason, struct error *error)
{
    if (reason == ENOMEM)
        return error_out_of_memory(error);
    enum error_code code = reason == EIO || reason == ENFILE || reason == EMFILE ? ERROR_SYSTEM : ERROR_INPUT;
    return error_set(error, code, "cannot open %s: %s", path, strerror(reason));
}

/* The system calls pipes that have no name "pipe:[NUMBER]". */
static bool is_handed_over(int file)
{
    char link[64], target[8] = "";
    snprintf(link, sizeof link, "/proc/self/fd/%d", file);
    return readlink(link, target, sizeof target - 1) > 0 && strncmp(target, "pipe:[", 6) == 0;
}

/* Why it is not read; NULL: it is. */
static const char *objection(int file, const struct stat *status)
{
    if (S_ISREG(status->st_mode) || (S_ISFIFO(status->st_mode) && is_handed_over(file)))
        return NULL;
    return S_ISDIR(status->st_mode)    ? "it is a folder"
           : S_ISFIFO(status->st_mode) ? "it is a named pipe"
                                       : "it is a device, not a file";
}

int input_file_open(const char *path, bool *regular, struct error *error)
{
    struct stat status;
    *regular = false;
    int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    if (file < 0) {
        if (errno == ENXIO)
            error_set(error, ERROR_INPUT, "cannot open %s: it is a socket, not a file", path);
        else
            fail(path, errno, error);
        return -1;
    }
    bool done = fstat(file, &status) == 0 || fail(path, errno, error);
    const char *why = done ? objection(file, &status) : NULL;
    if (why) {
        error_set(error, ERROR_INPUT, "cannot open %s: %s", path, why);
        if (S_ISFIFO(status.st_mode))
            error_hint(error, "to read what a command writes, use <(COMMAND) or /dev/stdin");
    }
    int flags = fcntl(file, F_GETFL);
    done = done && !why && (fcntl(file, F_SETFL, flags & ~O_NONBLOCK) == 0 || fail(path, errno, error));
    *regular = done && S_ISREG(status.st_mode);
    if (done)
        return file;
    close(file);
    return -1;
}

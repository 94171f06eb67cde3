/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/error/input_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

const char *input_file_kind(mode_t mode)
{
    static const struct {
        mode_t type;
        const char *name;
    } kinds[] = {{S_IFDIR, "a folder"}, {S_IFIFO, "a FIFO"},         {S_IFSOCK, "a socket"},
                 {S_IFCHR, "a device"}, {S_IFBLK, "a block device"}, {S_IFREG, "a regular file"}};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        if ((mode & S_IFMT) == kinds[i].type)
            return kinds[i].name;
    }
    return "of an unknown kind";
}

/* "cannot read PATH: why"; `what` is the verb. */
static bool refuse(const char *what, const char *path, int reason, struct error *error)
{
    if (reason == ENOMEM)
        return error_out_of_memory(error);
    bool machine = reason == EIO || reason == ENFILE || reason == EMFILE;
    return error_set(error, machine ? ERROR_SYSTEM : ERROR_INPUT, "cannot %s %s: %s", what, path, strerror(reason));
}

/* ---- reading ---- */

static enum input_state fail(struct input_file *file, int reason)
{
    file->reason = reason;
    return reason == ENOENT || reason == ENOTDIR ? INPUT_ABSENT : reason == ENOMEM ? INPUT_NO_MEMORY : INPUT_FAILED;
}

/* The file may have shrunk since its size was read. */
static enum input_state read_all(int descriptor, struct input_file *file)
{
    size_t size = (size_t)file->status.st_size;
    file->bytes = malloc(size + 1);
    if (!file->bytes)
        return INPUT_NO_MEMORY;
    while (file->length < size) {
        ssize_t got = read(descriptor, file->bytes + file->length, size - file->length);
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            return fail(file, errno);
        if (got == 0)
            break;
        file->length += (size_t)got;
    }
    file->bytes[file->length] = '\0';
    return INPUT_READ;
}

static enum input_state read_descriptor(int descriptor, struct input_file *file)
{
    if (fstat(descriptor, &file->status) != 0)
        return fail(file, errno);
    if (S_ISDIR(file->status.st_mode))
        return INPUT_FOLDER;
    if (!S_ISREG(file->status.st_mode))
        return INPUT_SPECIAL;
    if (file->status.st_size < 0 || (size_t)file->status.st_size > file->most)
        return INPUT_TOO_LARGE;
    return read_all(descriptor, file);
}

/* Asking first spares a device from being opened, which can have effects; O_NONBLOCK, in case it changes meanwhile.
 */
void input_file_read(const char *path, size_t most, struct input_file *file)
{
    *file = (struct input_file){.most = most};
    if (stat(path, &file->status) != 0) {
        file->state = fail(file, errno);
        return;
    }
    if (!S_ISREG(file->status.st_mode)) {
        file->state = S_ISDIR(file->status.st_mode) ? INPUT_FOLDER : INPUT_SPECIAL;
        return;
    }
    int descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    if (descriptor < 0) {
        file->state = fail(file, errno);
        return;
    }
    file->state = read_descriptor(descriptor, file);
    close(descriptor);
    if (file->state != INPUT_READ) {
        free(file->bytes);
        file->bytes = NULL;
        file->length = 0;
    }
}

bool input_file_error(const struct input_file *file, const char *path, struct error *error)
{
    switch (file->state) {
    case INPUT_NO_MEMORY:
        return error_out_of_memory(error);
    case INPUT_FOLDER:
        return error_set(error, ERROR_INPUT, "cannot read %s: it is a folder", path);
    case INPUT_SPECIAL:
        return error_set(error, ERROR_INPUT, "cannot read %s: it is not a regular file but %s", path,
                         input_file_kind(file->status.st_mode));
    case INPUT_TOO_LARGE:
        return error_set(error, ERROR_INPUT, "%s is larger than %zu MiB", path, file->most >> 20);
    case INPUT_READ:
    case INPUT_ABSENT:
    case INPUT_FAILED:
        break;
    }
    return refuse("read", path, file->reason, error);
}

/* ---- opening ---- */

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
            refuse("open", path, errno, error);
        return -1;
    }
    bool done = fstat(file, &status) == 0 || refuse("open", path, errno, error);
    const char *why = done ? objection(file, &status) : NULL;
    if (why) {
        error_set(error, ERROR_INPUT, "cannot open %s: %s", path, why);
        if (S_ISFIFO(status.st_mode))
            error_hint(error, "to read what a command writes, use <(COMMAND) or /dev/stdin");
    }
    int flags = fcntl(file, F_GETFL);
    done = done && !why && (fcntl(file, F_SETFL, flags & ~O_NONBLOCK) == 0 || refuse("open", path, errno, error));
    *regular = done && S_ISREG(status.st_mode);
    if (done)
        return file;
    close(file);
    return -1;
}

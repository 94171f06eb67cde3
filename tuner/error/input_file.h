/* SPDX-License-Identifier: Apache-2.0 */
/*
 * input_file.h - files that the user or a source names, read without waiting for a pipe's writer and without touching
 * devices.
 *
 * input_file_read reads a regular file whole, within a bound. What a path leads to is a state and not an error yet,
 * since a file that is absent or a folder may be fine for the caller; input_file_error words it for the others.
 *
 * input_file_open is for data that may also come from a pipe that somebody hands over: standard input as /dev/stdin,
 * or a shell's <(COMMAND), which is /dev/fd/63. A named pipe without a writer would be waited for for ever, a device
 * may never end: these, folders and sockets are refused.
 *
 * Links are followed.
 */
#ifndef TUNE_ERROR_INPUT_FILE_H
#define TUNE_ERROR_INPUT_FILE_H

#include "tuner/error/error.h"

#include <sys/stat.h>

enum input_state {
    INPUT_READ,
    INPUT_ABSENT,
    INPUT_FOLDER,
    INPUT_SPECIAL, /* a FIFO, a socket or a device */
    INPUT_TOO_LARGE,
    INPUT_FAILED, /* the system's reason is in `reason` */
    INPUT_NO_MEMORY,
};

struct input_file {
    enum input_state state;
    char *bytes; /* NUL-terminated, for the caller to free; NULL unless read */
    size_t length;
    size_t most;        /* that was allowed */
    int reason;         /* an errno */
    struct stat status; /* unless absent or failed */
};

/* Read at most `most` bytes: a larger file is not read at all. */
void input_file_read(const char *path, size_t most, struct input_file *file);

/* "cannot read PATH: it is a FIFO, not a regular file", and so on, for a file that was not read. Returns false. */
bool input_file_error(const struct input_file *file, const char *path, struct error *error);

/* "a FIFO", "a folder", "a block device" ... */
const char *input_file_kind(mode_t mode);

/* A descriptor, for the caller to close; reading it blocks as usual. `*regular`: it can be read again from the start.
 * -1 and ERROR_INPUT (or ERROR_SYSTEM, ERROR_OUT_OF_MEMORY): "cannot open PATH: why". */
int input_file_open(const char *path, bool *regular, struct error *error);

#endif

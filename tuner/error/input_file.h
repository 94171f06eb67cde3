/* SPDX-License-Identifier: Apache-2.0 */
/*
 * input_file.h - read a file whole if it is a regular one: bounded, and never waiting for a pipe's writer.
 *
 * Links are followed. What a path leads to is a state and not an error yet, since a file that is absent or a folder
 * may be fine for the caller; input_file_error words it for the others.
 */
#ifndef TUNE_INPUT_FILE_H
#define TUNE_INPUT_FILE_H

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

#endif

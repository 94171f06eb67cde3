/* SPDX-License-Identifier: Apache-2.0 */
/*
 * new_files.h - several files that a command makes: all of them or none, and never in the place of another.
 */
#ifndef TUNE_CLI_NEW_FILES_H
#define TUNE_CLI_NEW_FILES_H

#include "tuner/error/error.h"

struct new_file {
    char *path;
    const char *bytes; /* borrowed */
    size_t length;
    const char *from; /* of a copy, borrowed; NULL: the bytes */
};

struct new_files {
    struct new_file *items;
    size_t count;
};

/* Plan a file "folder/name". False: out of memory. */
bool new_files_add(struct new_files *files, const char *folder, const char *name, const char *bytes, size_t length,
                   struct error *error);

/* Plan a copy of a file. */
bool new_files_add_copy(struct new_files *files, const char *folder, const char *name, const char *from,
                        struct error *error);

/* Write what is planned, with the folders above. Errors: something has one of the names already; the system's. */
bool new_files_write(const struct new_files *files, struct error *error);

void new_files_clear(struct new_files *files);

#endif

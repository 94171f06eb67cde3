/* SPDX-License-Identifier: Apache-2.0 */
/*
 * output_file.h - output files that appear complete or not at all.
 *
 * The file is written under another name in its folder, NAME.RANDOM.partial, synced, and renamed at the end: no
 * reader sees half of it, an earlier file stays if anything fails, and after a crash it is the old one or the new
 * one. The partial file is created anew under a name that cannot be guessed. Its mode is the one that the umask asks
 * for, less what an earlier file did not permit. What a killed program left of it is removed
 * (partial_file.h).
 *
 * Links: the folders above a file may be links. The file itself may not be one: whoever planted it would choose what
 * is overwritten. What is no regular file, such as a pipe, a terminal or /dev/null, is written in place, also through
 * a link, as /dev/stdout is one; a path that leads to the program's own stdout or stderr is written through that.
 *
 *     struct output_file file;
 *     if (!output_file_open(&file, path, error))
 *         return false;
 *     return output_file_close(&file, write_all(file.stream, error), error);
 */
#ifndef TUNE_OUTPUT_FILE_H
#define TUNE_OUTPUT_FILE_H

#include "tuner/error/error.h"

struct output_file {
    FILE *stream;
    char *path;    /* for messages */
    char *name;    /* within its folder; NULL: written in place */
    char *partial; /* likewise */
    int folder;    /* open, unless written in place */
    bool is_new;   /* nothing may be in its place */
};

/* Replace or create the file. ERROR_INPUT, "cannot create PATH" and why, if it cannot be created; a link is refused,
 * with a hint that names what it leads to. */
bool output_file_open(struct output_file *file, const char *path, struct error *error);

/* The same, but an error if anything is there already, now or when the file is closed. */
bool output_file_open_new(struct output_file *file, const char *path, struct error *error);

/* The same as output_file_open in an open folder, whose path is only for messages. Whatever has the name is replaced,
 * a link like any other; nothing is written in place. */
bool output_file_open_in(struct output_file *file, int folder, const char *folder_path, const char *name,
                         struct error *error);

/*
 * Move the file into place if the caller is `done` and everything was written; otherwise remove it. Returns whether
 * it is in place. If not `done`, the caller has set the error already.
 */
bool output_file_close(struct output_file *file, bool done, struct error *error);

#endif

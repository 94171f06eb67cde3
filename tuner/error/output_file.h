/* SPDX-License-Identifier: Apache-2.0 */
/*
 * output_file.h - output files that appear complete or not at all.
 *
 * The file is written as PATH.PID.partial and renamed at the end: no reader sees half of it, and an earlier file
 * stays if anything fails. Anything but a regular file (a pipe, /dev/stdout) is written in place.
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
    char *path, *partial; /* partial: NULL if written in place */
};

/* ERROR_INPUT, "cannot create PATH" and why, if it cannot be created. */
bool output_file_open(struct output_file *file, const char *path, struct error *error);

/*
 * Move the file into place if the caller is `done` and everything was written; otherwise remove it. Returns whether
 * it is in place. If not `done`, the caller has set the error already.
 */
bool output_file_close(struct output_file *file, bool done, struct error *error);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * output_file.h - a file that is there when it is whole.
 *
 * It is written beside its place, as PATH.PID.partial, and gets its name at the end: no reader sees half of it, and
 * what was there before stays if anything fails. What is no plain file (a pipe, /dev/stdout) is written where it is.
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
    char *path, *partial; /* NULL: in place */
};

/* Errors: ERROR_INPUT, "cannot create PATH" with the reason. */
bool output_file_open(struct output_file *file, const char *path, struct error *error);

/* Put it in its place if `done` and all went onto the disk, else nothing is left of it. Returns whether it is there;
 * what was not `done` has its error already. */
bool output_file_close(struct output_file *file, bool done, struct error *error);

#endif

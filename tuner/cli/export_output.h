/* SPDX-License-Identifier: Apache-2.0 */
/*
 * export_output.h - where `tune export` writes: the file of -o, or stdout.
 */
#ifndef TUNE_CLI_EXPORT_OUTPUT_H
#define TUNE_CLI_EXPORT_OUTPUT_H

#include "tuner/cli/options.h"
#include "tuner/error/output_file.h"

static inline bool export_open(const struct options *options, struct output_file *file, struct error *error)
{
    *file = (struct output_file){.stream = stdout};
    return !options->output || output_file_open(file, options->output, error);
}

/* `done`: keep what was written. Returns it, unless the file cannot be written in the end. */
static inline bool export_close(struct output_file *file, bool done, struct error *error)
{
    return file->stream == stdout ? done : output_file_close(file, done, error);
}

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * input_file.h - opening a file that the user names, without waiting for anything and without reading devices.
 *
 * Regular files are opened, and pipes that somebody hands over: standard input as /dev/stdin, or a shell's
 * <(COMMAND), which is /dev/fd/63. A named pipe without a writer would be waited for for ever, a device may never
 * end: these, folders and sockets are refused.
 */
#ifndef TUNE_ERROR_INPUT_FILE_H
#define TUNE_ERROR_INPUT_FILE_H

#include "tuner/error/error.h"

/* A descriptor, for the caller to close; reading it blocks as usual. `*regular`: it can be read again from the start.
 * -1 and ERROR_INPUT (or ERROR_SYSTEM, ERROR_OUT_OF_MEMORY): "cannot open PATH: why". */
int input_file_open(const char *path, bool *regular, struct error *error);

#endif

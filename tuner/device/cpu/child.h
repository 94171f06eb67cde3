/* SPDX-License-Identifier: Apache-2.0 */
/*
 * child.h - a program of the host's tool chain, run as a child process to its end, without a shell.
 */
#ifndef TUNE_DEVICE_CPU_CHILD_H
#define TUNE_DEVICE_CPU_CHILD_H

#include "tuner/error/error.h"

#include <stdbool.h>
#include <stddef.h>

/* The path of the first executable of that name on $PATH. */
bool child_find(const char *name, char *path, size_t bytes);

/*
 * Run `arguments` (a path first, NULL last) with no input, what it prints going to the file `output`, its temporary
 * files to `tmpdir`, and messages in English. Gives waitpid's status. False: it could not be started (ERROR_WORK), or
 * ERROR_SYSTEM.
 */
bool child_run(const char *const *arguments, const char *tmpdir, int output, int *status, struct error *error);

/* Did it end with status 0? */
bool child_succeeded(int status);

#endif
